import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitWorktrees } from "../../src/node/git/gitWorktrees.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { MemoryWorktrees } from "../fakes/memoryWorktrees.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { worktreesContract, type WorktreesWorld } from "./worktreesContract.js";

describe("worktrees by git", () => {
  const folder = temporaryFolder();
  let world: WorktreesWorld;

  beforeEach(async () => {
    const root = join(folder.path, "work");
    await mkdir(root);
    const write = async (top: string, path: string, text?: string): Promise<void> => {
      await mkdir(dirname(join(top, path)), { recursive: true });
      if (text === undefined) await rm(join(top, path));
      else await writeFile(join(top, path), text);
    };
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
    git("init", "--quiet");
    await write(root, "a.txt", "one");
    git("add", ".");
    const ada = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test"];
    git(...ada, "commit", "--quiet", "-m", "First");
    world = {
      worktrees: new GitWorktrees(root, join(folder.path, "data")),
      write: (path, text) => write(root, path, text),
      writeIn: write,
      readIn: (top, path) => readFile(join(top, path), "utf8").catch(() => undefined),
    };
  });

  worktreesContract(() => world);
});

describe("worktrees in memory", () => {
  let world: WorktreesWorld;

  beforeEach(() => {
    const files = new MemoryFileSystem({ "a.txt": "one" });
    const worktrees = new MemoryWorktrees(files);
    const write = async (to: MemoryFileSystem, path: string, text?: string): Promise<void> => {
      if (text === undefined) await to.removeFile(path);
      else to.put(path, text);
    };
    world = {
      worktrees,
      write: (path, text) => write(files, path, text),
      writeIn: (root, path, text) => write(worktrees.at(root), path, text),
      readIn: (root, path) => Promise.resolve(worktrees.at(root).text(path)),
    };
  });

  worktreesContract(() => world);
});
