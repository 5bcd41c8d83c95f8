import assert from "node:assert/strict";
import { UserError } from "../../src/core/errors.js";
import type { Search } from "../../src/core/ports/search.js";

/** The workspace that the suite searches; `make` is to give a {@link Search} over exactly this. */
export const searchedFiles: Readonly<Record<string, string | Uint8Array>> = {
  ".gitignore": "ignored/\n*.log\n!kept.log\n/only-root.txt\n",
  ".git/config": "needle",
  ".github/ci.yml": "needle: ci\n",
  ".rooroo/tasks/1/context.md": "needle in a task\n",
  "a/b.ts": "one\nneedle two\r\nthree needle",
  "a-b.ts": "needle\n",
  "a.ts": "\tneedle\n",
  "a/only-root.txt": "needle\n",
  "a/x.log": "needle\n",
  "binary.bin": Uint8Array.from([...Buffer.from("needle\n"), 0, 1]),
  "late.bin": Buffer.concat([Buffer.from("needle\n".repeat(10_000)), Buffer.from([0])]),
  "crlf.txt": "needle\r\nend$\r\n",
  "empty.txt": "",
  "ignored/x.ts": "needle\n",
  "kept.log": "needle\n",
  "latin1.txt": Uint8Array.from([...Buffer.from("needle "), 0xe9, 10]),
  "only-root.txt": "needle\n",
  "utf16.txt": Buffer.from("\uFEFFneedle\n", "utf16le"),
  "ümlaut.txt": "nädel needle\n",
};

/** Defines the tests of what every {@link Search} promises. */
export function searchContract(make: () => Search | Promise<Search>): void {
  const { signal } = new AbortController();
  let search: Search;
  beforeEach(async () => {
    search = await make();
  });
  const find = async (
    regex: string,
    more: { path?: string; filePattern?: string; limit?: number } = {},
  ) => {
    const query = { regex, path: "", limit: 1000, ...more };
    const { matches } = await search.matches(query, signal);
    return matches.map(({ path, line, text }) => `${path}:${line}:${text}`);
  };
  const list = async (path: string, recursive: boolean, limit = 1000) =>
    (await search.files({ path, recursive, limit }, signal)).paths;

  it("finds lines in order of the paths, without ignored, binary and git's files", async () => {
    assert.deepEqual(await find("needle"), [
      ".github/ci.yml:1:needle: ci",
      "a/b.ts:2:needle two",
      "a/b.ts:3:three needle",
      "a/only-root.txt:1:needle",
      "a-b.ts:1:needle",
      "a.ts:1:\tneedle",
      "crlf.txt:1:needle",
      "kept.log:1:needle",
      "latin1.txt:1:needle \uFFFD",
      "ümlaut.txt:1:nädel needle",
    ]);
  });

  it("passes over what is hidden, and all below it", async () => {
    const hides = (path: string) => /^(a|ümlaut\.txt)(\/|$)/.test(path);
    const { matches } = await search.matches(
      { regex: "needle", path: "", limit: 4, hides },
      signal,
    );
    assert.deepEqual(
      matches.map(({ path }) => path),
      [".github/ci.yml", "a-b.ts", "a.ts", "crlf.txt"],
    );
    const { paths } = await search.files({ path: "", recursive: true, limit: 99, hides }, signal);
    assert.deepEqual(
      paths.filter((path) => /^a|^ü/.test(path)),
      ["a-b.ts", "a.ts"],
    );
  });

  it("matches within a line, whatever ends it", async () => {
    assert.deepEqual(await find("needle$", { path: "crlf.txt" }), ["crlf.txt:1:needle"]);
    assert.deepEqual(await find("^three\\s"), ["a/b.ts:3:three needle"]);
    assert.deepEqual(await find("end\\$"), ["crlf.txt:2:end$"]);
    assert.deepEqual(await find("one.needle"), []);
    assert.deepEqual(await find("^$", { path: "a" }), []);
  });

  it("takes case into account, and knows letters of all languages", async () => {
    assert.deepEqual(await find("NEEDLE"), []);
    assert.deepEqual(await find("n.del", { path: "ümlaut.txt" }), ["ümlaut.txt:1:nädel needle"]);
  });

  it("searches one folder, or one file whether ignored or not", async () => {
    assert.equal((await find("needle", { path: "a" })).length, 3);
    assert.deepEqual(await find("needle", { path: "only-root.txt" }), ["only-root.txt:1:needle"]);
    assert.deepEqual(await find("needle", { path: "late.bin" }), []);
    assert.deepEqual(await find("needle", { path: "none" }), []);
  });

  it("shows the product's own folder only to who asks for it", async () => {
    assert.deepEqual(await find("needle", { path: ".rooroo/tasks" }), [
      ".rooroo/tasks/1/context.md:1:needle in a task",
    ]);
    assert.equal((await find("needle", { path: ".rooroo" })).length, 1);
  });

  it("sifts by file pattern, which does not bring back what is ignored", async () => {
    const paths = async (filePattern: string) =>
      (await find("needle", { filePattern })).map((match) => match.split(":")[0]);
    assert.deepEqual(await paths("*.ts"), ["a/b.ts", "a/b.ts", "a-b.ts", "a.ts"]);
    assert.deepEqual(await paths("a/**/*.ts"), ["a/b.ts", "a/b.ts"]);
    assert.deepEqual(await paths("*.{yml,log}"), [".github/ci.yml", "kept.log"]);
    assert.deepEqual(await paths("{a,b}{/,-}b.{t,j}s"), ["a/b.ts", "a/b.ts", "a-b.ts"]);
    await assert.rejects(paths("{a,b}".repeat(40)), UserError);
  });

  it("stops at the limit and says so", async () => {
    const query = { regex: "needle", path: "", limit: 3 };
    const { matches, truncated } = await search.matches(query, signal);
    assert.deepEqual([matches.length, truncated], [3, true]);
    assert.equal(matches[2]?.path, "a/b.ts");
    const all = await search.matches({ ...query, limit: 10 }, signal);
    assert.deepEqual([all.matches.length, all.truncated], [10, false]);
  });

  it("explains an invalid expression", async () => {
    await assert.rejects(find("(unclosed"), { name: "UserError", code: "patternInvalid" });
  });

  it("knows look-around, which not every engine does", async () => {
    assert.deepEqual(await find("needle(?= two)"), ["a/b.ts:2:needle two"]);
  });

  it("lists a folder, or all below it, folders before their files", async () => {
    assert.deepEqual(await list("a", false), ["a/b.ts", "a/only-root.txt"]);
    assert.deepEqual((await list("", false)).slice(0, 5), [
      ".github/",
      ".gitignore",
      "a/",
      "a-b.ts",
      "a.ts",
    ]);
    assert.deepEqual((await list("", true)).slice(0, 6), [
      ".github/",
      ".github/ci.yml",
      ".gitignore",
      "a/",
      "a/b.ts",
      "a/only-root.txt",
    ]);
    assert.deepEqual(await list(".rooroo", true), [
      ".rooroo/tasks/",
      ".rooroo/tasks/1/",
      ".rooroo/tasks/1/context.md",
    ]);
    assert.equal((await list("", true)).includes("ignored/"), false);
    assert.deepEqual(await search.files({ path: "", recursive: true, limit: 2 }, signal), {
      paths: [".github/", ".github/ci.yml"],
      truncated: true,
    });
  });

  it("knows what git ignores, whether it is there or not", async () => {
    const paths = ["ignored/x.ts", "ignored/", "a/x.log", "new.log", "kept.log", "only-root.txt"];
    const others = ["a/only-root.txt", "a.ts", "a/", ".git/config"];
    assert.deepEqual(
      [...(await search.ignored([...paths, ...others]))],
      ["ignored/x.ts", "ignored/", "a/x.log", "new.log", "only-root.txt"],
    );
  });

  it("stops when it is told to", async () => {
    const reason = new Error("enough");
    const stopped = AbortSignal.abort(reason);
    await assert.rejects(search.matches({ regex: "x", path: "", limit: 1 }, stopped), reason);
    await assert.rejects(search.files({ path: "", recursive: true, limit: 1 }, stopped), reason);
  });
}
