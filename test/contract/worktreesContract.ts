import assert from "node:assert/strict";
import type { Landing, WorktreePlan, Worktrees } from "../../src/core/ports/worktrees.js";

/** A workspace with one file, `a.txt`, that has the content `one`. */
export interface WorktreesWorld {
  readonly worktrees: Worktrees;
  /** Writes a file of the user's; without a content, removes it. */
  write(path: string, text?: string): Promise<void>;
  /** Writes a file below the folder of a worktree; without a content, removes it. */
  writeIn(root: string, path: string, text?: string): Promise<void>;
  readIn(root: string, path: string): Promise<string | undefined>;
}

/** The behaviour that all kinds of {@link Worktrees} have in common. */
export function worktreesContract(world: () => WorktreesWorld): void {
  async function made(name: string): Promise<{ plan: WorktreePlan; root: string }> {
    const { worktrees } = world();
    await worktrees.check();
    const plan = { name, base: await worktrees.base(name) };
    return { plan, root: (await worktrees.make(plan)).root };
  }

  const texts = (landing: Landing) => {
    if (landing.type === "conflicts") return landing.paths;
    return landing.files.map(({ path, before, after }) => [path, textOf(before), textOf(after)]);
  };

  it("begin with the files as they are, without Rooroo's own, and hide nothing that is done in them", async () => {
    const { worktrees, write, writeIn, readIn } = world();
    await write("new.txt", "new");
    await write(".rooroo/queue.jsonl", "{}\n");
    const { plan, root } = await made("plan");
    assert.equal(await readIn(root, "new.txt"), "new");
    assert.equal(await readIn(root, ".rooroo/queue.jsonl"), undefined);
    assert.deepEqual(texts(await worktrees.landing(plan)), []);
    await writeIn(root, "a.txt", "plan");
    await writeIn(root, "made.txt", "made");
    await writeIn(root, "new.txt");
    await writeIn(root, ".rooroo/tasks/T/notes.md", "notes");
    assert.deepEqual(texts(await worktrees.landing(plan)), [
      ["a.txt", "one", "plan"],
      ["made.txt", undefined, "made"],
      ["new.txt", "new", undefined],
    ]);
  });

  it("land beside what the user has done, not again what has landed, and never over it", async () => {
    const { worktrees, write, writeIn } = world();
    const { plan, root } = await made("plan");
    await writeIn(root, "a.txt", "plan");
    await writeIn(root, "made.txt", "made");
    await write("mine.txt", "mine");
    await write("made.txt", "made");
    assert.deepEqual(texts(await worktrees.landing(plan)), [["a.txt", "one", "plan"]]);
    await write("a.txt", "mine");
    assert.deepEqual(texts(await worktrees.landing(plan)), ["a.txt"]);
  });

  it("know of conflicts with one another", async () => {
    const { worktrees, writeIn } = world();
    const [first, second, third] = [await made("first"), await made("second"), await made("third")];
    await writeIn(first.root, "a.txt", "first");
    await writeIn(second.root, "a.txt", "second");
    await writeIn(third.root, "b.txt", "third");
    const found = await worktrees.conflicts(second.plan, [first.plan, third.plan]);
    assert.deepEqual([...found], [["first", ["a.txt"]]]);
  });

  it("are made anew, and removed any number of times with what kept their base", async () => {
    const { worktrees, writeIn, readIn } = world();
    const { plan, root } = await made("plan");
    await writeIn(root, "a.txt", "half");
    assert.equal((await worktrees.make(plan)).root, root);
    assert.equal(await readIn(root, "a.txt"), "one");
    await worktrees.base("other");
    assert.deepEqual(await worktrees.left(), ["other", "plan"]);
    for (const name of ["plan", "other", "plan", "none"]) await worktrees.remove(name);
    assert.deepEqual(await worktrees.left(), []);
    assert.equal(await readIn(root, "a.txt"), undefined);
    await assert.rejects(worktrees.make({ ...plan, base: "0".repeat(40) }), { code: "gitRefused" });
  });
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
