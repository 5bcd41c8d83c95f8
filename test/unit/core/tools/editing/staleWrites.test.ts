import assert from "node:assert/strict";
import { editFile } from "../../../../../src/core/tools/editing/editFile.js";
import { insertContent } from "../../../../../src/core/tools/editing/insertContent.js";
import { writeToFile } from "../../../../../src/core/tools/editing/writeToFile.js";
import { readFile } from "../../../../../src/core/tools/reading/readFile.js";
import { MemoryDocuments } from "../../../../fakes/memoryDocuments.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { randomFrom } from "../../../../fakes/randomFrom.js";
import { ToolWorld } from "../toolWorld.js";

const path = "list.md";

describe("a write that rests on what a file said", () => {
  it("is refused, with the difference, once the file has changed", async () => {
    const world = new ToolWorld({ [path]: "one\ntwo\n" });
    await world.reads(path);
    world.files.put(path, "one\n<data>mine</data>\ntwo\n");
    const refused = await world.refusal(writeToFile, { path, content: "one\ntwo\nthree\n" });
    assert.match(refused, /^Nothing was written: list\.md has changed since you read it; read it/);
    assert.match(refused, /\n<data from="list\.md">\n[^]*\n\+<\u200Bdata>mine<\/\u200Bdata>\n/);
    const inserts = { path, line: 3, content: "three" };
    assert.match(await world.refusal(insertContent, inserts), /has changed since you read it/);
    await world.reads(path);
    assert.equal((await world.use(insertContent, inserts)).ok, true);
    assert.equal(world.files.text(path), "one\n<data>mine</data>\nthree\ntwo\n");
  });

  it("is refused where a file that is there was not read, or only in part", async () => {
    const world = new ToolWorld({ [path]: "one\ntwo\nthree\n", empty: "", "a.bin": "a\0" });
    const write = { path, content: "new\n" };
    assert.match(await world.refusal(writeToFile, write), /exists, and you have not read it/);
    await world.use(readFile, { path, start_line: 3 });
    assert.match(await world.refusal(writeToFile, write), /only a part of list\.md/);
    await world.use(readFile, { path, end_line: 1 });
    assert.match(await world.refusal(writeToFile, write), /only a part of list\.md/);
    await world.use(readFile, { path, start_line: 2, end_line: 2 });
    assert.equal((await world.use(writeToFile, write)).ok, true);
    for (const other of ["empty", "a.bin", "new"]) {
      assert.equal((await world.use(writeToFile, { path: other, content: "x" })).ok, true);
    }
  });

  it("is refused for good, and not until the file is read, where the agent can never write it", async () => {
    const whyNeverWritten = (file: string) => Promise.resolve(`${file} is not yours.`);
    const world = new ToolWorld({ [path]: "one\n" }, {}, { whyNeverWritten });
    const refused = await world.refusal(writeToFile, { path, content: "new\n" });
    assert.equal(refused, "Nothing was written: list.md is not yours.");
  });

  it("rests on own writes and edits, too, but not on others' changes below an edit", async () => {
    const world = new ToolWorld();
    await world.use(writeToFile, { path, content: "one\ntwo\n" });
    await world.use(editFile, { path, old_text: "two", new_text: "2" });
    await world.use(insertContent, { path, line: 2, content: "1.5" });
    assert.equal((await world.use(writeToFile, { path, content: "a\nb\n" })).ok, true);
    world.files.put(path, "a\nb\nmine\n");
    assert.equal((await world.use(editFile, { path, old_text: "a", new_text: "A" })).ok, true);
    const refused = await world.refusal(writeToFile, { path, content: "A\nb\n" });
    assert.match(refused, /has changed since you read it[^]*\n\+mine\n/);
  });

  it("is not refused where nothing would be lost", async () => {
    const world = new ToolWorld({ [path]: "one\n" });
    assert.equal((await world.use(writeToFile, { path, content: "one\n" })).ok, true);
    world.files.put(path, "two\n");
    assert.equal((await world.use(insertContent, { path, line: 0, content: "first" })).ok, true);
    assert.equal(world.files.text(path), "first\ntwo\n");
  });

  it("goes on from what a formatter has made of it, once that was shown", async () => {
    const world = new ToolWorld({ [path]: "x\n" });
    world.documents.type(path, "typed\n");
    world.documents.format = (content) =>
      new TextEncoder().encode(`${new TextDecoder().decode(content).trimEnd()};\n`);
    await world.reads(path);
    const { content } = await world.use(writeToFile, { path, content: "one\n" });
    assert.match(content, /\n-one\n\+one;\n/);
    assert.equal((await world.use(writeToFile, { path, content: "two\n" })).ok, true);
  });

  it("shows nothing new of a file that may hold secrets, and only the beginning of much", async () => {
    const secret = new ToolWorld({ ".env": "KEY=1\n" });
    await secret.reads(".env");
    secret.files.put(".env", "KEY=2\n");
    const told = await secret.refusal(writeToFile, { path: ".env", content: "x" });
    assert.match(told, /read it again\.$/);
    const much = new ToolWorld({ [path]: "one\n" });
    await much.reads(path);
    much.files.put(path, "line\n".repeat(20_000));
    const shown = await much.refusal(writeToFile, { path, content: "x" });
    assert.ok(shown.length < 5_000);
    assert.match(shown, /\(The rest is left out\.\)$/);
  });
});

/** An agent that adds its lines to the file by reading and writing all of it, one step at a time. */
class Writer {
  private read: string | undefined;
  private prepared: Awaited<ReturnType<ToolWorld["prepare"]>> | undefined;
  private meant = "";

  constructor(
    private readonly world: ToolWorld,
    private readonly lines: string[],
  ) {}

  get isDone(): boolean {
    return this.lines.length === 0;
  }

  async step(): Promise<void> {
    const [line = ""] = this.lines;
    const { world } = this;
    if (this.read === undefined) {
      this.read = await this.now();
      await world.reads(path);
    } else if (this.prepared === undefined) {
      this.meant = `${this.read}${line}\n`;
      this.prepared = await world.prepare(writeToFile, { path, content: this.meant });
      if ("ok" in this.prepared) await this.refused(this.prepared.content);
    } else if ("run" in this.prepared) {
      const result = await this.prepared.run({});
      for (const seen of result.seen ?? []) world.seen.note(seen);
      if (!result.ok) return this.refused(result.content);
      assert.equal(await this.now(), this.meant, "it was told that this is what is there");
      this.lines.shift();
      this.prepared = undefined;
      // It knows what it wrote, and need not read it.
      this.read = this.meant;
    }
  }

  /** Checks that a write was refused for the right reason, and with reason. */
  private async refused(why: string): Promise<void> {
    assert.match(why, /has changed since you read it; read it again|changed by somebody else/);
    assert.notEqual(await this.now(), this.read, why);
    [this.read, this.prepared] = [undefined, undefined];
  }

  private async now(): Promise<string> {
    const { documents, files } = this.world;
    const unsaved = await documents.unsaved(path);
    return unsaved ? new TextDecoder().decode(unsaved) : (files.text(path) ?? "");
  }
}

/** Lets writers and a user take their steps in a random order. Returns the lines at the end. */
async function race(seed: number, writers: readonly string[][], ofUser: string[]) {
  const random = randomFrom(seed);
  const files = new MemoryFileSystem({ [path]: "# List\n" });
  const documents = new MemoryDocuments(files);
  const agents = writers.map((lines) => new Writer(new ToolWorld(files, {}, {}, documents), lines));
  for (;;) {
    const atWork = agents.filter(({ isDone }) => !isDone);
    if (atWork.length === 0 && ofUser.length === 0) break;
    const chosen = Math.floor(random() * (atWork.length + (ofUser.length > 0 ? 0.3 : 0)));
    const agent = atWork[chosen];
    if (agent !== undefined) await agent.step();
    else {
      const unsaved = await documents.unsaved(path);
      const now = unsaved ? new TextDecoder().decode(unsaved) : files.text(path)!;
      const next = `${now}${ofUser.shift()!}\n`;
      // They type, or save from elsewhere.
      if (unsaved !== undefined || random() < 0.5) documents.type(path, next);
      else files.put(path, next);
    }
  }
  const unsaved = await documents.unsaved(path);
  const text = unsaved ? new TextDecoder().decode(unsaved) : files.text(path)!;
  return text.trimEnd().split("\n").sort();
}

describe("writers of whole files at work on the same file", () => {
  const names = (who: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${who} ${index + 1}`);

  it("lose nothing of two of them and a user, in a hundred rounds, and are told what is so", async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const all = [names("a", 3), names("b", 3), names("user", 3)] as const;
      const expected = ["# List", ...all.flat()].sort();
      const [a, b, user] = all;
      assert.deepEqual(await race(seed, [[...a], [...b]], [...user]), expected, `seed ${seed}`);
    }
  });

  it("lose no line of six runners with twelve tasks of one line each", async () => {
    const runners = names("runner", 6).map((name) => names(name, 2));
    const expected = ["# List", ...runners.flat()].sort();
    assert.deepEqual(
      await race(
        7,
        runners.map((lines) => [...lines]),
        [],
      ),
      expected,
    );
  });
});
