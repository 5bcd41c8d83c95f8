import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SettingName } from "../../../../src/contributions/settings.js";
import { settingReaders } from "../../../../src/vscode/settings/settingReader.js";

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    }[];
  };
}

describe("what reads the settings", () => {
  const manifest = JSON.parse(
    readFileSync(join(process.cwd(), "package.json"), "utf8"),
  ) as Manifest;
  const defaults = new Map(
    manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties).map(([key, value]) => [key.replace("rooroo.", ""), value.default]),
    ),
  );
  const readers = settingReaders(manifest);

  it("takes the manifest's default where a value cannot be used, but for rules, which then ask", () => {
    assert.deepEqual([...readers.names].sort(), [...defaults.keys()].sort());
    for (const name of readers.names) {
      const { parser, fallback } = readers.of(name);
      const usual = parser.parse(defaults.get(name));
      if (name === "approvals.categories") {
        const asks = { read: "ask", write: "ask", command: "ask", web: "ask", tool: "ask" };
        assert.deepEqual(fallback, asks);
      } else assert.equal(JSON.stringify(fallback), JSON.stringify(usual), name);
    }
  });

  it("accepts of a plain setting what the manifest says, and nothing else", () => {
    const read = (name: SettingName, value: unknown): unknown =>
      readers.of(name).parser.safeParse(value).data;
    assert.equal(read("limits.turns", 1), 1);
    assert.equal(read("limits.turns", 1000), 1000);
    for (const bad of [0, 1001, 1.5, "60", null])
      assert.equal(read("limits.turns", bad), undefined);
    assert.equal(read("plans.documenter", true), true);
    assert.equal(read("plans.documenter", "true"), undefined);
    assert.equal(read("plans.start", "wait"), "wait");
    assert.equal(read("plans.start", "later"), undefined);
    assert.equal(read("team.remote", " upstream "), "upstream");
    for (const bad of [" ", "x".repeat(201), 1]) assert.equal(read("team.remote", bad), undefined);
  });
});
