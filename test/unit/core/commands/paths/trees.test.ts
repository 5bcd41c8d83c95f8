import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namePattern } from "../../../../../src/core/commands/paths/expandPattern.js";
import { readProblem } from "../../../../../src/core/commands/readProblem.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { DiskFileSystem } from "../../../../../src/node/files/diskFileSystem.js";
import { CommandStage } from "../commandStage.js";

describe("commands that read whole folders", () => {
  it("ask where links in them lead out, or to secrets, if the program follows links", async () => {
    const root = await mkdtemp(join(tmpdir(), "trees-"));
    try {
      const files = new DiskFileSystem(root);
      const look = (follows: boolean) => {
        const read = { path: "a", how: "tree", follows } as const;
        return readProblem(read, "", { files, isHidden: () => false });
      };
      await mkdir(join(root, "a/node_modules/deep"), { recursive: true });
      await writeFile(join(root, ".env"), "KEY=1\n");
      assert.equal(await look(true), undefined);
      const link = join(root, "a/node_modules/deep/x");
      await symlink("../../../.env", link);
      assert.match(spoken((await look(true)) ?? ""), /secrets/);
      assert.equal(await look(false), undefined);
      await rm(link);
      await symlink("/etc/hosts", link);
      const why = "a/node_modules/deep/x is outside the workspace.";
      assert.equal(spoken((await look(true)) ?? ""), why);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it("ask where a file of what to ignore brings names with a dot back into a search", async () => {
    const stage = new CommandStage(false);
    const decided = async () => (await stage.decide("rg KEY")).type;
    assert.equal(await decided(), "allow");
    for (const file of [".gitignore", ".ignore", ".rgignore"]) {
      stage.files.put(file, "dist\n!.env.example\n");
      assert.equal(await decided(), "allow", file);
      stage.files.put(file, "dist\r\n!.e*\r\n");
      assert.equal(await decided(), "ask", file);
      stage.files.put(file, "dist\n");
    }
    stage.files.put("src/.hidden/id_rsa", "KEY");
    assert.equal(await decided(), "allow");
    stage.files.put("src/.ignore", "!.hidden/\n");
    assert.equal(await decided(), "ask");
  });

  it("ask where git would show committed files of which some are hidden", async () => {
    const stage = new CommandStage(false);
    const shows = [
      "git diff",
      "git show HEAD",
      "git show --stat -p HEAD",
      "git log -p",
      "git log -U3 -1",
      "git log -L1,5:src/a.ts",
      "git grep foo",
      "git stash show",
      "git cat-file -p HEAD",
      "git reflog -p",
      "git diff-tree -p HEAD",
      "git -C src diff HEAD~1",
      "git log --cc",
    ];
    const others = [
      "git log --oneline",
      "git diff --stat",
      "git show --name-only",
      "git status -u",
      "git blame src/a.ts",
      "git branch -v",
      "git log -S foo",
      "git cat-file -t HEAD",
    ];
    for (const line of [...shows, ...others]) {
      assert.equal((await stage.decide(line)).type, "allow", line);
    }
    stage.files.put(".rooignore", "private\n");
    for (const line of shows) assert.equal((await stage.decide(line)).type, "ask", line);
    for (const line of others) assert.equal((await stage.decide(line)).type, "allow", line);
  });

  it("ask what a pattern stands for where a name is no text", async () => {
    const stage = new CommandStage(false);
    assert.equal((await stage.decide("cat docs/*.md")).type, "allow");
    stage.files.put("docs/\uFFFD.md", "");
    assert.equal((await stage.decide("cat docs/*.md")).type, "ask");
  });
});

describe("a pattern of names", () => {
  it("fits as in a shell", () => {
    const fits = (pattern: string, name: string) => namePattern(pattern)(name);
    for (const [pattern, name] of [
      ["*.ts", "a.ts"],
      ["a*b*c", "abbbxbc"],
      ["a?c", "a😀c"],
      ["**", "a"],
      [".*", ".env"],
      ["a*", "a"],
      ["*b", "abab"],
      ["(+).$", "(+).$"],
    ] as const) {
      assert.ok(fits(pattern, name), `${pattern} ${name}`);
    }
    for (const [pattern, name] of [
      ["*.ts", "a.tsx"],
      ["a?c", "ac"],
      ["*", ".env"],
      ["?env", ".env"],
      ["a*b*c", "acb"],
      ["", "a"],
      ["a.c", "abc"],
    ] as const) {
      assert.ok(!fits(pattern, name), `${pattern} ${name}`);
    }
    assert.ok(namePattern("*env", true)(".env"));
  });

  it("is answered at once, however many wildcards it has", () => {
    // Backtracking would take longer than anyone waits for a test.
    assert.equal(namePattern(`${"*a".repeat(60)}*b`)("a".repeat(250)), false);
  });
});
