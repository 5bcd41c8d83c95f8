import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly scope: string }>>;
    }[];
  };
}

describe("settings of a workspace", () => {
  const manifest = JSON.parse(
    readFileSync(join(process.cwd(), "package.json"), "utf8"),
  ) as Manifest;
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties),
  );

  it("count only once it is trusted, all that a workspace can set at all", () => {
    assert.equal(supported, "limited");
    const ofWorkspaces = settings
      .filter(([, { scope }]) => !["application", "machine"].includes(scope))
      .map(([name]) => name);
    assert.deepEqual([...restrictedConfigurations].sort(), ofWorkspaces.sort());
  });

  it("cannot say what runs unasked, what is run, or where a key goes", () => {
    for (const [name, { scope }] of settings) {
      if (!/approvals|sandbox|baseUrl|profiles?$|Path$|modes$|hooks$|runIn$/.test(name)) continue;
      assert.match(scope, /^(application|machine)$/, name);
    }
  });
});
