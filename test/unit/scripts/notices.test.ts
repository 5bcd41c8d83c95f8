import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

interface Package {
  readonly name: string;
  readonly license: string;
  readonly folder: string;
  readonly texts: readonly string[];
}
// Scripts are not compiled, so they are found from the root and not from here.
const script = join(import.meta.dirname, "../../../../scripts/build/notices.mjs");
const { packagesOf, noticesOf } = (await import(pathToFileURL(script).href)) as {
  packagesOf: (files: readonly string[], base: string) => Package[];
  noticesOf: (packages: readonly Package[]) => string;
};

describe("the notices of packages of which files ship", () => {
  let base: string;
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  };
  const install = (folder: string, license: unknown, version = "1.0.0") => {
    const name = folder.replace(/^.*node_modules\//, "");
    return put(`${folder}/package.json`, JSON.stringify({ name, version, license }));
  };
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "rooroo-notices-"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it("have each package once, with its version, its license and each text beside or above its files", async () => {
    await install("node_modules/one", "MIT");
    await put("node_modules/one/LICENSE", "Text of MIT\r\n");
    for (const file of ["one/index.js", "one/lib/more.js", "one/node_modules/three/index.js"]) {
      await put(`node_modules/${file}`, "run();");
    }
    await install("node_modules/@scope/two", "(MPL-2.0 OR Apache-2.0)", "2.1.0");
    await put("node_modules/@scope/two/license.md", "Text of Apache");
    await put("node_modules/@scope/two/NOTICE", "By two");
    await put("node_modules/@scope/two/maps/LICENSE", "Text of maps");
    await put("node_modules/@scope/two/unused/LICENSE", "Text of what does not ship");
    await install("node_modules/one/node_modules/three", "ISC");
    await put("node_modules/one/node_modules/three/LICENCE.txt", "Text of MIT");
    const files = [
      "src/own.ts",
      "node_modules/one/index.js",
      "node_modules/one/lib/more.js",
      "node_modules/@scope/two/maps/a.bin",
      "node_modules/one/node_modules/three/index.js",
    ];
    const packages = packagesOf(files, base);
    assert.deepEqual(
      packages.map(({ folder }) => folder),
      ["node_modules/@scope/two", "node_modules/one", "node_modules/one/node_modules/three"],
    );
    const notices = noticesOf(packages);
    assert.match(notices, /^one 1\.0\.0 \(MIT\)\nthree 1\.0\.0 \(ISC\)\n=+\n\nText of MIT\n/m);
    assert.match(notices, /^@scope\/two 2\.1\.0 \(\(MPL-2\.0 OR Apache-2\.0\)\)$/m);
    assert.match(notices, /By two\n[^]*Text of Apache\n[^]*Text of maps\n/);
    assert.doesNotMatch(notices, /does not ship|own\.ts/);
  });

  it("have the comments of its bundled files that speak of rights, each once", async () => {
    await install("node_modules/one", "MIT");
    await put("node_modules/one/LICENSE", "Text");
    const copied = "// Copyright (c) 2011 Somebody\n// MIT\n";
    await put("node_modules/one/a.js", `${copied}x();\n/*! two. MIT. */\n/* Adds. */`);
    await put("node_modules/one/b.mjs", `${copied}y();`);
    await put("node_modules/one/c.css", "/* Copyright of a style sheet, which ships as it is */");
    const [one] = packagesOf(
      ["a.js", "b.mjs", "c.css"].map((name) => `node_modules/one/${name}`),
      base,
    );
    assert.deepEqual(one?.texts, [
      "Text",
      "// Copyright (c) 2011 Somebody\n// MIT",
      "/*! two. MIT. */",
    ]);
  });

  it("are refused for all packages at once whose license has no text or is not allowed", async () => {
    await install("node_modules/one", "MIT");
    await install("node_modules/two", "GPL-3.0-only");
    await install("node_modules/three", "SEE LICENSE IN LICENSE.txt");
    await install("node_modules/four", undefined);
    await install("node_modules/five", "(MIT OR GPL-3.0-only) AND GPL-2.0-only");
    for (const name of ["two", "three", "four", "five"]) {
      await put(`node_modules/${name}/LICENSE`, "Text");
    }
    const files = ["one", "two", "three", "four", "five"].map(
      (name) => `node_modules/${name}/x.css`,
    );
    assert.throws(
      () => packagesOf(files, base),
      (error: Error) => {
        assert.match(
          error.message,
          /one 1\.0\.0: it has no text.*scripts\/build\/licenses\/one\.txt/,
        );
        assert.match(error.message, /two 1\.0\.0: its license \(GPL-3\.0-only\) is not allowed/);
        assert.match(error.message, /three 1\.0\.0: its license \(SEE LICENSE/);
        assert.match(error.message, /four 1\.0\.0: its license \(none\) is not allowed/);
        assert.match(error.message, /five 1\.0\.0: its license/);
        return true;
      },
    );
  });
});
