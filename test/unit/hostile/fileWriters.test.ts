import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import type * as bundling from "../../../scripts/build/bundles.mjs";
import { fileCalls, type FileCall } from "./fileCalls.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The one module that has the system open, make, move and remove files. */
const chokepoint = "src/node/files/directoryHandle.ts";

/**
 * Writes credentials through what stands for Node's `fs` in browsers, which the bundles take instead of it, and which
 * throws whatever is called.
 */
const anthropicCredentials = "node_modules/@anthropic-ai/sdk/lib/credentials/types.mjs";

/** What may be written past {@link chokepoint}, and why. */
const exceptions: Readonly<Record<string, string>> = {
  // Git's indexes and the sides of merges lie in a new folder among the system's temporary files, which only git writes.
  "src/node/git/temporaryFolder.ts: fs.mkdtemp": "a temporary folder",
  "src/node/git/temporaryFolder.ts: fs.rm": "a temporary folder",
  // The text of a proposal lies in the extension's own storage, outside of all workspaces, where VS
  // Code's editor has it open.
  "src/vscode/panel/proposalEditor.ts: workspace.fs writeFile": "VS Code's storage",
  "src/vscode/panel/proposalEditor.ts: ….writeFile": "VS Code's storage",
  "src/vscode/panel/proposalEditor.ts: workspace.fs delete": "VS Code's storage",
  // A conversation is exported to the file that the user has chosen in VS Code's save dialog.
  "src/vscode/panel/exportConversation.ts: workspace.fs writeFile": "a file that the user chose",
  "src/vscode/panel/exportConversation.ts: ….writeFile": "a file that the user chose",
  // It has formats of JSON Schema in a variable of this name.
  "node_modules/ajv-formats/dist/index.js: fs is passed on as a whole": "no files",
  // It reads the certificates that a database's address names.
  "node_modules/pg-connection-string/index.js: fs is passed on as a whole": "certificates",
  ...Object.fromEntries(
    ["mkdir", "unlink", "writeFile"].map((name) => [
      `${anthropicCredentials}: ….${name}`,
      "throws",
    ]),
  ),
  // Caches and recorders of requests, which come with the proxy's agent and which nothing here makes.
  "node_modules/undici/lib/cache/sqlite-cache-store.js: node:sqlite": "not made",
  "node_modules/undici/lib/handler/cache-handler.js: ….createWriteStream": "not made",
  "node_modules/undici/lib/mock/snapshot-recorder.js: fs.mkdir": "not made",
  "node_modules/undici/lib/mock/snapshot-recorder.js: fs.writeFile": "not made",
  "node_modules/undici/lib/util/runtime-features.js: node:sqlite": "whether Node has it",
  // It reads what says which characters fonts have; the others are names of its own.
  "node_modules/unpdf/dist/pdfjs.mjs: modules may be loaded by binding": "no modules",
  "node_modules/unpdf/dist/pdfjs.mjs: modules may be loaded by getBuiltinModule": "character maps",
  "node_modules/unpdf/dist/pdfjs.mjs: ….truncate": "no files",
};

/** What is read without looking at what it is, and why. */
const plainReads: Readonly<Record<string, string>> = {
  "src/cli/commands/validate.ts: fs.readFile": "the person named it, be it a pipe",
  "src/cli/language/messagesFor.ts: fs.readFile": "a file of the program's own",
  // By its descriptor, once it is known to be a regular file.
  "src/node/files/openForReading.ts: fs.readFile": "an open file",
  "src/node/files/openForReading.ts: fs.readFileSync": "an open file",
  "src/node/shell/bashGrammar.ts: fs.readFile": "a file of the program's own",
  // It asks the editor first whether that is a file.
  "src/vscode/workspace/readUri.ts: workspace.fs readFile": "the one place for the editor's files",
};

/**
 * What the sandbox writes lies in the person's own folder, outside of all workspaces, where no command
 * runs at that time: layers and their mount points. What of a layer goes into the workspace passes
 * {@link chokepoint} in `putInPlace.ts`, which must not stand here.
 */
const sandboxWriters = [
  // The folder of layers, and the script that a command's shell reads.
  "src/node/sandbox/bubblewrapSandbox.ts",
  "src/node/sandbox/layerChanges.ts",
  "src/node/sandbox/layerFolder.ts",
  "src/node/sandbox/sandboxView.ts",
  // The system's control groups.
  "src/node/sandbox/rootProcessLimit.ts",
  // A text that runs inside the sandbox.
  "src/node/sandbox/proxyBridge.ts",
  // A temporary folder of the system.
  "src/node/sandbox/seatbeltSandbox.ts",
];

/**
 * Copies and removes whole folders that are held open by {@link chokepoint}, which loads at the start and is small for
 * that reason.
 */
const treeWriters = ["src/node/files/directoryTree.ts"];
const otherWriters = [...sandboxWriters, ...treeWriters];

describe("what the product's bundles do with files", () => {
  let calls: FileCall[];

  before(async () => {
    const script = new URL("../../../../scripts/build/bundles.mjs", import.meta.url);
    const { bundles } = (await import(script.href)) as typeof bundling;
    const { chartWorker, pdfWorker, extension, rooroo, panel } = bundles({
      release: false,
      version: "0",
    });
    // What the two programs share is in both of their bundles, and need be read only once.
    const named = ({ entryPoints }: BuildOptions) => entryPoints as Record<string, string>;
    const entryPoints = { ...named(extension), ...named(rooroo) };
    const programs = { ...rooroo, entryPoints, external: extension.external ?? [] };
    calls = (await Promise.all([chartWorker, pdfWorker, programs, panel].map(callsOf))).flat();
  });

  const distinct = (some: readonly FileCall[]) =>
    [...new Set(some.map(({ module, what }) => `${module}: ${what}`))].sort();

  it("is to write them in one module only", () => {
    const writes = calls.filter(({ writes }) => writes);
    const byOthers = writes.filter(({ module, what }) => {
      // Modules beside it write to the open files that it gives them.
      const isOpenFile = module.startsWith("src/node/files/") && what.startsWith("….");
      return module !== chokepoint && !isOpenFile && !otherWriters.includes(module);
    });
    const modules = writes.map(({ module }) => module);
    for (const module of otherWriters)
      assert.ok(modules.includes(module), `${module} writes no more`);
    assert.deepEqual(distinct(byOthers), Object.keys(exceptions).sort());
    const own = distinct(writes.filter(({ module }) => module === chokepoint));
    for (const name of ["open", "mkdir", "link", "rename", "unlink"]) {
      assert.ok(own.includes(`${chokepoint}: fs.${name}`), `${name} was not found`);
    }
  });

  it("is to open them for reading in a few modules only, which wait for no pipe", () => {
    const own = calls.filter(({ module, reads }) => reads && module.startsWith("src/"));
    assert.deepEqual(distinct(own), Object.keys(plainReads).sort());
  });

  it("is, in packages of others, to read what they are told to", () => {
    const ofPackages = calls.filter(({ module }) => !module.startsWith("src/"));
    assert.deepEqual(distinct(ofPackages), [
      `${anthropicCredentials}: ….mkdir`,
      `${anthropicCredentials}: ….unlink`,
      `${anthropicCredentials}: ….writeFile`,
      "node_modules/ajv-formats/dist/index.js: fs is passed on as a whole",
      "node_modules/commander/lib/command.js: fs.existsSync",
      "node_modules/commander/lib/command.js: fs.realpathSync",
      // They look for the program that starts an MCP server.
      "node_modules/cross-spawn/lib/util/readShebang.js: fs.closeSync",
      "node_modules/cross-spawn/lib/util/readShebang.js: fs.openSync",
      "node_modules/cross-spawn/lib/util/readShebang.js: fs.readSync",
      "node_modules/isexe/mode.js: fs.stat",
      "node_modules/isexe/mode.js: fs.statSync",
      "node_modules/isexe/windows.js: fs.stat",
      "node_modules/isexe/windows.js: fs.statSync",
      "node_modules/pg-connection-string/index.js: fs is passed on as a whole",
      "node_modules/pg-connection-string/index.js: fs.readFileSync",
      "node_modules/pgpass/lib/index.js: fs.createReadStream",
      "node_modules/pgpass/lib/index.js: fs.stat",
      "node_modules/undici/lib/cache/sqlite-cache-store.js: node:sqlite",
      "node_modules/undici/lib/handler/cache-handler.js: ….createWriteStream",
      "node_modules/undici/lib/mock/snapshot-recorder.js: fs.mkdir",
      "node_modules/undici/lib/mock/snapshot-recorder.js: fs.readFile",
      "node_modules/undici/lib/mock/snapshot-recorder.js: fs.writeFile",
      "node_modules/undici/lib/util/runtime-features.js: node:sqlite",
      "node_modules/unpdf/dist/pdfjs.mjs: modules may be loaded by binding",
      "node_modules/unpdf/dist/pdfjs.mjs: modules may be loaded by getBuiltinModule",
      "node_modules/unpdf/dist/pdfjs.mjs: ….truncate",
      "node_modules/web-tree-sitter/web-tree-sitter.cjs: fs.readFile",
      "node_modules/web-tree-sitter/web-tree-sitter.cjs: fs.readFileSync",
    ]);
  });
});

describe("the search for what is written in a bundle", () => {
  const found = (text: string) => fileCalls(text).filter(({ writes }) => writes);

  it("finds each kind of it", () => {
    const functions = [
      "appendFile",
      "chmod",
      "chown",
      "copyFile",
      "cp",
      "lchown",
      "link",
      "lutimes",
      "mkdir",
      "mkdtemp",
      "rename",
      "rm",
      "rmdir",
      "symlink",
      "truncate",
      "unlink",
      "utimes",
      "writeFile",
    ];
    const texts = [
      ...functions.flatMap((name) => [
        `import { ${name} as it } from "node:fs/promises"; await it("x");`,
        `import { ${name}Sync } from "fs"; ${name}Sync("x");`,
        `import * as fs2 from "node:fs"; fs2.${name}("x", done);`,
        `var fs = __require("fs"); fs.promises.${name}("x");`,
        `const { ${name} } = require("node:fs"); pass(${name});`,
        `var fs = __toESM(__require("fs"), 1); fs.default.${name}Sync("x");`,
        `(await import("fs/promises")).${name}("x");`,
      ]),
      'import { open } from "node:fs/promises"; open("x", "w");',
      'import { open } from "node:fs/promises"; open("x", flags);',
      'import { open } from "node:fs/promises"; open("x", constants.O_RDONLY | constants.O_CREAT);',
      'import { openSync } from "node:fs"; openSync("x", "r+");',
      'import { open } from "node:fs"; const other = open;',
      'import { createWriteStream } from "node:fs"; createWriteStream("x");',
      'import fs from "node:fs"; pass(fs);',
      'import fs from "node:fs"; fs[name]("x");',
      'import fs from "node:fs"; const { ...all } = fs;',
      'import { promises } from "node:fs"; promises.writeFile("x", "");',
      'let fs; fs = require("fs"); fs.writeFileSync("x", "");',
      'export * from "node:fs";',
      "require(name);",
      "await import(name);",
      'process.getBuiltinModule("fs").writeFileSync("x", "");',
      'process.binding("fs");',
      'import { createRequire } from "node:module"; createRequire(here)("fs");',
      'import { DatabaseSync } from "node:sqlite";',
      "process.report.writeReport('x');",
      'import v8 from "node:v8"; v8.writeHeapSnapshot("x");',
      "await handle.writeFile(bytes);",
      "await handle.chmod(0o777);",
      "await vscode.workspace.fs.writeFile(uri, bytes);",
      "await vscode2.workspace.fs.delete(uri);",
      "await vscode.workspace.fs.rename(from, to);",
      "await vscode.workspace.fs.copy(from, to);",
      "await vscode.workspace.fs.createDirectory(uri);",
      "const files = vscode.workspace.fs;",
    ];
    for (const text of texts) assert.notDeepEqual(found(text), [], text);
  });

  it("passes over what reads", () => {
    for (const text of [
      'import { readFile, stat } from "node:fs/promises"; await readFile("x"); await stat("x");',
      'import { open, constants } from "node:fs/promises"; open("x", constants.O_RDONLY | O_NONBLOCK);',
      'import { openSync } from "node:fs"; openSync("x"); openSync("x", "r");',
      'var fs = __require("fs"); fs.existsSync("x"); fs.promises.readFile("x");',
      'createRequire(here).resolve("a/b");',
      "await vscode.workspace.fs.readFile(uri);",
      'const text = "fs.writeFile"; // require("fs").writeFile',
      "await store.replaceFile(path, text);",
    ]) {
      assert.deepEqual(found(text), [], text);
    }
  });

  it("finds what would wait for a pipe", () => {
    const waiting = (text: string) => fileCalls(text).some(({ reads }) => reads);
    for (const text of [
      'import { readFile } from "node:fs/promises"; await readFile(path);',
      'import { readFileSync as it } from "node:fs"; it(path, "utf8");',
      'import { readFile } from "node:fs"; promisify(readFile);',
      'import { open } from "node:fs/promises"; await open(path);',
      'import { openSync } from "node:fs"; openSync(path, constants.O_RDONLY | O_NOFOLLOW);',
      'import fs from "node:fs"; fs.createReadStream(path);',
      "await vscode.workspace.fs.readFile(uri);",
    ]) {
      assert.ok(waiting(text), text);
    }
    for (const text of [
      'import { readFileSync } from "node:fs"; readFileSync("/proc/loadavg", "utf8");',
      'import { readFileSync } from "node:fs"; readFileSync(`/proc/${pid}/stat`, "utf8");',
      'import { open } from "node:fs"; open(path, O_RDONLY | O_NONBLOCK2, done);',
      'import { openSync } from "node:fs"; openSync(path, O_RDONLY | O_DIRECTORY);',
      'import { openSync } from "node:fs"; openSync(path, "wx", 0o600);',
      'import { stat } from "node:fs/promises"; await stat(path);',
    ]) {
      assert.ok(!waiting(text), text);
    }
  });

  it("says in which module it is", () => {
    const text = [
      'import { mkdir } from "node:fs/promises";',
      "// src/a.ts",
      "function a() {\n  // node_modules/in/a/comment.js\n  return 1;\n}",
      "// node_modules/p/index.js",
      'var require_p = __commonJS({\n  "node_modules/p/index.js"() {\n    mkdir("x");\n  }\n});',
    ].join("\n");
    assert.deepEqual(fileCalls(text), [
      { module: "node_modules/p/index.js", what: "fs.mkdir", writes: true, reads: false },
    ]);
  });
});

async function callsOf(options: BuildOptions): Promise<FileCall[]> {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    minify: false,
    sourcemap: false,
    write: false,
  });
  return outputFiles.flatMap(({ text }) => fileCalls(text));
}
