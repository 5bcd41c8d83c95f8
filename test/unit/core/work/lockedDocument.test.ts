import assert from "node:assert/strict";
import { LockedDocument } from "../../../../src/core/work/lockedDocument.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";

describe("LockedDocument", () => {
  const path = "notes.md";
  const open = (files: MemoryFileSystem) =>
    new LockedDocument(files, new MemoryLock(), { path, lock: "notes" });
  const add = (line: string) => (text: string) => ({ text: `${text}${line}\n`, result: text });

  it("writes what was decided, makes the file where there is none, and answers with the result", async () => {
    const files = new MemoryFileSystem();
    assert.equal(await open(files).change(add("one")), "");
    assert.equal(await open(files).change(add("two")), "one\n");
    assert.equal(files.text(path), "one\ntwo\n");
  });

  it("keeps every byte that is not the change, UTF-8 or not", async () => {
    const bytes = Uint8Array.of(0xff, 0x0d, 0x0a, 0xef, 0xbb, 0xbf, 0x0a);
    const files = new MemoryFileSystem({ [path]: bytes });
    await open(files).change(add("x"));
    assert.deepEqual(await files.readFile(path), Uint8Array.of(...bytes, 0x78, 0x0a));
  });

  it("decides again on what an editor saved in between", async () => {
    const files = new MemoryFileSystem({ [path]: "one\n" });
    let saves = 2;
    files.beforeOperation = (operation) => {
      if (operation === "replaceFile" && saves-- > 0) files.put(path, `saved ${saves}\n`);
    };
    await open(files).change(add("two"));
    assert.equal(files.text(path), "saved 0\ntwo\n");
  });

  it("decides nothing on what stood there only while an editor saved", async () => {
    const files = new MemoryFileSystem({ [path]: "half" });
    const texts: string[] = [];
    await open(files).change((text) => {
      texts.push(text);
      files.put(path, "whole\n");
      return { text, result: undefined };
    });
    assert.deepEqual(texts, ["half", "whole\n"]);
  });

  it("looks again where nothing can be decided yet", async () => {
    const files = new MemoryFileSystem({ [path]: "" });
    let looks = 0;
    await open(files).change((text) =>
      Promise.resolve(++looks < 3 ? undefined : { text: `${text}${looks}`, result: undefined }),
    );
    assert.equal(files.text(path), "3");
  });

  it("gives way to a program that saves it without end, and says so", async () => {
    const files = new MemoryFileSystem({ [path]: "" });
    let saves = 0;
    files.beforeOperation = (operation) => {
      if (operation === "replaceFile") files.put(path, `saved ${++saves}\n`);
    };
    await assert.rejects(open(files).change(add("x")), {
      name: "UserError",
      code: "documentBusy",
      params: { path: "notes.md" },
    });
    assert.equal(files.text(path), `saved ${saves}\n`);
  });
});
