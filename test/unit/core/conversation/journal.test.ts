import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import {
  ConversationJournal,
  journalPath,
} from "../../../../src/core/conversation/store/journal.js";
import type { FileSystem } from "../../../../src/core/ports/files.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const at = "2026-01-01T00:00:00.000Z";
const user = (id: string, text = "hello"): ConversationEvent => ({ type: "user", at, id, text });

const unexpected = (error: unknown): void => {
  throw error;
};

/** One file in memory that records its writes. */
class OneFile {
  content = "";
  writes: (readonly string[])[] = [];
  failure: Error | undefined;
  readonly files = {
    stat: (path: string) => {
      assert.equal(path, journalPath);
      const size = Buffer.byteLength(this.content);
      return Promise.resolve(size === 0 ? undefined : { kind: "file", size, modifiedAt: 0 });
    },
    readRange: (_path: string, start: number, end: number) =>
      Promise.resolve(new Uint8Array(Buffer.from(this.content).subarray(start, end))),
    appendLines: async (_path: string, lines: readonly string[]) => {
      await Promise.resolve();
      if (this.failure) throw this.failure;
      this.writes.push(lines);
      this.content += lines.map((line) => `${line}\n`).join("");
    },
  } as unknown as FileSystem;
}

const signer = new PlainSigner();

describe("ConversationJournal", () => {
  it("reads a file of many pieces whole, whatever a piece's end divides", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    const events = [70_001, 1, 700_003, 400_000].map((size, n) => user(`u${n}`, "é".repeat(size)));
    for (const event of events) journal.append(event);
    await journal.flush();
    assert.deepEqual((await journal.load(10_000_000)).events, events);
  });

  it("gives back in order what was appended, without what passes", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    const events: ConversationEvent[] = [
      user("u1"),
      { type: "agent", at, taskId: "t", event: { type: "text", messageId: "m", text: "é\n" } },
      {
        type: "sessionEnded",
        at,
        taskId: "t",
        mode: "m",
        end: "Done",
        message: "",
        artifacts: ["a"],
      },
    ];
    for (const event of events) journal.append(event);
    journal.append({ type: "tasksChanged", at });
    journal.append({
      type: "agent",
      at,
      taskId: "t",
      event: { type: "textDelta", messageId: "m", text: "é" },
    });
    await journal.flush();
    assert.deepEqual(await journal.load(), { events, truncated: false, foreign: 0 });
  });

  it("leaves out a notice whose button's action is not one", async () => {
    const disk = new OneFile();
    const notice = { type: "notice", at, id: "n", level: "info", text: "What next?" };
    const action = { action: "doTask", expert: "some body", goal: "x" };
    const steps = [{ type: "action", label: "Do it", action }];
    disk.content = signer.lines(journalPath, [{ ...notice, steps }, user("u")]);
    const { events } = await new ConversationJournal(disk.files, signer, unexpected).load();
    assert.deepEqual(events, [user("u")]);
  });

  it("writes all that has gathered at once, one write at a time", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    for (let n = 0; n < 5; n++) journal.append(user(`u${n}`));
    await Promise.resolve();
    for (let n = 5; n < 8; n++) journal.append(user(`u${n}`));
    await journal.flush();
    assert.deepEqual(
      disk.writes.map((lines) => lines.length),
      [5, 3],
    );
  });

  it("says once that writing fails, and tries the same lines again later", async () => {
    const disk = new OneFile();
    const errors: unknown[] = [];
    const journal = new ConversationJournal(disk.files, signer, (error) => errors.push(error));
    disk.failure = new Error("disk full");
    journal.append(user("u1"));
    await journal.flush();
    journal.append(user("u2"));
    await journal.flush();
    assert.deepEqual(errors, [disk.failure]);
    disk.failure = undefined;
    journal.append(user("u3"));
    await journal.flush();
    const { events } = await journal.load();
    assert.deepEqual(events, [user("u1"), user("u2"), user("u3")]);
  });

  it("reads only the tail of a long file, from a line's beginning", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    const line = Buffer.byteLength(signer.lines(journalPath, [user("u0", "ü")]));
    for (let n = 0; n < 10; n++) journal.append(user(`u${n}`, "ü"));
    await journal.flush();
    for (const extra of [0, 1, line - 1]) {
      const { events, truncated } = await journal.load(3 * line + extra);
      assert.deepEqual(events, [user("u7", "ü"), user("u8", "ü"), user("u9", "ü")]);
      assert.equal(truncated, true);
    }
    assert.deepEqual((await journal.load(3)).events, []);
  });

  it("passes over lines that cannot be read and leaves them in the file", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    const own = signer.lines(journalPath, [user("u1")]);
    disk.content = `not json\n{"type":"user"}\n${own}\n{"type":"us`;
    const before = disk.content;
    assert.deepEqual((await journal.load()).events, [user("u1")]);
    assert.equal(disk.content, before);
  });

  it("leaves out what this installation did not write, and counts it", async () => {
    const disk = new OneFile();
    const journal = new ConversationJournal(disk.files, signer, unexpected);
    const elsewhere = new PlainSigner("another installation");
    const own = signer.lines(journalPath, [user("mine")]);
    disk.content = [
      `${JSON.stringify(user("unsigned"))}\n`,
      elsewhere.lines(journalPath, [user("signed elsewhere")]),
      signer.lines("another/file.jsonl", [user("signed for another file")]),
      own.replace("mine", "changed"),
      own,
    ].join("");
    const { events, foreign } = await journal.load();
    assert.deepEqual(events, [user("mine")]);
    assert.equal(foreign, 4);
  });

  it("has nothing to say when there is no file", async () => {
    const journal = new ConversationJournal(new OneFile().files, signer, unexpected);
    assert.deepEqual(await journal.load(), { events: [], truncated: false, foreign: 0 });
  });
});
