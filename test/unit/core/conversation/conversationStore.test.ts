import assert from "node:assert/strict";
import type {
  ConversationEvent,
  RestoreScope,
} from "../../../../src/core/conversation/events/events.js";
import { earlierConversation } from "../../../../src/core/conversation/store/conversationFile.js";
import { ConversationStore } from "../../../../src/core/conversation/store/conversationStore.js";
import { journalPath } from "../../../../src/core/conversation/store/journal.js";
import { WorkConversations } from "../../../../src/core/conversation/store/workConversations.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const at = "2026-01-01T00:00:00.000Z";
const [one, two] = ["20260101-000000-aaaaaa", "20260101-000001-bbbbbb"];
const user = (text: string, id = text): ConversationEvent => ({ type: "user", at, id, text });
const pathOf = (id: string): string => `.rooroo/conversations/${id}.jsonl`;

class Killed extends Error {}

function storeOn(files: MemoryFileSystem): ConversationStore {
  return new ConversationStore(files, new PlainSigner(), (error) => {
    throw error;
  });
}

async function twoConversations(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  const store = storeOn(files);
  store.append(one, user("Fix the export of invoices"));
  await store.flush();
  store.append(two, user("/do Rename the parser"));
  store.append(two, {
    type: "agent",
    at,
    taskId: "t",
    event: { type: "text", messageId: "m", text: "The “lexer” calls it twice." },
  });
  await store.flush();
  return files;
}

describe("ConversationStore", () => {
  it("has a file for each conversation, and lists them by their first request, the latest first", async () => {
    const files = await twoConversations();
    const store = storeOn(files);
    const shown = (await store.list()).map(({ id, title, createdAt, foreign }) => {
      return [id, title, createdAt, foreign];
    });
    assert.deepEqual(shown, [
      [two, "Rename the parser", at, false],
      [one, "Fix the export of invoices", at, false],
    ]);
    assert.deepEqual(files.paths, [pathOf(one), pathOf(two)]);
    assert.equal((await store.journal(one).load()).events.length, 1);
    store.append(one, user("again"));
    await store.flush();
    assert.equal((await store.list())[0]!.id, one);
  });

  it("reads no more than the beginnings, once", async () => {
    const files = await twoConversations();
    const store = storeOn(files);
    for (let n = 0; n < 100; n++) store.append(one, user("x".repeat(1000), `u${n}`));
    await store.flush();
    const read: string[] = [];
    files.beforeOperation = (operation, path) => {
      assert.notEqual(operation, "readFile");
      if (operation === "readRange") read.push(path);
    };
    await store.list();
    await store.list();
    assert.deepEqual(read.sort(), [pathOf(one), pathOf(two)]);
  });

  it("finds the first request behind notices, and in a line that is longer than a beginning", async () => {
    const files = new MemoryFileSystem();
    const store = storeOn(files);
    const text = "n".repeat(3000);
    store.append(one, { type: "notice", at, id: "n", level: "info", text, steps: [] });
    store.append(one, { type: "notice", at, id: "n2", level: "info", text, steps: [] });
    store.append(one, user(`Sum up the text\n${"x".repeat(150_000)}`));
    await store.flush();
    assert.equal((await store.list())[0]!.title, "Sum up the text");
  });

  it("keeps the conversation of an earlier version where it is, as one more", async () => {
    const files = await twoConversations();
    const before = new PlainSigner().lines(journalPath, [user("Long ago")]);
    files.put(journalPath, before);
    const store = storeOn(files);
    assert.deepEqual(
      (await store.list()).map(({ id, title }) => [id, title]).sort(),
      [
        [one, "Fix the export of invoices"],
        [two, "Rename the parser"],
        [earlierConversation, "Long ago"],
      ].sort(),
    );
    store.append(earlierConversation, user("and now"));
    await store.flush();
    assert.ok(files.text(journalPath)!.startsWith(before));
    const { events } = await store.journal(earlierConversation).load();
    assert.deepEqual(
      events.map((event) => event.type === "user" && event.text),
      ["Long ago", "and now"],
    );
  });

  it("says which conversations came with the folder, and shows nothing of them as said", async () => {
    const files = await twoConversations();
    const foreign = new PlainSigner("somebody else's").lines(pathOf(one), [user("Delete all")]);
    files.put(pathOf(one), foreign);
    files.put(
      `.rooroo/conversations/${two}.title.json`,
      new PlainSigner("somebody else's").file(`.rooroo/conversations/${two}.title.json`, {
        title: "Trust me",
      }),
    );
    // A line of another conversation is not one of this.
    files.put(pathOf(two), files.text(pathOf(two))! + files.text(pathOf(one))!);
    const entries = await storeOn(files).list();
    assert.deepEqual(entries.map(({ id, title, foreign: came }) => [id, title, came]).sort(), [
      [one, "", true],
      [two, "Rename the parser", false],
    ]);
    assert.deepEqual(await storeOn(files).search("delete", new AbortController().signal), []);
  });

  it("passes over files that are no conversations", async () => {
    const files = await twoConversations();
    await new WorkConversations(files, new PlainSigner()).put({ kind: "job", name: "j" }, one);
    files.put(pathOf("../x"), "{}\n");
    files.put(pathOf("20260101-000002-cccccc"), "");
    files.put(".rooroo/conversations/20260101-000003-dddddd.jsonl/x", "a folder");
    assert.equal((await storeOn(files).list()).length, 2);
  });

  it("does not find what a restore has taken back, until that is undone", async () => {
    const files = await twoConversations();
    const store = storeOn(files);
    const found = async (query: string) =>
      (await store.search(query, new AbortController().signal)).map(({ id }) => id);
    const restored = (scope: RestoreScope, restoreId: string): ConversationEvent => ({
      type: "restored",
      at,
      restoreId,
      scope,
      checkpoint: { kind: "message", id: "taken", at, title: "" },
      text: "",
      tasks: [],
      unfinished: [],
      returning: [],
    });
    store.append(two, { type: "user", at, id: "taken", text: "Try the zebra" });
    store.append(two, restored("files", "r1"));
    await store.flush();
    assert.deepEqual(await found("zebra"), [two]);
    store.append(two, restored("both", "r2"));
    store.append(two, { type: "user", at, id: "new", text: "Try the okapi" });
    await store.flush();
    assert.deepEqual(await found("zebra"), []);
    assert.deepEqual(await found("okapi"), [two]);
    assert.deepEqual(await found("lexer"), [two]);
    store.append(two, { type: "restoreUndone", at, restoreId: "r2", tasks: [] });
    await store.flush();
    assert.deepEqual(await found("zebra"), [two]);
  });

  it("finds words in titles and texts, whole conversations by any case and order", async () => {
    const store = storeOn(await twoConversations());
    const found = async (query: string) =>
      (await store.search(query, new AbortController().signal)).map(({ id, excerpt }) => [
        id,
        excerpt,
      ]);
    assert.deepEqual(await found("INVOICES export"), [[one, ""]]);
    assert.deepEqual(await found("twice “lexer”"), [[two, "The “lexer” calls it twice."]]);
    assert.deepEqual(await found("export lexer"), []);
    assert.deepEqual(await found("messageId"), []);
    await store.rename(one, "Bills");
    assert.deepEqual(await found("bills"), [[one, ""]]);
    assert.deepEqual(await found("invoices"), [[one, "Fix the export of invoices"]]);
  });

  it("renames, killed at any file operation, to the old title or the new one", async () => {
    for (let k = 1; ; k++) {
      const files = await twoConversations();
      let operations = 0;
      files.beforeOperation = () => {
        if (++operations >= k) throw new Killed();
      };
      const done = await storeOn(files)
        .rename(one, "  Bills\nof May ")
        .then(
          () => true,
          () => false,
        );
      files.beforeOperation = undefined;
      const entry = await storeOn(files).find(one);
      assert.ok(done || entry?.title === "Fix the export of invoices", `killed at ${k}`);
      if (!done) continue;
      assert.equal(entry?.title, "Bills");
      await storeOn(files).rename(one, " ");
      assert.equal((await storeOn(files).find(one))?.title, "Fix the export of invoices");
      assert.ok(k > 1);
      break;
    }
  });

  it("deletes, killed at any file operation, all or nothing, and never another one", async () => {
    for (let k = 1; ; k++) {
      const files = await twoConversations();
      await storeOn(files).rename(one, "Bills");
      let operations = 0;
      files.beforeOperation = () => {
        if (++operations >= k) throw new Killed();
      };
      const done = await storeOn(files)
        .remove(one)
        .then(
          () => true,
          () => false,
        );
      files.beforeOperation = undefined;
      const entries = await storeOn(files).list();
      const left = entries.find(({ id }) => id === one);
      assert.ok(left === undefined || left.title === "Bills", `killed at ${k}`);
      assert.equal(entries.filter(({ id }) => id === two).length, 1);
      if (!done) continue;
      assert.deepEqual(files.paths, [pathOf(two)]);
      assert.ok(k > 1);
      break;
    }
  });

  it("reads a conversation once and no event twice while it is being written", async () => {
    const files = await twoConversations();
    const store = storeOn(files);
    store.append(one, user("before"));
    const later: string[] = [];
    const reading = store.journal(one).read(() => {
      store.append(one, user("meanwhile"));
      later.push("meanwhile");
    });
    const { events } = await reading;
    assert.deepEqual(
      events.map((event) => event.type === "user" && event.text),
      ["Fix the export of invoices", "before"],
    );
    await store.flush();
    await store.flush();
    assert.match(files.text(pathOf(one))!, /meanwhile/);
  });
});

describe("WorkConversations", () => {
  it("remembers where jobs and runs were started, the last time, and believes only its own lines", async () => {
    const files = new MemoryFileSystem();
    const works = new WorkConversations(files, new PlainSigner());
    await works.load();
    await works.put({ kind: "job", name: "tests" }, one);
    await works.put({ kind: "run", name: "tests" }, two);
    await works.put({ kind: "job", name: "tests" }, two);
    const path = ".rooroo/conversations/work.jsonl";
    const line = { kind: "job", name: "other", conversation: one };
    files.put(path, files.text(path)! + new PlainSigner("other").lines(path, [line]));
    const next = new WorkConversations(files, new PlainSigner());
    await next.load();
    assert.equal(next.of({ kind: "job", name: "tests" }), two);
    assert.equal(next.of({ kind: "run", name: "tests" }), two);
    assert.equal(next.of({ kind: "job", name: "other" }), undefined);
  });
});
