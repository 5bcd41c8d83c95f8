import { UserError } from "../../src/core/errors.js";
import type {
  Landing,
  LandingFile,
  MadeWorktree,
  WorktreeLimit,
  WorktreePlan,
  WorktreeUpdate,
  Worktrees,
} from "../../src/core/ports/worktrees.js";
import { sameBytes } from "../../src/core/text/textFile.js";
import { MemoryFileSystem } from "./memoryFileSystem.js";

type Tree = ReadonlyMap<string, Uint8Array>;

/** Worktrees of a {@link MemoryFileSystem}, as on a disk: they outlive a process. Files are merged as wholes. */
export class MemoryWorktrees implements Worktrees {
  readonly #bases = new Map<string, { readonly name: string; readonly tree: Tree }>();
  readonly #places = new Map<string, MemoryFileSystem>();
  #commits = 0;
  /** Called before every operation; what it throws, the operation throws. */
  beforeOperation?: (operation: keyof Worktrees) => void;
  /** The reason why there can be no worktrees. */
  problem: UserError | undefined;
  /** What is done only in part. */
  limits: readonly WorktreeLimit[] = [];

  constructor(private readonly files: MemoryFileSystem) {}

  /** Returns the files of a worktree by the path of its folder. */
  at(root: string): MemoryFileSystem {
    return this.#places.get(root) ?? new MemoryFileSystem();
  }

  check(): Promise<readonly WorktreeLimit[]> {
    this.beforeOperation?.("check");
    return this.problem === undefined ? Promise.resolve(this.limits) : Promise.reject(this.problem);
  }

  async base(name: string): Promise<string> {
    this.beforeOperation?.("base");
    const commit = `commit${++this.#commits}`;
    this.#bases.set(commit, { name, tree: await treeOf(this.files) });
    return commit;
  }

  async make({ name, base }: WorktreePlan): Promise<MadeWorktree> {
    this.beforeOperation?.("make");
    const place = new MemoryFileSystem();
    let bytes = 0;
    for (const [path, content] of this.#treeOf(base)) {
      place.put(path, content);
      bytes += content.length;
    }
    this.#places.set(rootOf(name), place);
    return Promise.resolve({ root: rootOf(name), bytes, copied: 0, leftOut: [] });
  }

  fill({ name }: WorktreePlan, commit: string): Promise<void> {
    this.beforeOperation?.("fill");
    const place = new MemoryFileSystem();
    for (const [path, content] of this.#treeOf(commit)) place.put(path, content);
    this.#places.set(rootOf(name), place);
    return Promise.resolve();
  }

  async landing({ name, base }: WorktreePlan): Promise<Landing> {
    this.beforeOperation?.("landing");
    return merge(this.#treeOf(base), await treeOf(this.files), await this.#own(name));
  }

  async conflicts(
    plan: WorktreePlan,
    others: readonly WorktreePlan[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    this.beforeOperation?.("conflicts");
    const found = new Map<string, readonly string[]>();
    const main = await treeOf(this.files);
    for (const other of others) {
      const first = merge(this.#treeOf(other.base), main, await this.#own(other.name));
      if (first.type === "conflicts") continue;
      const landed = new Map(main);
      for (const { path, after } of first.files) {
        if (after === undefined) landed.delete(path);
        else landed.set(path, after);
      }
      const second = merge(this.#treeOf(plan.base), landed, await this.#own(plan.name));
      if (second.type === "conflicts") found.set(other.name, second.paths);
    }
    return found;
  }

  async planUpdate({ name, base }: WorktreePlan): Promise<WorktreeUpdate> {
    this.beforeOperation?.("planUpdate");
    const [theirs, own] = [await treeOf(this.files), await this.#own(name)];
    const merged = merge(this.#treeOf(base), theirs, own);
    const conflicts = merged.type === "conflicts" ? merged.paths : [];
    const to = new Map(theirs);
    const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
    const old = this.#treeOf(base);
    for (const path of [...theirs.keys(), ...own.keys(), ...old.keys()]) {
      const [mine, yours] = [own.get(path), theirs.get(path)];
      const marked = `<<<<<<<\n${decode(yours)}\n=======\n${decode(mine)}\n>>>>>>>\n`;
      if (conflicts.includes(path)) to.set(path, new TextEncoder().encode(marked));
      else if (!same(mine, old.get(path))) {
        if (mine === undefined) to.delete(path);
        else to.set(path, mine);
      }
    }
    const keep = (tree: Tree): string => {
      const commit = `commit${++this.#commits}`;
      this.#bases.set(commit, { name, tree });
      return commit;
    };
    return { base: keep(theirs), from: keep(own), to: keep(to), conflicts };
  }

  async update(name: string, { from, to }: WorktreeUpdate): Promise<void> {
    this.beforeOperation?.("update");
    const place = this.at(rootOf(name));
    const [before, after] = [this.#treeOf(from), this.#treeOf(to)];
    for (const path of before.keys()) if (!after.has(path)) await place.removeFile(path);
    for (const [path, content] of after) {
      if (!same(before.get(path), content)) place.put(path, content);
    }
  }

  remove(name: string): Promise<void> {
    this.beforeOperation?.("remove");
    this.#places.delete(rootOf(name));
    for (const [commit, base] of this.#bases) if (base.name === name) this.#bases.delete(commit);
    return Promise.resolve();
  }

  left(): Promise<readonly string[]> {
    this.beforeOperation?.("left");
    const places = [...this.#places.keys()].map((root) => root.slice(rootOf("").length));
    const kept = [...this.#bases.values()].map(({ name }) => name);
    return Promise.resolve([...new Set([...places, ...kept])].sort());
  }

  #treeOf(base: string): Tree {
    const found = this.#bases.get(base);
    if (found === undefined)
      throw new UserError("gitRefused", "git has refused: {why}", { why: base });
    return found.tree;
  }

  #own(name: string): Promise<Tree> {
    return treeOf(this.at(rootOf(name)));
  }
}

const rootOf = (name: string): string => `/worktrees/${name}`;

async function treeOf(files: MemoryFileSystem): Promise<Tree> {
  const tree = new Map<string, Uint8Array>();
  for (const path of files.paths) {
    if (path.startsWith("/") || path.startsWith(".rooroo/")) continue;
    const text = files.text(path);
    if (text !== undefined) tree.set(path, new TextEncoder().encode(text));
  }
  return Promise.resolve(tree);
}

function merge(base: Tree, theirs: Tree, own: Tree): Landing {
  const files: LandingFile[] = [];
  const paths: string[] = [];
  for (const path of [...new Set([...base.keys(), ...theirs.keys(), ...own.keys()])].sort()) {
    const [old, before, after] = [base.get(path), theirs.get(path), own.get(path)];
    if (same(after, old) || same(after, before)) continue;
    if (same(before, old)) files.push({ path, before, after });
    else paths.push(path);
  }
  return paths.length > 0 ? { type: "conflicts", paths } : { type: "clean", files, leftOut: [] };
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameBytes(a, b);
}
