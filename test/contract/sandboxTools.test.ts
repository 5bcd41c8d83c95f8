import assert from "node:assert/strict";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { describeSandboxed } from "./sandboxed.js";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** Small projects as people have them: how they are built or tested, and what is there afterwards. */
const projects: readonly {
  readonly program: string;
  readonly files: Readonly<Record<string, string>>;
  /** Names of npm packages that are installed in the project. */
  readonly packages?: readonly string[];
  readonly command: string;
  readonly output: RegExp;
  readonly made: readonly string[];
}[] = [
  {
    program: "npm",
    files: {
      "package.json": JSON.stringify({ name: "p", scripts: { test: "node --test" } }),
      "a.test.js": `require("node:test")("adds", () => require("fs").writeFileSync("ran", ""))`,
    },
    command: "npm test",
    output: /pass 1/,
    made: ["ran"],
  },
  {
    program: "npm",
    files: {
      "package.json": JSON.stringify({ name: "p", scripts: { build: "node build.js" } }),
      "build.js": `require("fs").mkdirSync("dist"); require("fs").writeFileSync("dist/a.js", "")`,
    },
    command: "npm run build && echo built",
    output: /built/,
    made: ["dist/a.js"],
  },
  {
    program: "node",
    files: {
      "tsconfig.json": `{"compilerOptions":{"outDir":"out"}}`,
      "a.ts": "export const a: number = 1;",
    },
    packages: ["typescript"],
    command: "node node_modules/typescript/bin/tsc -p . && echo built",
    output: /built/,
    made: ["out/a.js"],
  },
  {
    program: "make",
    files: {
      Makefile: "out/a: a.c\n\tmkdir -p out\n\tcc a.c -o out/a\n\t./out/a\n",
      "a.c": `#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n`,
    },
    command: "make && make",
    output: /hello\nmake: .*up to date/,
    made: ["out/a"],
  },
  {
    program: "python3",
    files: {
      "test_a.py":
        "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1 + 1, 2)\n",
    },
    command: "python3 -m unittest",
    output: /OK/,
    made: [],
  },
  {
    program: "pytest",
    files: { "test_a.py": "def test_adds():\n    assert 1 + 1 == 2\n" },
    command: "pytest -q",
    output: /1 passed/,
    made: [],
  },
  {
    program: "cargo",
    files: {
      "Cargo.toml": `[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n`,
      "src/lib.rs": "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n",
    },
    command: "cargo test --offline",
    output: /1 passed/,
    made: ["Cargo.lock"],
  },
  {
    program: "go",
    files: {
      "go.mod": "module a\n",
      "a_test.go": `package a\nimport "testing"\nfunc TestA(t *testing.T) {}\n`,
    },
    command: "go test ./...",
    output: /^ok/m,
    made: [],
  },
];

await describeSandboxed("Sandbox: tools at work", (world) => {
  for (const { program, files, packages = [], command, output, made } of projects) {
    const isHere = findProgram([program], "/nowhere") !== undefined;
    const title = isHere ? `runs ${command}` : `says that ${program} is not here`;
    it(title, async () => {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(world.root, path)), { recursive: true });
        await writeFile(join(world.root, path), content);
      }
      for (const name of packages) {
        const target = join(world.root, "node_modules", name);
        await cp(join(modules, name), target, { recursive: true });
      }
      const result = await world.run(command, { options: { home: homedir() } });
      if (!isHere) {
        assert.match(result.output, /not found/);
        return;
      }
      assert.match(result.output, output);
      assert.equal(result.exitCode, 0);
      const paths = result.layer?.changes.map(({ path }) => path) ?? [];
      for (const path of made) assert.ok(paths.includes(path), `${path}: ${paths.join(" ")}`);
    });
  }
});
