import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../core/errors.js";
import type {
  Commits,
  FileStep,
  LeftOut,
  MadeCommit,
  NewCommit,
} from "../../core/ports/commits.js";
import { DiskFileSystem } from "../files/diskFileSystem.js";
import { GitProcess, printed, refused, zeroSeparated } from "./gitProcess.js";
import { checkNothingUnderWay } from "./repositoryState.js";
import { withTemporaryFolder } from "./temporaryFolder.js";

/** The newest commits whose trailers are read. */
const mostCommits = 20_000;
/** The most attempts to get a busy index, and the pause between them in milliseconds. */
const indexTries = 50;
const indexPauseMs = 100;

/** An entry of a tree or an index. `oid` is the blob's name. */
interface TreeFile {
  readonly mode: string;
  readonly oid: string;
}

/** Makes commits with git's plumbing commands, which run no hooks, editors or signing programs. */
export class GitCommits implements Commits {
  readonly #git: GitProcess;

  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {
    this.#git = new GitProcess(root);
  }

  async begin(branch: string, own: readonly string[]): Promise<boolean> {
    const inside = await this.#git.try(["rev-parse", "--is-inside-work-tree"]);
    if (printed(inside) !== "true") {
      throw new UserError(
        "noRepository",
        "There is no git repository here, so no commits can be made. Run git init and make a first commit, or take git: commit out of the job file.",
      );
    }
    await checkNothingUnderWay(this.#git, this.root);
    const head = await this.#git.try(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    if (head.code !== 0) {
      throw new UserError(
        "noFirstCommit",
        "This repository has no commit yet. Make a first one, then try again.",
      );
    }
    if ((await this.current()) === branch) return false;
    const there = await this.#git.try([
      "rev-parse",
      "--verify",
      "--quiet",
      `refs/heads/${branch}^{commit}`,
    ]);
    if (there.code === 0 && printed(there) !== printed(head)) {
      throw new UserError(
        "branchElsewhere",
        "The branch {branch} is there already, and is not at the present commit. Switch to it (git switch {branch}), or delete it, then try again.",
        { branch },
      );
    }
    const flags = [
      "--porcelain",
      "--untracked-files=no",
      "--ignore-submodules=all",
      "--no-renames",
    ];
    const except = own.map((folder) => `:(exclude)${folder}`);
    const changed = printed(await this.#git.run(["status", ...flags, "--", ":/", ...except]));
    if (changed !== "") {
      const [first = ""] = changed.split("\n");
      throw new UserError(
        "uncommittedChanges",
        "There are changes that are not committed ({first}). Commit or stash them first, so that each commit of the job holds only what the job has changed.",
        { first: first.trim() },
      );
    }
    const note = ["-m", "rooroo: the job's branch"];
    const old = there.code === 0 ? printed(there) : "0".repeat(printed(head).length);
    await this.#git.run(["update-ref", ...note, `refs/heads/${branch}`, printed(head), old]);
    await this.#git.run(["symbolic-ref", ...note, "HEAD", `refs/heads/${branch}`]);
    return there.code !== 0;
  }

  async trailers(keys: readonly string[]): Promise<readonly ReadonlySet<string>[]> {
    const values = keys.map((key) => `%(trailers:key=${key},valueonly)`);
    const format = `--format=${values.join("%x00")}%x00`;
    const result = await this.#git.run(["log", `--max-count=${mostCommits}`, format, "HEAD"]);
    const parts = result.stdout.toString("utf8").split("\0");
    return keys.map((_key, at) => {
      const own = parts.filter((_part, index) => index % keys.length === at);
      const lines = own.flatMap((part) => part.split("\n")).map((line) => line.trim());
      return new Set(lines.filter((line) => line !== ""));
    });
  }

  async commit(branch: string, { message, files }: NewCommit): Promise<MadeCommit> {
    if ((await this.current()) !== branch) {
      throw new UserError(
        "branchSwitched",
        "The branch {branch} is not the current one any more, so nothing is committed. Switch back to it (git switch {branch}).",
        { branch },
      );
    }
    const head = printed(await this.#git.run(["rev-parse", "HEAD^{commit}"]));
    return withTemporaryFolder("rooroo-commit-", async (folder) => {
      const paths = await this.notIgnored([...files.keys()]);
      const filtered = await this.filtered(paths);
      const leftOut: { path: string; why: LeftOut }[] = [];
      const changes = new Map<string, { from: TreeFile | undefined; to: TreeFile | undefined }>();
      const tree = await this.treeFiles(head, paths);
      for (const path of paths) {
        const from = tree.get(path);
        if (filtered.has(path)) {
          leftOut.push({ path, why: "filtered" });
          continue;
        }
        const to = await this.fold(path, from, files.get(path) ?? [], folder);
        if (to === "mixed") leftOut.push({ path, why: to });
        else if (to?.oid !== from?.oid || to?.mode !== from?.mode) changes.set(path, { from, to });
      }
      const isMixed = leftOut.some(({ why }) => why === "mixed");
      if (isMixed || changes.size === 0) return { id: undefined, leftOut };
      const own = { GIT_INDEX_FILE: join(folder, "index") };
      await this.#git.run(["read-tree", head], { env: own });
      const prefix = await this.prefix();
      const lines = [...changes].map(([path, { to }]) => indexLine(prefix + path, to, head));
      await this.#git.run(["update-index", "-z", "--index-info"], {
        env: own,
        input: lines.join(""),
      });
      const newTree = printed(await this.#git.run(["write-tree"], { env: own }));
      const committed = printed(
        await this.#git.run(["commit-tree", newTree, "-p", head, "-F", "-"], {
          env: await this.identity(),
          input: message,
        }),
      );
      // The index goes first: if the process is killed in between, the changes are staged, which loses nothing.
      await this.stage(changes, prefix, head);
      await this.#git.run([
        "update-ref",
        "-m",
        "rooroo: a task",
        `refs/heads/${branch}`,
        committed,
        head,
      ]);
      return { id: committed, leftOut };
    });
  }

  /** Returns the name of the current branch; `undefined` if none is. */
  private async current(): Promise<string | undefined> {
    const head = await this.#git.try(["symbolic-ref", "--quiet", "--short", "HEAD"]);
    return head.code === 0 ? printed(head) : undefined;
  }

  /** Returns what a file of the tree becomes by the steps; `mixed` if others have changed the same lines. */
  private async fold(
    path: string,
    from: TreeFile | undefined,
    steps: readonly FileStep[],
    folder: string,
  ): Promise<TreeFile | undefined | "mixed"> {
    // Links and submodules are not written by any tool.
    if (from !== undefined && !from.mode.startsWith("100")) return "mixed";
    let { oid, mode = "100644" }: Partial<TreeFile> = from ?? {};
    for (const { before, after, executable } of steps) {
      const [base, left] = [await this.blob(path, before), await this.blob(path, after)];
      if (oid === base) oid = left;
      else if (oid !== left) {
        oid = await this.merged(oid, base, left, folder);
        if (oid === undefined) return "mixed";
      }
      if (executable !== undefined) mode = executable ? "100755" : "100644";
    }
    return oid === undefined ? undefined : { oid, mode };
  }

  /** Stores a content as git would from the file at this path, line ends included, and returns its name. */
  private async blob(path: string, content: Uint8Array | undefined): Promise<string | undefined> {
    if (content === undefined) return undefined;
    const stored = await this.#git.run(["hash-object", "-w", "--stdin", `--path=${path}`], {
      input: content,
    });
    return printed(stored);
  }

  /** Returns the blob of a three-way merge; `undefined` if both have changed the same lines, or it is no text. */
  private async merged(
    now: string | undefined,
    base: string | undefined,
    left: string | undefined,
    folder: string,
  ): Promise<string | undefined> {
    if (now === undefined || base === undefined || left === undefined) return undefined;
    const files = new DiskFileSystem(folder);
    const names = ["now", "base", "left"];
    for (const [index, oid] of [now, base, left].entries()) {
      const { stdout } = await this.#git.run(["cat-file", "blob", oid]);
      await files.replaceFile(names[index] ?? "", stdout);
    }
    const paths = names.map((name) => join(folder, name));
    const merged = await this.#git.try(["merge-file", "-p", "--quiet", ...paths]);
    if (merged.code !== 0) return undefined;
    return printed(
      await this.#git.run(["hash-object", "-w", "--stdin", "--no-filters"], {
        input: merged.stdout,
      }),
    );
  }

  /** Puts the changes into the index, but for files that somebody has staged otherwise. */
  private async stage(
    changes: ReadonlyMap<string, { from: TreeFile | undefined; to: TreeFile | undefined }>,
    prefix: string,
    head: string,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      const listed = await this.#git.run([
        "ls-files",
        "-z",
        "--stage",
        "--",
        ...[...changes.keys()].map(literal),
      ]);
      const staged = new Map<string, string>();
      for (const entry of zeroSeparated(listed)) {
        const [, oid = "", path = ""] = /^\d+ ([0-9a-f]+) \d\t([^]*)$/.exec(entry) ?? [];
        // A file with a merge conflict has several entries.
        staged.set(path, staged.has(path) ? "conflict" : oid);
      }
      const lines = [...changes].flatMap(([path, { from, to }]) =>
        staged.get(path) === from?.oid ? [indexLine(prefix + path, to, head)] : [],
      );
      const put = await this.#git.try(["update-index", "-z", "--index-info"], {
        input: lines.join(""),
      });
      if (put.code === 0) return;
      const isBusy = /index\.lock|File exists/.test(put.stderr);
      if (!isBusy || tries === indexTries) throw refused(put);
      await sleep(indexPauseMs);
    }
  }

  /** Returns where the workspace is in the repository: empty, or as in `packages/app/`. */
  private async prefix(): Promise<string> {
    return (await this.#git.run(["rev-parse", "--show-prefix"])).stdout
      .toString("utf8")
      .replace(/\n$/, "");
  }

  private async treeFiles(head: string, paths: readonly string[]): Promise<Map<string, TreeFile>> {
    const found = new Map<string, TreeFile>();
    if (paths.length === 0) return found;
    const listed = await this.#git.run(["ls-tree", "-z", head, "--", ...paths]);
    for (const entry of zeroSeparated(listed)) {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t([^]*)$/.exec(entry) ?? [];
      if (mode !== undefined && oid !== undefined && path !== undefined)
        found.set(path, { mode, oid });
    }
    return found;
  }

  /** Leaves out the files that git ignores and does not have. */
  private async notIgnored(paths: readonly string[]): Promise<string[]> {
    const input = paths.map((path) => `${path}\0`).join("");
    const result = await this.#git.try(["check-ignore", "-z", "--stdin"], { input });
    if (result.code > 1) throw refused(result);
    const ignored = new Set(zeroSeparated(result));
    return paths.filter((path) => !ignored.has(path));
  }

  /** Returns the files that git would read and write only through a program. */
  private async filtered(paths: readonly string[]): Promise<Set<string>> {
    const input = paths.map((path) => `${path}\0`).join("");
    const result = zeroSeparated(
      await this.#git.run(["check-attr", "-z", "--stdin", "filter"], { input }),
    );
    const found = new Set<string>();
    for (let at = 0; at + 2 < result.length; at += 3) {
      const [path = "", , value = ""] = result.slice(at, at + 3);
      if (value !== "unspecified" && value !== "unset") found.add(path);
    }
    return found;
  }

  /** Returns who commits: the user as git knows them, or else Rooroo. */
  private async identity(): Promise<NodeJS.ProcessEnv> {
    const known = await this.#git.try(["var", "GIT_COMMITTER_IDENT"]);
    if (known.code === 0) return {};
    const [name, email] = ["Rooroo", "rooroo@localhost"];
    return {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
  }
}

/**
 * Returns a line for `update-index -z --index-info`.
 *
 * @param path from the repository's root
 * @param file `undefined`: the file is removed
 * @param head any object's name: names of other repositories have another length
 */
function indexLine(path: string, file: TreeFile | undefined, head: string): string {
  return `${file?.mode ?? "0"} ${file?.oid ?? "0".repeat(head.length)}\t${path}\0`;
}

const literal = (path: string): string => `:(literal)${path}`;
