import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Draft } from "../../src/core/conversation/input/draft.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { Drafts } from "../../src/node/user/drafts.js";
import { ManualClock } from "../fakes/manualClock.js";
import { temporaryFolder } from "./temporaryFolder.js";

let folder: ReturnType<typeof temporaryFolder>;
const id = "20260102-030405-ab12cd";
const draft = (text: string): Draft => ({ text, attachments: [] });

/** A storage on the disk that counts its writes and can be held. */
class CountedStorage {
  writes = 0;
  atOnce = 0;
  mostAtOnce = 0;
  gate: Promise<void> = Promise.resolve();
  private readonly disk = new DiskFileSystem(folder.path);

  async replaceFile(path: string, content: string | Uint8Array): Promise<boolean> {
    this.writes++;
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await this.gate;
    const replaced = await this.disk.replaceFile(path, content);
    this.atOnce--;
    return replaced;
  }

  removeFile(path: string): Promise<void> {
    return this.disk.removeFile(path);
  }
}

function opened(storage = new CountedStorage()) {
  const clock = new ManualClock();
  return { drafts: new Drafts(folder.path, storage, clock), storage, clock };
}

const names = () => readdir(join(folder.path, "drafts"));

describe("drafts that the host keeps", () => {
  folder = temporaryFolder();

  it("are there for the next window, each in its conversation, with attachments and words", async () => {
    const { drafts } = opened();
    const whole: Draft = {
      text: "half a thought",
      attachments: [{ attachment: { kind: "file", path: "src/a.js" } }],
      words: { approvalId: "p1", text: "Not now" },
      answers: [{ id: "q1", text: "The catalo" }],
    };
    drafts.keep(id, whole);
    drafts.keep("", draft("without a folder to work in"));
    await drafts.flush();
    const after = opened().drafts;
    assert.deepEqual(after.of(id), whole);
    assert.equal(after.of("").text, "without a folder to work in");
    assert.equal(after.has("20260102-030406-ab12cd"), false);
  });

  it("are kept while a message is edited of which nothing is left, with what was typed before", async () => {
    const { drafts } = opened();
    const edited: Draft = { ...draft(""), edits: { id: "u1", aside: draft("typed before") } };
    drafts.keep(id, edited);
    await drafts.flush();
    assert.deepEqual(opened().drafts.of(id), edited);
  });

  it("are kept while there is only an answer to a question", async () => {
    const { drafts } = opened();
    const answers: Draft = { ...draft(""), answers: [{ id: "q1", text: "The catalo" }] };
    drafts.keep(id, answers);
    await drafts.flush();
    assert.deepEqual(opened().drafts.of(id), answers);
  });

  it("are written a moment after the first of several changes, once, and one write at a time", async () => {
    const { drafts, storage, clock } = opened();
    let release = (): void => undefined;
    storage.gate = new Promise((resolve) => (release = resolve));
    for (const text of ["h", "ha", "hal"]) drafts.keep(id, draft(text));
    assert.equal(clock.sleeping, 1);
    clock.advance(100);
    drafts.keep(id, draft("half"));
    clock.advance(100);
    const flushed = drafts.flush();
    release();
    await flushed;
    assert.equal(storage.mostAtOnce, 1);
    assert.ok(storage.writes <= 2, `${storage.writes} writes`);
    assert.equal(opened().drafts.of(id).text, "half");
  });

  it("leave no file when they are sent or their conversation is removed", async () => {
    const { drafts } = opened();
    drafts.keep(id, draft("sent soon"));
    drafts.keep("20260102-030406-ab12cd", draft("deleted soon"));
    await drafts.flush();
    assert.equal((await names()).length, 2);
    drafts.keep(id, draft(""));
    drafts.remove("20260102-030406-ab12cd");
    await drafts.flush();
    assert.deepEqual(await names(), []);
    assert.equal(drafts.has(id), false);
  });

  it("are empty where the file is damaged or of something else, and can be written again", async () => {
    const { drafts } = opened();
    drafts.keep(id, draft("first"));
    await drafts.flush();
    for (const damaged of ["", "{", "[]", '{"text":1,"attachments":[]}']) {
      await writeFile(join(folder.path, "drafts", `${id}.json`), damaged);
      assert.equal(opened().drafts.of(id).text, "");
    }
    const { drafts: next } = opened();
    next.keep(id, draft("second"));
    await next.flush();
    assert.equal(opened().drafts.of(id).text, "second");
  });

  it("are at most fifty and the one being typed, however many conversations were begun", async () => {
    const { drafts } = opened();
    const idOf = (number: number) => `20260102-0304${String(number).padStart(2, "0")}-ab12cd`;
    for (let number = 0; number < 60; number++) drafts.keep(idOf(number), draft("typed"));
    await drafts.flush();
    const { drafts: next } = opened();
    next.keep(idOf(0), draft("typed again"));
    await next.flush();
    assert.equal((await names()).length, 51);
    assert.equal(opened().drafts.of(idOf(0)).text, "typed again");
    assert.equal(opened().drafts.has(idOf(1)), false);
    assert.equal(opened().drafts.has(idOf(59)), true);
  });

  it("last as long as the window where VS Code has no storage", async () => {
    const drafts = new Drafts(undefined, undefined, new ManualClock());
    drafts.keep("", draft("typed without a folder"));
    await drafts.flush();
    assert.equal(drafts.of("").text, "typed without a folder");
  });
});
