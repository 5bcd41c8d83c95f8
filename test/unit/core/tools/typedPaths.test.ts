import assert from "node:assert/strict";
import { applyDiff } from "../../../../src/core/tools/editing/applyDiff.js";
import { editFile } from "../../../../src/core/tools/editing/editFile.js";
import { insertContent } from "../../../../src/core/tools/editing/insertContent.js";
import { writeToFile } from "../../../../src/core/tools/editing/writeToFile.js";
import { listFiles } from "../../../../src/core/tools/reading/listFiles.js";
import { readFile } from "../../../../src/core/tools/reading/readFile.js";
import { searchFiles } from "../../../../src/core/tools/reading/searchFiles.js";
import { ToolWorld } from "./toolWorld.js";

/** What is on disk, and what is typed. */
const names = [
  ["Screenshot at 10.15.03\u202FAM.txt", "Screenshot at 10.15.03 AM.txt"],
  ["a\u00A0b.txt", "a b.txt"],
  ["Übersicht.txt".normalize("NFD"), "Übersicht.txt".normalize("NFC")],
  ["Übersicht.txt".normalize("NFC"), "Übersicht.txt".normalize("NFD")],
  ["It\u2019s \u201Cdone\u201D.txt", 'It\'s "done".txt'],
  ["It's.txt", "It\u2019s.txt"],
] as const;

describe("a path whose name has characters that nobody types", () => {
  for (const [real, typed] of names) {
    it(`is found as it is typed, and no twin is written: ${JSON.stringify(typed)}`, async () => {
      const path = `Bilder\u202F1/${real}`;
      const meant = `Bilder 1/${typed}`;
      const world = new ToolWorld({ [path]: "one\n" });
      const before = world.files.paths.length;
      assert.equal((await world.use(readFile, { path: meant })).content, "1 | one");
      assert.ok((await world.use(listFiles, { path: "Bilder 1" })).ok);
      const found = await world.use(searchFiles, { path: "Bilder 1", regex: "one" });
      assert.match(found.content, /1/);
      const edit = { path: meant, old_text: "one", new_text: "two" };
      assert.ok((await world.use(editFile, edit)).ok);
      assert.equal(world.files.text(path), "two\n");
      await world.use(insertContent, { path: meant, line: 9, content: "three" });
      assert.equal(world.files.text(path), "two\nthree\n");
      const diff = "<<<<<<< SEARCH\nthree\n=======\nfour\n>>>>>>> REPLACE";
      assert.ok((await world.use(applyDiff, { path: meant, diff })).ok);
      assert.equal(world.files.text(path), "two\nfour\n");
      await world.reads(meant);
      const written = await world.use(writeToFile, { path: meant, content: "five\n" });
      assert.ok(written.ok, written.content);
      assert.equal(world.files.text(path), "five\n");
      const own = world.files.paths.filter((one) => !one.startsWith(".rooroo/"));
      assert.deepEqual([before, own], [1, [path]]);
      // A file that is new comes into the folder that is there.
      assert.ok((await world.use(writeToFile, { path: "Bilder 1/new.txt", content: "x\n" })).ok);
      assert.equal(world.files.text("Bilder\u202F1/new.txt"), "x\n");
    });
  }

  it("is found as a list shows it", async () => {
    const world = new ToolWorld({ "Shot\u202FAM.txt": "one\n" });
    const list = await world.use(listFiles, { path: "." });
    assert.equal(list.content, "Shot⟨U+202F⟩AM.txt");
    assert.equal((await world.use(readFile, { path: list.content })).content, "1 | one");
  });

  it("means what has exactly this name, and nothing where several are alike", async () => {
    const world = new ToolWorld({
      "a b.txt": "plain\n",
      "a\u00A0b.txt": "one\n",
      "a\u202Fb.txt": "two\n",
    });
    assert.equal((await world.use(readFile, { path: "a b.txt" })).content, "1 | plain");
    assert.equal((await world.use(readFile, { path: "a\u202Fb.txt" })).content, "1 | two");
    await world.files.removeFile("a b.txt");
    const several =
      /^There is no a b\.txt, but several names are spelled like it\. .*: a⟨U\+00A0⟩b\.txt, a⟨U\+202F⟩b\.txt$/;
    assert.match(await world.refusal(readFile, { path: "a b.txt" }), several);
    assert.match(await world.refusal(writeToFile, { path: "a b.txt", content: "x" }), several);
  });

  it("is not told of what is hidden from experts", async () => {
    const world = new ToolWorld({ ".rooignore": "a\u00A0b.txt\n", "a\u00A0b.txt": "one\n" });
    assert.match(await world.refusal(readFile, { path: "a b.txt" }), /^There is no file a b\.txt/);
  });
});
