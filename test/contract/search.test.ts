import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Search } from "../../src/core/ports/search.js";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { createSearch, findRipgrep } from "../../src/node/search/createSearch.js";
import { RipgrepSearch } from "../../src/node/search/ripgrepSearch.js";
import { WalkSearch } from "../../src/node/search/walkSearch.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { MemorySearch } from "../fakes/memorySearch.js";
import { searchContract, searchedFiles } from "./searchContract.js";
import { temporaryFolder } from "./temporaryFolder.js";

const ripgrep = findProgram(["rg"], "/nowhere");

describe("Search: memory", () => {
  searchContract(() => new MemorySearch(new MemoryFileSystem(searchedFiles)));
});

describe("Search: walk", () => {
  onDisk((root) => new WalkSearch(root));

  const folder = temporaryFolder();
  it("takes no link for a file of what to ignore, as one to a device without end", async () => {
    await writeFile(join(folder.path, "a.txt"), "needle\n");
    await symlink("/dev/zero", join(folder.path, ".gitignore"));
    const query = { regex: "needle", path: "", limit: 1 };
    const search = new WalkSearch(folder.path);
    const { matches } = await search.matches(query, new AbortController().signal);
    assert.equal(matches.length, 1);
  });

  if (process.platform !== "win32") {
    it("waits for no pipe that has taken a file's place, and follows no link there", async () => {
      for (const name of ["a", "b", "c"]) await writeFile(join(folder.path, name), "needle\n");
      /** Called with each file after it was found and before it is read. */
      const hides = (path: string) => {
        if (path !== "a" && path !== "b") return false;
        rmSync(join(folder.path, path));
        if (path === "a") execFileSync("mkfifo", [join(folder.path, "a")]);
        else symlinkSync("c", join(folder.path, "b"));
        return false;
      };
      const query = { regex: "needle", path: "", limit: 5, hides };
      const search = new WalkSearch(folder.path);
      const { matches } = await search.matches(query, new AbortController().signal);
      assert.deepEqual(matches, [{ path: "c", line: 1, text: "needle" }]);
    });
  }

  it("searches a file although the rules of what to ignore would take for ever to match it", async () => {
    const name = `${"a".repeat(200)}.txt`;
    await writeFile(join(folder.path, name), "needle\n");
    await writeFile(join(folder.path, ".gitignore"), `${"*a".repeat(20)}b\n`);
    const query = { regex: "needle", path: "", limit: 1 };
    const search = new WalkSearch(folder.path);
    const { matches } = await search.matches(query, new AbortController().signal);
    assert.deepEqual(matches, [{ path: name, line: 1, text: "needle" }]);
  });

  it("gives up on an expression that takes for ever", async () => {
    await writeFile(join(folder.path, "a.txt"), `${"a".repeat(40)}!\n`);
    const search = new WalkSearch(folder.path);
    const query = { regex: "(a+)+$", path: "", limit: 1 };
    await assert.rejects(search.matches(query, new AbortController().signal), {
      name: "UserError",
      code: "patternTooSlow",
    });
  });
});

if (process.platform !== "win32") {
  describe("Search: a ripgrep that fails", () => {
    const folder = temporaryFolder();
    const find = async (...more: readonly object[]) => {
      const path = join(folder.path, "rg");
      const data = { path: { text: "./found.txt" }, lines: { text: "needle\n" }, line_number: 3 };
      const lines = [{ type: "match", data }, { type: "end", data: {} }, ...more];
      const printed = lines.map((line) => `printf '%s\\n' '${JSON.stringify(line)}'`);
      await writeFile(path, ["#!/bin/sh", ...printed, "exit 2", ""].join("\n"));
      await chmod(path, 0o755);
      await writeFile(join(folder.path, "walked.txt"), "needle\n");
      const query = { regex: "needle", path: "", limit: 5, filePattern: "*.txt" };
      const search = new RipgrepSearch(folder.path, path);
      const { matches } = await search.matches(query, new AbortController().signal);
      return matches.map((match) => match.path);
    };

    it("has found all that it could, where it failed for some files only", async () => {
      assert.deepEqual(await find({ type: "summary", data: {} }), ["found.txt"]);
    });

    it("has not searched, where it did not come to an end", async () => {
      assert.deepEqual(await find(), ["walked.txt"]);
    });

    it("has not searched, where it waits for ever, as for a pipe", async () => {
      const path = join(folder.path, "rg");
      await writeFile(path, "#!/bin/sh\nexec sleep 1000\n");
      await chmod(path, 0o755);
      await writeFile(join(folder.path, "walked.txt"), "needle\n");
      execFileSync("mkfifo", [join(folder.path, ".gitignore")]);
      const query = { regex: "needle", path: "", limit: 5 };
      const { matches } = await new RipgrepSearch(folder.path, path, 50).matches(
        query,
        new AbortController().signal,
      );
      assert.deepEqual(
        matches.map((match) => match.path),
        ["walked.txt"],
      );
    });
  });
}

if (ripgrep !== undefined) {
  describe("Search: ripgrep", () => {
    onDisk((root) => new RipgrepSearch(root, ripgrep));

    const folder = temporaryFolder();
    it("is not led by the user's configuration of ripgrep", async () => {
      await writeFile(join(folder.path, "config"), "--invert-match\n");
      await writeFile(join(folder.path, "a.txt"), "needle\nstraw\n");
      process.env["RIPGREP_CONFIG_PATH"] = join(folder.path, "config");
      try {
        const query = { regex: "needle", path: "a.txt", limit: 5 };
        const { signal } = new AbortController();
        const { matches } = await new RipgrepSearch(folder.path, ripgrep).matches(query, signal);
        assert.deepEqual(matches, [{ path: "a.txt", line: 1, text: "needle" }]);
      } finally {
        delete process.env["RIPGREP_CONFIG_PATH"];
      }
    });

    it("asks ripgrep, and walks where that cannot be run", async () => {
      await writeFile(join(folder.path, "a.txt"), "Needle\n");
      const query = { regex: "(?i:n)e+dle", path: "", limit: 5 };
      const { signal } = new AbortController();
      // JavaScript of this age does not know this group, so only ripgrep can have found it.
      const found = await new RipgrepSearch(folder.path, ripgrep).matches(query, signal);
      assert.equal(found.matches.length, 1);
      const walked = new RipgrepSearch(folder.path, "/nowhere/rg");
      assert.equal((await walked.matches({ ...query, regex: "Needle" }, signal)).matches.length, 1);
    });
  });
}

describe("createSearch", () => {
  const folder = temporaryFolder();
  it("never runs a program of the workspace's own", async () => {
    const trap = join(folder.path, "rg");
    await writeFile(trap, "#!/bin/sh\n");
    await chmod(trap, 0o755);
    const path = process.env["PATH"];
    process.env["PATH"] = folder.path;
    try {
      assert.ok(createSearch(folder.path) instanceof WalkSearch);
      assert.ok(createSearch("/elsewhere") instanceof RipgrepSearch);
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("finds the editor's own ripgrep where none is on PATH, in the places of old and new versions", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    const system = `${process.platform}-${process.arch}`;
    try {
      for (const place of [
        `node_modules/@vscode/ripgrep-universal/bin/${system}`,
        "node_modules/@vscode/ripgrep/bin",
        "node_modules.asar.unpacked/@vscode/ripgrep/bin",
      ]) {
        const editor = join(folder.path, place.replaceAll("/", "-"));
        assert.equal(findRipgrep("/elsewhere", editor), undefined);
        const program = join(editor, place, process.platform === "win32" ? "rg.exe" : "rg");
        await mkdir(dirname(program), { recursive: true });
        await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
        assert.equal(findRipgrep("/elsewhere", editor), program);
        assert.equal(findRipgrep(folder.path, editor), undefined);
      }
    } finally {
      process.env["PATH"] = path;
    }
  });
});

/** Defines the tests of the contract, and of what only a disk has: nested rules, links, size, what lies above. */
function onDisk(make: (root: string) => Search): void {
  const folder = temporaryFolder();
  const put = async (root: string, files: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
  };
  const paths = async (root: string, path = "") => {
    const query = { regex: "needle", path, limit: 100 };
    const { matches } = await make(root).matches(query, new AbortController().signal);
    return matches.map((match) => match.path);
  };

  describe("as all do", () => {
    searchContract(async () => {
      await put(folder.path, searchedFiles);
      return make(folder.path);
    });
  });

  it("obeys the .gitignore of every folder, the nearest first", async () => {
    await put(folder.path, {
      ".gitignore": "*.tmp\ndist/\n",
      "a.tmp": "needle",
      "sub/.gitignore": "!b.tmp\nsecret\n",
      "sub/b.tmp": "needle",
      "sub/c.tmp": "needle",
      "sub/secret/x": "needle",
      "secret/x": "needle",
      "sub/dist/x": "needle",
    });
    assert.deepEqual(await paths(folder.path), ["secret/x", "sub/b.tmp"]);
    assert.deepEqual(await paths(folder.path, "sub"), ["sub/b.tmp"]);
  });

  it("obeys rules above the workspace up to the repository's root, and none beyond it", async () => {
    await put(folder.path, {
      ".gitignore": "*.md\n",
      "repo/.git/HEAD": "",
      "repo/.gitignore": "*.tmp\n",
      "repo/workspace/a.tmp": "needle",
      "repo/workspace/b.md": "needle",
    });
    assert.deepEqual(await paths(join(folder.path, "repo/workspace")), ["b.md"]);
  });

  it("lets a repository within the workspace have rules of its own", async () => {
    await put(folder.path, {
      ".gitignore": "*.tmp\n",
      "inner/.git/HEAD": "",
      "inner/a.tmp": "needle",
      "inner/b/c.tmp": "needle",
      "other/d.tmp": "needle",
    });
    assert.deepEqual(await paths(folder.path), ["inner/a.tmp", "inner/b/c.tmp"]);
  });

  it("searches an ignored folder for who names it", async () => {
    await put(folder.path, {
      ".gitignore": "node_modules\n*.ts\n",
      "node_modules/x/.gitignore": "build\n",
      "node_modules/x/a.ts": "needle",
      "node_modules/x/build/b": "needle",
    });
    assert.deepEqual(await paths(folder.path, "node_modules/x"), ["node_modules/x/a.ts"]);
  });

  it("keeps the order and the limit however many files there are", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `f${100 + index}`);
    await put(folder.path, Object.fromEntries(names.map((name) => [name, "no\nneedle\n"])));
    const search = make(folder.path);
    const find = (limit: number) =>
      search.matches({ regex: "needle", path: "", limit }, new AbortController().signal);
    const all = await find(150);
    assert.deepEqual(
      all.matches.map(({ path, line }) => `${path}:${line}`),
      names.map((name) => `${name}:2`),
    );
    assert.equal(all.truncated, false);
    const some = await find(149);
    assert.deepEqual([some.matches.length, some.truncated], [149, true]);
  });

  it("follows no link and skips what is too large", async () => {
    await put(folder.path, { "real/a": "needle", large: `needle\n${"x".repeat(5_300_000)}` });
    await symlink("real", join(folder.path, "link"));
    await symlink("real/a", join(folder.path, "link-to-file"));
    assert.deepEqual(await paths(folder.path), ["real/a"]);
  });

  it("searches the target of a link that is named itself", async () => {
    await put(folder.path, { "real/a": "needle" });
    await symlink("real/a", join(folder.path, "link"));
    const query = { regex: "needle", path: "link", limit: 5 };
    const { matches } = await make(folder.path).matches(query, new AbortController().signal);
    assert.deepEqual(matches, [{ path: "link", line: 1, text: "needle" }]);
  });

  it("cuts a long line", async () => {
    await put(folder.path, { "long.txt": `needle${"x".repeat(5000)}\n` });
    const query = { regex: "needle", path: "", limit: 1 };
    const { matches } = await make(folder.path).matches(query, new AbortController().signal);
    assert.equal(matches[0]?.text.length, 1001);
  });
}
