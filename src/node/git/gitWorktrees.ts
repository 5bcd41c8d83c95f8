import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../core/errors.js";
import {
  type FileNotCarried,
  type Landing,
  type LandingFile,
  type MadeWorktree,
  mostOfNewFile,
  type NotCarried,
  type WorktreeLimit,
  type WorktreePlan,
  type WorktreeUpdate,
  type Worktrees,
} from "../../core/ports/worktrees.js";
import { DirectoryHandle, inFolderOf } from "../files/directoryHandle.js";
import { removeAll } from "../files/directoryTree.js";
import { DiskFileSystem } from "../files/diskFileSystem.js";
import { errorCode } from "../files/fileError.js";
import { realLocation, wayInside } from "../files/realLocation.js";
import { readRegularFile } from "../files/regularFile.js";
import { takesTurns } from "../files/takesTurns.js";
import { copyBeside, openOrMake } from "./copyBeside.js";
import { GitProcess, type GitResult, printed, refused, zeroSeparated } from "./gitProcess.js";
import { checkNothingUnderWay } from "./repositoryState.js";
import { withTemporaryFolder } from "./temporaryFolder.js";
import { type Checkout, copyIndex, filteredFiles, isTooBig, treeOfFiles } from "./treeOfFiles.js";
import { worktreesOf } from "./worktreesFolder.js";

/** The first version of git that merges without a checkout. */
const leastGit: readonly [number, number] = [2, 38];
/** Bytes of a file that is read as a whole. */
const largest = 1024 ** 3;
const refs = "refs/rooroo/plans/";

type Settings = readonly (readonly [key: string, value: string])[];

/** The user's repository at one moment. */
interface Repository {
  readonly user: Checkout;
  /** The repository's folder that all of its worktrees share. */
  readonly common: string;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
}

/** Worktrees in the user's own folder, made and merged by git's plumbing commands. */
export class GitWorktrees implements Worktrees {
  readonly #git: GitProcess;
  /** The folder of this workspace's worktrees. */
  readonly #folder: string;

  /**
   * @param root the workspace folder's absolute path
   * @param data the absolute path of the folder for the worktrees of all workspaces, outside of them
   */
  constructor(
    private readonly root: string,
    data: string,
  ) {
    this.#git = new GitProcess(root);
    this.#folder = worktreesOf(root, data);
  }

  async check(): Promise<readonly WorktreeLimit[]> {
    await this.#checkVersion();
    const { user, env } = await this.#repository();
    await checkNothingUnderWay(this.#git, this.root);
    const options = { cwd: user.files, env };
    const unmerged = await this.#git.run(["ls-files", "-z", "--unmerged"], options);
    if (unmerged.stdout.length > 0) {
      throw new UserError(
        "filesUnmerged",
        "Some files of this repository have merge conflicts. Solve them first, then try again.",
      );
    }
    await this.#checkWhole(options);
    if (wayInside(user.files, await realLocation(this.#folder)) !== undefined) {
      throw new UserError(
        "worktreesInside",
        "Worktrees would lie in {folder}, which is inside this repository. Set ROOROO_HOME to a folder outside of it.",
        { folder: this.#folder },
      );
    }
    const listed = zeroSeparated(await this.#git.run(["ls-files", "-z", "--stage", "-t"], options));
    const paths = listed.map((entry) => entry.slice(entry.indexOf("\t") + 1));
    const filtered = await filteredFiles(this.#git, paths, options);
    return [
      ...(listed.some((entry) => /^. 160000 /.test(entry)) ? (["submodules"] as const) : []),
      ...(filtered.size > 0 ? (["filtered"] as const) : []),
      ...(listed.some((entry) => entry.startsWith("S ")) ? (["sparse"] as const) : []),
    ];
  }

  async base(name: string): Promise<string> {
    const repository = await this.#repository();
    const { env } = repository;
    return withTemporary(async (folder) => {
      const { tree } = await this.#treeOf(repository, repository.user, folder);
      const parents = await this.#head(env);
      const commit = await this.#commit(tree, parents, `rooroo: the files at the start of ${name}`);
      await this.#git.run(["update-ref", refOf(name), commit], { env });
      return commit;
    });
  }

  async make({ name, base }: WorktreePlan): Promise<MadeWorktree> {
    const repository = await this.#repository();
    const { user, common, settings, env } = repository;
    const place = this.#placeOf(name);
    await this.#removeFolder(name, repository);
    DirectoryHandle.openOrMakeNow(this.#folder).close();
    const whole: Settings = [...settings, ["core.sparseCheckout", "false"]];
    const add = ["worktree", "add", "--quiet", "--detach", place, base];
    const { GIT_DIR } = env;
    const [beside] = await Promise.all([
      this.#beside(repository),
      this.#git.run(add, { cwd: user.files, env: { GIT_DIR }, settings: whole }),
    ]);
    await copyIndex(join(await adminFolder(place, common), "index"), this.#indexOf(name));
    const root = join(place, user.prefix);
    openOrMake(await realLocation(place), user.prefix).close();
    const copied =
      (await copyBeside(beside.filtered, { from: user.files, to: place, replace: true })) +
      (await copyBeside([...beside.others, ...(await this.#submodules(repository))], {
        from: user.files,
        to: place,
      }));
    return { root, copied, bytes: await bytesBelow(place), leftOut: beside.leftOut };
  }

  async fill({ name, base }: WorktreePlan, commit: string): Promise<void> {
    const repository = await this.#repository();
    const { env, settings } = repository;
    const place = this.#placeOf(name);
    const changes = (await this.#differences(base, commit, repository)).filter(
      (change) => !isLink(change),
    );
    const files = await realLocation(place);
    await withTemporary(async (folder) => {
      const index = { ...env, GIT_WORK_TREE: place, GIT_INDEX_FILE: join(folder, "filled") };
      const options = { cwd: place, env: index, settings };
      // First, so that nothing is written where another file still is. No link is followed.
      const before = changes.filter((change) => change.before !== "000000");
      for (const { path } of before) {
        await inFolderOf(join(files, path), { make: false }, (parent, one) =>
          removeAll(parent, one),
        );
      }
      await this.#git.run(["read-tree", commit], options);
      const there = changes.filter(({ after }) => after !== "000000");
      const input = there.map(({ path }) => `${path}\0`).join("");
      await this.#git.run(["checkout-index", "-z", "--stdin", "--force"], { ...options, input });
    });
  }

  async landing(plan: WorktreePlan): Promise<Landing> {
    const repository = await this.#repository();
    return withTemporary(async (folder) => {
      const [theirs, own] = await Promise.all([
        this.#treeOf(repository, repository.user, folder),
        this.#treeOf(repository, this.#checkoutOf(plan.name, repository), folder),
      ]);
      const merged = await this.#merged(plan.base, theirs.tree, own.tree, repository);
      if (merged.type === "conflicts") return { type: "conflicts", paths: merged.paths };
      const changes = await this.#differences(theirs.tree, merged.tree, repository);
      const { files, leftOut } = await this.#contents(changes, merged.tree, repository, folder);
      const { prefix } = repository.user;
      const filtered = await this.#filteredChanges(own.leftOut, plan.name, repository);
      const place = this.#placeOf(plan.name);
      const inside: { path: string; why: NotCarried }[] = [];
      for (const path of await this.#submodules(repository)) {
        const tops = [place, repository.user.files].map((top) => join(top, path));
        if (!(await isSameBelow(...(tops as [string, string])))) inside.push({ path, why: "link" });
      }
      return {
        type: "clean",
        files,
        leftOut: [...leftOut, ...named([...filtered, ...inside], prefix)],
      };
    });
  }

  async conflicts(
    plan: WorktreePlan,
    others: readonly WorktreePlan[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const repository = await this.#repository();
    return withTemporary(async (folder) => {
      const treeOf = async (name: string) =>
        (await this.#treeOf(repository, this.#checkoutOf(name, repository), folder)).tree;
      const main = (await this.#treeOf(repository, repository.user, folder)).tree;
      const own = await treeOf(plan.name);
      const found = new Map<string, readonly string[]>();
      for (const other of others) {
        const landed = await this.#merged(other.base, main, await treeOf(other.name), repository);
        if (landed.type === "conflicts") continue;
        const merged = await this.#merged(plan.base, landed.tree, own, repository);
        if (merged.type === "conflicts") found.set(other.name, merged.paths);
      }
      return found;
    });
  }

  async planUpdate({ name, base: before }: WorktreePlan): Promise<WorktreeUpdate> {
    const repository = await this.#repository();
    const { env } = repository;
    return withTemporary(async (folder) => {
      const theirs = await this.#treeOf(repository, repository.user, folder);
      const own = await this.#treeOf(repository, this.#checkoutOf(name, repository), folder);
      const merged = await this.#merged(before, theirs.tree, own.tree, repository);
      const parents = [...(await this.#head(env)), before];
      const base = await this.#commit(theirs.tree, parents, `rooroo: the files now, for ${name}`);
      // One commit keeps all that the update needs.
      const kept = await this.#commit(merged.tree, [base], `rooroo: ${name} with the files now`);
      await this.#git.run(["update-ref", refOf(name), kept], { env });
      const conflicts = merged.type === "conflicts" ? merged.paths : [];
      return { base, from: own.tree, to: merged.tree, conflicts };
    });
  }

  async update(name: string, { from, to }: WorktreeUpdate): Promise<void> {
    const repository = await this.#repository();
    const { user, env, settings } = repository;
    const place = this.#placeOf(name);
    const changes = (await this.#differences(from, to, repository)).filter((one) => !isLink(one));
    const paths = changes.map(({ path }) => path);
    const options = { cwd: user.files, env, settings };
    const filtered = await filteredFiles(this.#git, paths, options);
    const files = new DiskFileSystem(place);
    await withTemporary(async (folder) => {
      const contents = await this.#checkedOut(changes, to, repository, folder);
      for (const { path, after } of changes) if (after === none) await files.removeFile(path);
      for (const { path, before, after } of changes) {
        if (after === none || filtered.has(path)) continue;
        await files.replaceFile(path, await contents(path));
        const { mode } = (await files.stat(path)) ?? {};
        if (mode !== undefined && before !== after) {
          await files.setMode(path, after === "100755" ? mode | 0o111 : mode & ~0o111);
        }
      }
    });
    await copyBeside([...filtered], { from: user.files, to: place, replace: true });
    // What has not changed stays known by its time, and is not read again.
    const index = { ...env, GIT_WORK_TREE: place, GIT_INDEX_FILE: this.#indexOf(name) };
    await this.#git.run(["read-tree", "-m", "-i", to], { cwd: place, env: index, settings });
  }

  async remove(name: string): Promise<void> {
    const repository = await this.#repository().catch(() => undefined);
    await this.#removeFolder(name, repository);
    if (repository === undefined) return;
    await this.#git.run(["update-ref", "-d", refOf(name)], { env: repository.env });
  }

  async left(): Promise<readonly string[]> {
    const names = new Set<string>();
    const entries = await readdir(this.#folder).catch(() => []);
    for (const entry of entries) names.add(entry.replace(/\.index$/, ""));
    const repository = await this.#repository().catch(() => undefined);
    if (repository !== undefined) {
      const { env } = repository;
      const kept = await this.#git.run(["for-each-ref", "--format=%(refname)", refs], { env });
      const lines = printed(kept).split("\n");
      for (const ref of lines) if (ref !== "") names.add(ref.slice(refs.length));
      for (const name of await this.#registered(repository)) names.add(name);
    }
    return [...names].filter(isName).sort();
  }

  /** @throws {UserError} if this is a partial clone without something that a worktree of the last commit needs */
  async #checkWhole(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
    const lazy = "^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$";
    const partial = await this.#git.try(["config", "--name-only", "--get-regexp", lazy], options);
    if (partial.code !== 0 || (await this.#head(options.env)).length === 0) return;
    const list = ["rev-list", "--objects", "--no-walk", "--missing=print", "HEAD", "HEAD^{tree}"];
    const found = await this.#git.try(list, options);
    if (found.code === 0 && !/^\?/m.test(printed(found))) return;
    throw new UserError(
      "partialClone",
      "The repository is a partial clone: git would have to fetch files to make a worktree. Make it whole (git fetch --refetch --no-filter), or work without isolation.",
    );
  }

  async #checkVersion(): Promise<void> {
    const said = printed(await this.#git.run(["version"]));
    const [, major = "0", minor = "0"] = /(?<!\d)(\d+)\.(\d+)/.exec(said) ?? [];
    const [least, leastMinor] = leastGit;
    const isEnough =
      Number(major) > least || (Number(major) === least && Number(minor) >= leastMinor);
    if (isEnough) return;
    throw new UserError(
      "gitTooOld",
      "{said} is too old for plans in worktrees: they need git 2.38 or newer. Update git, or work without isolation.",
      { said },
    );
  }

  async #repository(): Promise<Repository> {
    const asked = ["--is-bare-repository", "--is-inside-work-tree"];
    const kind = await this.#git.try(["rev-parse", ...asked]);
    if (kind.code !== 0 || printed(kind) !== "false\ntrue") {
      throw new UserError(
        "noWorkTree",
        "There is no git repository with files here, so plans cannot have worktrees. Run git init, or work without isolation.",
      );
    }
    const ways = ["--absolute-git-dir", "--git-common-dir", "--show-toplevel"];
    const absolute = ["rev-parse", "--path-format=absolute"];
    const [gitDir, common, files] = await Promise.all(
      ways.map(async (way) => resolve(line(await this.#git.run([...absolute, way])))),
    );
    if (gitDir === undefined || common === undefined || files === undefined)
      throw new Error(ways.join());
    const prefix = line(await this.#git.run(["rev-parse", "--show-prefix"]));
    const user = { gitDir, files, index: join(gitDir, "index"), prefix };
    const env = { GIT_DIR: gitDir, GIT_WORK_TREE: files };
    return { user, common, env, settings: await this.#noPrograms() };
  }

  /** Returns the settings by which git runs no filter, merge driver or monitor, and reads and writes content as it is. */
  async #noPrograms(): Promise<Settings> {
    return [
      ...(await this.#git.driversOff("all")),
      ["core.untrackedCache", "false"],
      ["merge.directoryRenames", "false"],
    ];
  }

  /** Returns the tree of a checkout's files as they are. */
  #treeOf({ settings }: Repository, checkout: Checkout, folder: string) {
    const index = join(
      folder,
      `index-${createHash("sha256").update(checkout.files).digest("hex")}`,
    );
    return treeOfFiles(this.#git, checkout, index, settings);
  }

  /**
   * Returns the worktree as a checkout of the user's repository: what the worktree says of its repository, and the
   * index that its agents can write, are not asked.
   */
  #checkoutOf(name: string, { user }: Repository): Checkout {
    const { gitDir, prefix } = user;
    return { gitDir, files: this.#placeOf(name), index: this.#indexOf(name), prefix };
  }

  /** Returns the last commit, if there is any. */
  async #head(env: NodeJS.ProcessEnv): Promise<string[]> {
    const ask = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
    const head = await this.#git.try(ask, { env });
    return head.code === 0 ? [printed(head)] : [];
  }

  async #commit(tree: string, parents: readonly string[], message: string): Promise<string> {
    const own = parents.flatMap((parent) => ["-p", parent]);
    const env = {
      GIT_AUTHOR_NAME: "Rooroo",
      GIT_AUTHOR_EMAIL: "rooroo@localhost",
      GIT_COMMITTER_NAME: "Rooroo",
      GIT_COMMITTER_EMAIL: "rooroo@localhost",
    };
    return printed(
      await this.#git.run(["commit-tree", tree, ...own, "-F", "-"], { env, input: message }),
    );
  }

  /** Merges two trees that both come from the base. */
  async #merged(
    base: string,
    theirs: string,
    own: string,
    { env, settings }: Repository,
  ): Promise<
    | { readonly type: "clean"; readonly tree: string }
    // The tree's files with these paths have conflict markers.
    | { readonly type: "conflicts"; readonly tree: string; readonly paths: readonly string[] }
  > {
    const sides = await Promise.all(
      [theirs, own].map((tree) => this.#commit(tree, [base], "rooroo: one side of a merge")),
    );
    const merge = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ...sides];
    const merged = await this.#git.try(merge, { env, settings });
    const [tree = "", ...paths] = zeroSeparated(merged);
    // Git 2.39 ends with 1 for conflicts, and for some failures, too: only after a merge there is a tree.
    if (merged.code > 1 || !/^[0-9a-f]{40,64}$/.test(tree)) throw refused(merged);
    return merged.code === 0 ? { type: "clean", tree } : { type: "conflicts", tree, paths };
  }

  async #differences(from: string, to: string, { env }: Repository): Promise<TreeChange[]> {
    const flags = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
    const fields = zeroSeparated(await this.#git.run(["diff-tree", ...flags, from, to], { env }));
    const found: TreeChange[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [facts = "", path = ""] = fields.slice(at, at + 2);
      const [before = "", after = "", oid = ""] = facts.slice(1).split(" ");
      found.push({ path, before, after, oid });
    }
    return found;
  }

  /** Returns what landing would write, as the files are on disk, and what it would not. */
  async #contents(
    changes: readonly TreeChange[],
    tree: string,
    repository: Repository,
    folder: string,
  ): Promise<{ files: LandingFile[]; leftOut: FileNotCarried[] }> {
    const { user, env, settings } = repository;
    const { prefix, files: top } = user;
    const leftOut: FileNotCarried[] = [];
    const wanted: TreeChange[] = [];
    for (const change of changes) {
      const way = change.path.startsWith(prefix) ? change.path.slice(prefix.length) : undefined;
      if (way === undefined) leftOut.push({ path: `/${change.path}`, why: "outside" });
      else if (isLink(change)) leftOut.push({ path: way, why: "link" });
      else if (!/^\.(rooroo|jixo)\//i.test(way)) wanted.push(change);
    }
    const contents = await this.#checkedOut(wanted, tree, repository, folder);
    const files: LandingFile[] = [];
    for (const { path, before, after, oid } of wanted) {
      const way = path.slice(prefix.length);
      const now = await readIfThere(join(top, path));
      if (!(await this.#isBlob(now, before, oid, path, { env, settings }))) {
        leftOut.push({ path: way, why: "changed" });
        continue;
      }
      const content = after === none ? undefined : await contents(path);
      const mode = after !== before && after !== none && { executable: after === "100755" };
      files.push({ path: way, before: now, after: content, ...mode });
    }
    return { files, leftOut };
  }

  /** Returns a function that reads what the changed files become, as they are written on disk. */
  async #checkedOut(
    changes: readonly TreeChange[],
    tree: string,
    { user, env, settings }: Repository,
    folder: string,
  ): Promise<(path: string) => Promise<Buffer>> {
    const out = `${join(folder, "out")}/`;
    const index = { ...env, GIT_INDEX_FILE: join(folder, "merged") };
    const options = { cwd: user.files, env: index, settings };
    await this.#git.run(["read-tree", tree], options);
    const there = changes.filter(({ after }) => after !== none).map(({ path }) => `${path}\0`);
    await this.#git.run(["checkout-index", "-z", "--stdin", `--prefix=${out}`], {
      ...options,
      input: there.join(""),
    });
    return (path) => readRegularFile(join(out, path), largest, { follow: false });
  }

  /** Returns whether a file's content on disk is that of the blob, as git would store it. */
  async #isBlob(
    now: Uint8Array | undefined,
    mode: string,
    oid: string,
    path: string,
    options: { env: NodeJS.ProcessEnv; settings: Settings },
  ): Promise<boolean> {
    if (now === undefined || mode === none) return now === undefined && mode === none;
    const hash = createHash(oid.length === 40 ? "sha1" : "sha256");
    if (hash.update(`blob ${now.length}\0`).update(now).digest("hex") === oid) return true;
    const ask = ["hash-object", "--stdin", `--path=${path}`];
    const cwd = options.env["GIT_WORK_TREE"] ?? this.root;
    return printed(await this.#git.run(ask, { ...options, cwd, input: now })) === oid;
  }

  /** Returns the files beside those of the base that a worktree gets as copies; paths from the repository's root. */
  async #beside({ user, env, settings }: Repository): Promise<{
    readonly filtered: readonly string[];
    readonly others: readonly string[];
    readonly leftOut: readonly FileNotCarried[];
  }> {
    const options = { cwd: user.files, env, settings };
    const list = (...flags: string[]) => this.#git.run(["ls-files", "-z", ...flags], options);
    const known = zeroSeparated(await list("--cached"));
    const others = zeroSeparated(await list("--others", "--exclude-standard"));
    const nested = others.filter((path) => path.endsWith("/"));
    const filtered = [...(await filteredFiles(this.#git, [...known, ...others], options))];
    const big: string[] = [];
    for (const path of others) if (await isTooBig(join(user.files, path))) big.push(path);
    const given = join(this.root, ".worktreeinclude");
    const isGiven = (await lstat(given).catch(() => undefined))?.isFile() === true;
    const including = [
      "ls-files",
      "-z",
      "--others",
      "--ignored",
      "--directory",
      "--no-empty-directory",
    ];
    const only = [`--exclude-from=${given}`, "--", ".", ":(exclude,literal).rooroo"];
    const included = isGiven
      ? zeroSeparated(
          await this.#git.run([...including, ...only], { ...options, cwd: this.root }),
        ).map((path) => user.prefix + path)
      : [];
    const leftOut = nested.map((path) => ({ path, why: "link" as const }));
    return { filtered, others: [...big, ...included], leftOut: named(leftOut, user.prefix) };
  }

  /** Returns the paths of the repositories inside, from the repository's root. */
  async #submodules({ user, env, settings }: Repository): Promise<string[]> {
    const options = { cwd: user.files, env, settings };
    const staged = await this.#git.run(["ls-files", "-z", "--stage"], options);
    return zeroSeparated(staged).flatMap((entry) =>
      entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : [],
    );
  }

  /** Returns what the worktree has otherwise than the user among the files that git does not carry. */
  async #filteredChanges(
    leftOut: readonly { readonly path: string; readonly why: NotCarried }[],
    name: string,
    { user }: Repository,
  ): Promise<{ path: string; why: NotCarried }[]> {
    const found: { path: string; why: NotCarried }[] = [];
    for (const one of leftOut) {
      if (one.why === "link") found.push(one);
      else {
        const [own, theirs] = await Promise.all(
          [this.#placeOf(name), user.files].map((top) => readIfThere(join(top, one.path))),
        );
        const isSame = own !== undefined && theirs !== undefined && own.equals(theirs);
        if (!isSame) found.push(one);
      }
    }
    return found;
  }

  async #removeFolder(name: string, repository: Repository | undefined): Promise<void> {
    const place = this.#placeOf(name);
    await this.#removeBelow(name);
    const isKnown = repository !== undefined && (await this.#registered(repository)).includes(name);
    if (isKnown) {
      const { GIT_DIR } = repository.env;
      // Twice: also one whose making was interrupted.
      const gone = ["worktree", "remove", "--force", "--force", place];
      await this.#git.run(gone, { cwd: repository.user.files, env: { GIT_DIR } });
    }
    await this.#removeBelow(basename(this.#indexOf(name)));
  }

  /** Removes a file, or a folder with all that is in it, from the folder of the worktrees. */
  async #removeBelow(name: string): Promise<void> {
    if (!existsSync(this.#folder)) return;
    await inFolderOf(join(await realLocation(this.#folder), name), { make: false }, (folder, one) =>
      removeAll(folder, one),
    );
  }

  /** Returns the names of those of the repository's worktrees that are in the folder, as git knows them. */
  async #registered({ env }: Repository): Promise<string[]> {
    const list = await this.#git.run(["worktree", "list", "--porcelain", "-z"], { env });
    const folder = await realLocation(this.#folder);
    return zeroSeparated(list).flatMap((field) => {
      if (!field.startsWith("worktree ")) return [];
      const place = resolve(field.slice("worktree ".length));
      return dirname(place) === folder ? [basename(place)] : [];
    });
  }

  #placeOf(name: string): string {
    if (!isName(name)) throw new Error(`no name of a worktree: ${name}`);
    return join(this.#folder, name);
  }

  #indexOf(name: string): string {
    return `${this.#placeOf(name)}.index`;
  }
}

const withTemporary = <T>(work: (folder: string) => Promise<T>): Promise<T> =>
  withTemporaryFolder("rooroo-worktree-", work);

/** The mode in a difference of trees where there is no such file. */
const none = "000000";

/** A difference of two trees. `oid` is the first one's blob. */
interface TreeChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly oid: string;
}

function isLink({ before, after }: TreeChange): boolean {
  return [before, after].some((mode) => mode !== none && !mode.startsWith("100"));
}

const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name);

function refOf(name: string): string {
  if (!isName(name)) throw new Error(`no name of a worktree: ${name}`);
  return refs + name;
}

/** Returns a line that git has printed, as it is: a path may begin or end with spaces. */
function line({ stdout }: GitResult): string {
  return stdout.toString("utf8").replace(/\n$/, "");
}

function named(
  found: readonly { readonly path: string; readonly why: NotCarried }[],
  prefix: string,
): FileNotCarried[] {
  return found.map(({ path, why }) =>
    path.startsWith(prefix)
      ? { path: path.slice(prefix.length), why }
      : { path: `/${path}`, why: "outside" },
  );
}

/** Returns git's folder for a worktree that was just made. */
async function adminFolder(place: string, common: string): Promise<string> {
  const text = await readRegularFile(join(place, ".git"), 10_000, { follow: false });
  const folder = text
    .toString()
    .replace(/^gitdir: /, "")
    .trim();
  if (dirname(resolve(folder)) !== join(common, "worktrees")) throw new Error(folder);
  return folder;
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return undefined;
    return await readRegularFile(path, largest, { follow: false });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Returns whether two folders have the same files; what is of git itself, and links, do not count. */
async function isSameBelow(one: string, other: string): Promise<boolean> {
  const turn = takesTurns();
  const entries = (folder: string) => {
    const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    const found = isFolder ? readdirSync(folder, { withFileTypes: true }) : [];
    return new Map(
      found
        .filter((entry) => entry.name.toLowerCase() !== ".git")
        .filter((entry) => entry.isFile() || entry.isDirectory())
        .map((entry) => [entry.name, entry.isDirectory()]),
    );
  };
  const waiting: [string, string][] = [[one, other]];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [mine, theirs] = at;
    const [left, right] = [entries(mine), entries(theirs)];
    if (left.size !== right.size) return false;
    for (const [name, isFolder] of left) {
      await turn();
      if (right.get(name) !== isFolder) return false;
      const pair: [string, string] = [join(mine, name), join(theirs, name)];
      if (isFolder) waiting.push(pair);
      else {
        const [mySize = 0, theirSize = 0] = pair.map(
          (path) => lstatSync(path, { throwIfNoEntry: false })?.size,
        );
        // A big file is taken to differ: the repository inside is named then, and nobody reads so much.
        if (mySize !== theirSize || mySize > mostOfNewFile) return false;
        const [a, b] = await Promise.all(pair.map(readIfThere));
        if (a === undefined || b === undefined || !a.equals(b)) return false;
      }
    }
  }
  return true;
}

/** Returns the size of all files below a folder; links are not followed. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  const folders = [folder];
  const turn = takesTurns();
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      await turn();
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) bytes += lstatSync(path).size;
    }
  }
  return bytes;
}
