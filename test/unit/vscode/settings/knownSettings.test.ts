import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { knownSettings } from "../../../../src/vscode/settings/knownSettings.js";

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    }[];
  };
}

describe("the settings that are read", () => {
  const manifest = JSON.parse(
    readFileSync(join(process.cwd(), "package.json"), "utf8"),
  ) as Manifest;
  const defaults = new Map(
    manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties).map(([key, value]) => [key.replace("rooroo.", ""), value.default]),
    ),
  );

  it("are those of the manifest", () => {
    assert.deepEqual(Object.keys(knownSettings).sort(), [...defaults.keys()].sort());
  });

  it("have the manifest's default where their value cannot be used, but for rules, which then ask", () => {
    for (const [key, { schema, fallback }] of Object.entries(knownSettings)) {
      const usual = schema.parse(defaults.get(key));
      if (key === "approvals.categories") {
        const asks = { read: "ask", write: "ask", command: "ask", web: "ask", tool: "ask" };
        assert.deepEqual(fallback, asks);
      } else assert.equal(JSON.stringify(fallback), JSON.stringify(usual), key);
    }
  });
});
