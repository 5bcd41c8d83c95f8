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

  it("are filled with what was made of their base elsewhere, and that lands", async () => {
    const { worktrees, write, readIn } = world();
    await write("gone.txt", "gone");
    const plan = { name: "plan", base: await worktrees.base("plan") };
    await write("a.txt", "theirs");
    await write("deep/new.txt", "new");
    await write("gone.txt");
    const result = await worktrees.base("result");
    await write("a.txt", "one");
    await write("deep/new.txt");
    await write("gone.txt", "gone");
    await write("mine.txt", "mine");
    const { root } = await worktrees.make(plan);
    await worktrees.fill(plan, result);
    assert.equal(await readIn(root, "a.txt"), "theirs");
    assert.deepEqual(texts(await worktrees.landing(plan)), [
      ["a.txt", "one", "theirs"],
      ["deep/new.txt", undefined, "new"],
      ["gone.txt", "gone", undefined],
    ]);
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

  it("take in what the user has done, with markers where both have changed the same lines, and land beside it then", async () => {
    const { worktrees, write, writeIn, readIn } = world();
    await write("gone.txt", "gone");
    const { plan, root } = await made("plan");
    await writeIn(root, "a.txt", "plan");
    await writeIn(root, "made.txt", "made");
    await write("a.txt", "mine");
    await write("mine.txt", "mine");
    await write("gone.txt");
    const planned = await worktrees.planUpdate(plan);
    assert.deepEqual(planned.conflicts, ["a.txt"]);
    assert.equal(await readIn(root, "a.txt"), "plan");
    // Doing it again after a crash completes it.
    for (let time = 0; time < 2; time++) await worktrees.update(plan.name, planned);
    const marked = (await readIn(root, "a.txt")) ?? "";
    assert.match(marked, /^<{7}[^\n]*\nmine\n={7}\nplan\n>{7}/);
    assert.equal(await readIn(root, "mine.txt"), "mine");
    assert.equal(await readIn(root, "gone.txt"), undefined);
    await writeIn(root, "a.txt", "both");
    const now = { ...plan, base: planned.base };
    assert.deepEqual(texts(await worktrees.landing(now)), [
      ["a.txt", "mine", "both"],
      ["made.txt", undefined, "made"],
    ]);
    assert.deepEqual((await worktrees.planUpdate(now)).conflicts, []);
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
