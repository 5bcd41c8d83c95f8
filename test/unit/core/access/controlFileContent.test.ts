import assert from "node:assert/strict";
import fc from "fast-check";
import { controlFileContent } from "../../../../src/core/access/controlFileContent.js";
import { spoken } from "../../../../src/core/text/words.js";

describe("content that controls others", () => {
  it("is a schema that an editor would fetch", () => {
    for (const [path, text] of [
      ["a.json", '{"$schema":"https://evil/?d=1"}'],
      ["a.json", '{"\\u0024schema" : "https:\\/\\/evil/x"}'],
      ["a.jsonc", '{ "$schema" /* " */ : // :\n "//evil/x", }'],
      ["a.json", '{"x": {"$schema":"HTTP://evil"}, broken'],
      [".eslintignore", "$schema: https://evil"],
      ["a.yaml", "# yaml-language-server: $schema=https://evil/x\na: 1"],
      ["a.toml", "#:schema https://evil/x"],
    ] as const) {
      assert.match(
        spoken(controlFileContent(path, undefined, text) ?? ""),
        /fetch .* from \S+\.$/,
        text,
      );
      assert.equal(controlFileContent(path, text, `${text} `), undefined, "it was there before");
    }
    for (const [path, text] of [
      ["a.json", '{"$schema":"./schema.json","x":"https://ok"}'],
      ["a.json", '{"schema":"https://ok"}'],
      ["a.ts", 'const s = { "$schema": "https://ok" };'],
    ] as const) {
      assert.equal(controlFileContent(path, undefined, text), undefined, text);
    }
  });

  it("is what a manifest says is run", () => {
    const base = { name: "x", version: "1.0.0", scripts: { test: "mocha" }, dependencies: {} };
    const change = (fields: object, path = "sub/package.json") =>
      controlFileContent(path, JSON.stringify(base), JSON.stringify({ ...base, ...fields }));
    assert.equal(change({ version: "2.0.0", dependencies: { zod: "4" } }), undefined);
    assert.match(
      spoken(change({ scripts: { test: "sh x" } }) ?? ""),
      /changes “scripts” of package\.json/,
    );
    assert.match(spoken(change({ bin: "x", workspaces: ["a"] }) ?? ""), /“bin”, “workspaces”/);
    assert.match(
      spoken(controlFileContent("package.json", undefined, '{"scripts":{"a":"b"}}') ?? ""),
      /scripts/,
    );
    assert.equal(controlFileContent("package.json", undefined, '{"name":"x"}'), undefined);
    assert.match(
      spoken(controlFileContent("PACKAGE.json", JSON.stringify(base), "{ broken") ?? ""),
      /cannot be told what this changes in package\.json/,
    );
    const plugin = '{"compilerOptions":{"plugins":[{"name":"../x"}]}}';
    assert.match(spoken(controlFileContent("tsconfig.build.json", "{}", plugin) ?? ""), /plugins/);
    const strict = '{ // comments\n "compilerOptions": {"strict": true,} }';
    assert.equal(controlFileContent("tsconfig.json", "{}", strict), undefined);
  });

  it("is looked for in time, whatever the text", () => {
    const piece = fc.constantFrom(
      "$schema",
      "/*",
      "*/",
      "//",
      "\n",
      '"',
      ":",
      " ",
      "/",
      "https:",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        controlFileContent("a.json", undefined, pieces.join(""));
      }),
    );
    controlFileContent("a.json", undefined, `$schema${"/**/".repeat(50_000)}`);
    controlFileContent("a.json", undefined, `$schema${"//".repeat(50_000)}`);
    // Minutes, if each name were followed through all of it.
    for (const many of ["$schema/*", "$schema:/*", "\\u0024schema\\/\\u002a"]) {
      const why = controlFileContent("a.json", undefined, many.repeat(100_000));
      assert.match(spoken(why ?? ""), /cannot be told/);
    }
  });
});
