import assert from "node:assert/strict";
import { allSpoken } from "../../../../../src/core/text/allSpoken.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { applyDiff } from "../../../../../src/core/tools/editing/applyDiff.js";
import { editFile } from "../../../../../src/core/tools/editing/editFile.js";
import { insertContent } from "../../../../../src/core/tools/editing/insertContent.js";
import { writeToFile } from "../../../../../src/core/tools/editing/writeToFile.js";
import { readFile } from "../../../../../src/core/tools/reading/readFile.js";
import { ToolWorld } from "../toolWorld.js";

const diffOf = (search: string, replace: string) =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe("a tool that writes", () => {
  it("shows exactly what it will do, and changes nothing before", async () => {
    const world = new ToolWorld({ "src/a.js": "one\ntwo\nthree\n" });
    const args = { path: "src/../src/a.js", old_text: "two", new_text: "2" };
    assert.deepEqual(allSpoken(await world.actionOf(editFile, args)), {
      access: "write",
      title: "Edit src/a.js",
      path: "src/a.js",
      inside: true,
      preview: {
        kind: "diff",
        text: "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      },
    });
    assert.equal(world.files.text("src/a.js"), "one\ntwo\nthree\n");
  });

  it("edits no PDF as text, which would break it", async () => {
    const world = new ToolWorld({ "a.pdf": "%PDF-1.4\n1 0 obj\n(Total)\nendobj\n" });
    const edit = await world.use(editFile, { path: "a.pdf", old_text: "Total", new_text: "Sum" });
    assert.equal(edit.ok, false);
    assert.match(edit.content, /^a\.pdf is a PDF: its text can be read, and it cannot be edited/);
  });

  it("asks nobody about a write that changes nothing", async () => {
    const world = new ToolWorld({ a: "one\n" });
    const same = { path: "a", content: "one\n" };
    const prepared = await world.prepare(writeToFile, same);
    assert.ok("run" in prepared);
    assert.equal(prepared.action, undefined);
    const result = await world.use(writeToFile, same);
    assert.deepEqual([result.ok, result.diff], [true, undefined]);
    assert.match(result.content, /nothing was changed/);
    assert.ok(await world.actionOf(writeToFile, { path: "a", content: "two\n" }));
  });

  it("gives the diff with the result", async () => {
    const world = new ToolWorld({ a: "one\n" });
    const result = await world.use(editFile, { path: "a", old_text: "one", new_text: "1" });
    assert.equal(result.ok, true);
    assert.match(result.diff ?? "", /^--- a\/a\n\+\+\+ b\/a\n.*\n-one\n\+1\n$/);
    assert.equal(world.files.text("a"), "1\n");
  });

  it("writes nothing when the file has changed since it was approved", async () => {
    for (const other of ["somebody else's\n", undefined]) {
      const world = new ToolWorld({ a: "one\n" });
      const prepared = await world.prepare(editFile, { path: "a", old_text: "one", new_text: "1" });
      assert.ok("run" in prepared);
      if (other === undefined) await world.files.removeFile("a");
      else world.files.put("a", other);
      const result = await prepared.run({});
      assert.equal(result.ok, false);
      assert.match(result.content, /^a was changed by somebody else while this edit waited/);
      assert.equal(world.files.text("a"), other);
    }
  });

  it("does not write over a file that has appeared since", async () => {
    const world = new ToolWorld();
    const prepared = await world.prepare(writeToFile, { path: "new", content: "mine" });
    assert.ok("run" in prepared);
    world.files.put("new", "theirs");
    assert.equal((await prepared.run({})).ok, false);
    assert.equal(world.files.text("new"), "theirs");
  });

  it("does not follow a link that was put in the way since", async () => {
    const world = new ToolWorld({ "src/a": "one\n", "/secret/a": "one\n" });
    const prepared = await world.prepare(editFile, {
      path: "src/a",
      old_text: "one",
      new_text: "1",
    });
    assert.ok("run" in prepared);
    world.files.link("src", "/secret");
    assert.equal((await prepared.run({})).ok, false);
    assert.equal(world.files.text("/secret/a"), "one\n");
  });

  it("writes nothing when it is stopped", async () => {
    const world = new ToolWorld();
    const prepared = await world.prepare(writeToFile, { path: "new", content: "x" });
    assert.ok("run" in prepared);
    const reason = new Error("stopped");
    world.stopper.abort(reason);
    await assert.rejects(prepared.run({}), reason);
    assert.equal(world.files.text("new"), undefined);
  });

  it("says where a path really leads", async () => {
    const world = new ToolWorld({ "/home/me/.bashrc": "x\n" });
    world.files.link("notes.txt", "/home/me/.bashrc");
    await world.reads("notes.txt");
    const action = await world.actionOf(writeToFile, { path: "notes.txt", content: "evil\n" });
    assert.deepEqual([action.path, action.inside], ["/home/me/.bashrc", false]);
    assert.equal(spoken(action.title), "Edit /home/me/.bashrc");
  });

  it("makes visible what a preview could hide", async () => {
    const world = new ToolWorld();
    const args = { path: "a\u202Etxt.js", content: "if (a\u200B) {\u2066}\u0007\n" };
    const action = await world.actionOf(writeToFile, args);
    assert.equal(spoken(action.title), "Create a⟨U+202E⟩txt.js");
    assert.match(spoken(action.preview.text), /\+if \(a⟨U\+200B⟩\) \{⟨U\+2066⟩\}⟨U\+0007⟩\n/);
  });

  it("keeps the file's byte order mark and line breaks", async () => {
    const world = new ToolWorld({ a: "\uFEFFone\r\ntwo\r\n" });
    await world.reads("a");
    await world.use(applyDiff, { path: "a", diff: diffOf("one", "1\n1") });
    assert.equal(world.files.text("a"), "\uFEFF1\r\n1\r\ntwo\r\n");
    await world.use(insertContent, { path: "a", line: 1, content: "0\n0" });
    assert.equal(world.files.text("a"), "\uFEFF0\r\n0\r\n1\r\n1\r\ntwo\r\n");
    const action = await world.actionOf(writeToFile, { path: "a", content: "new\nfile\n" });
    assert.doesNotMatch(spoken(action.preview.text), /U\+000D/);
    await world.use(writeToFile, { path: "a", content: "new\nfile\n" });
    assert.equal(world.files.text("a"), "\uFEFFnew\r\nfile\r\n");
  });

  it("shows a change of line breaks", async () => {
    const world = new ToolWorld({ a: "one\ntwo\n" });
    await world.reads("a");
    const action = await world.actionOf(writeToFile, { path: "a", content: "one\r\ntwo\n" });
    assert.match(spoken(action.preview.text), /-one\n\+one⟨U\+000D⟩\n two/);
  });

  it("refuses what text editing would damage", async () => {
    const world = new ToolWorld({
      "latin1.txt": Uint8Array.from([0xe9, 10]),
      "a.bin": Uint8Array.from([1, 0, 2]),
      "src/x": "",
    });
    const edit = (path: string) => world.refusal(editFile, { path, old_text: "a", new_text: "b" });
    assert.match(await edit("a.bin"), /binary file/);
    assert.match(await edit("src"), /is a folder/);
    assert.match(
      await edit("none"),
      /no file none\. Look with list_files, or make it with write_to_file/,
    );
    assert.match(await edit("{{workspace}}/x"), /placeholder/);
    assert.match(await world.refusal(writeToFile, { path: "src", content: "" }), /is a folder/);
  });
});

describe("a tool that writes into an editor's unsaved document", () => {
  const edit = { path: "a", old_text: "typed", new_text: "TYPED" };

  it("edits what is there, says that this will be saved, and keeps it for undoing", async () => {
    const world = new ToolWorld({ a: "on disk\n" });
    world.documents.type("a", "on disk\ntyped\n");
    const { preview } = await world.actionOf(editFile, edit);
    assert.match(
      spoken(preview.text),
      /^Unsaved changes in the editor will be saved.*\n[^]*-typed\n\+TYPED/,
    );
    const { content } = await world.use(editFile, edit);
    assert.match(content, /unsaved changes in the editor were kept and saved with it\.$/);
    assert.equal(world.files.text("a"), "on disk\nTYPED\n");
    const state = (await world.changes.read()).get("a");
    assert.ok(state);
    const before = await world.changes.content(state.baseline);
    assert.equal(new TextDecoder().decode(before), "on disk\ntyped\n");
  });

  it("writes nothing when somebody has typed since it was looked at", async () => {
    const world = new ToolWorld({ a: "typed\n" });
    for (const type of [
      () => undefined,
      () => {
        world.documents.type("a", "typed\nmore\n");
      },
    ]) {
      type();
      const prepared = await world.prepare(editFile, edit);
      assert.ok("run" in prepared);
      world.documents.type("a", "typed\nmore and more\n");
      const result = await prepared.run({});
      assert.match(result.content, /was changed by somebody else/);
      assert.equal(world.files.text("a"), "typed\n");
    }
  });

  it("says so when saving changed the file further, and knows what is there", async () => {
    const world = new ToolWorld({ a: "x\n" });
    world.documents.type("a", "typed\n");
    world.documents.format = (content) =>
      new TextEncoder().encode(`${new TextDecoder().decode(content)}// formatted\n`);
    const { content } = await world.use(editFile, edit);
    assert.match(
      content,
      /Saving changed the file further.*\n<data from="a">\n[^]*\n\+\/\/ formatted\n<\/data>$/,
    );
    assert.equal(world.files.text("a"), "TYPED\n// formatted\n");
    const left = (await world.changes.read()).get("a")?.left.at(-1);
    assert.ok(left && (await world.changes.isIn(left, await world.files.readFile("a"))));
  });
});

describe("a file of an unknown encoding", () => {
  const latin1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
  const edited = async (before: Uint8Array, old_text: string, new_text: string) => {
    const world = new ToolWorld({ a: before });
    const { content } = await world.use(editFile, { path: "a", old_text, new_text });
    return { now: await world.files.readFile("a"), content };
  };

  it("is edited in its ASCII, and keeps every other byte", async () => {
    const before = latin1("caf\xe9 = 1\nprice = 2\n\xff\xfe\n");
    const { now } = await edited(before, "price = 2", "price = 3");
    assert.deepEqual(now, latin1("caf\xe9 = 1\nprice = 3\n\xff\xfe\n"));
  });

  it("takes no other characters, and no part of what may be one", async () => {
    const before = latin1("caf\xe9 = 1\nprice\n");
    const refused = await edited(before, "price", "prix é");
    assert.match(refused.content, /not encoded as UTF-8 or UTF-16, so only ASCII/);
    assert.deepEqual(refused.now, before);
    // In Shift-JIS these two bytes are one character.
    const both = latin1("x\x83\x41y\n");
    const within = await edited(both, "Ay", "By");
    assert.match(within.content, /may be a part of that character/);
    assert.deepEqual(within.now, both);
    const world = new ToolWorld({ a: before });
    const whole = await world.refusal(writeToFile, { path: "a", content: "é\n" });
    assert.match(whole, /only ASCII/);
  });
});

describe("write_to_file", () => {
  it("keeps the encoding and the last line break", async () => {
    const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
    const world = new ToolWorld({ a: utf16("één\r\n"), b: "one\n", c: "one" });
    await world.reads("a", "b", "c");
    await world.use(writeToFile, { path: "a", content: "twee\ndrie" });
    assert.deepEqual(await world.files.readFile("a"), utf16("twee\r\ndrie\r\n"));
    await world.use(writeToFile, { path: "b", content: "two" });
    await world.use(writeToFile, { path: "c", content: "two" });
    assert.deepEqual([world.files.text("b"), world.files.text("c")], ["two\n", "two"]);
  });

  it("shows all of a new file, and makes its folders", async () => {
    const world = new ToolWorld();
    const args = { path: "a/b/c.txt", content: "one\ntwo\n" };
    const action = await world.actionOf(writeToFile, args);
    assert.equal(
      action.preview.text,
      "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
    );
    assert.equal((await world.use(writeToFile, args)).content, "Created a/b/c.txt (2 lines).");
    assert.equal(world.files.text("a/b/c.txt"), "one\ntwo\n");
  });

  it("says that it replaces a binary file", async () => {
    const world = new ToolWorld({ "a.bin": Uint8Array.from([1, 0, 2]) });
    const action = await world.actionOf(writeToFile, { path: "a.bin", content: "text\n" });
    assert.match(spoken(action.preview.text), /^Replaces a binary file of 3 bytes\.\n/);
  });

  it("shows a complete change of a large file without comparing for ever", async () => {
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, i) => `${word} ${i}\n`).join("");
    const world = new ToolWorld({ a: lines("old") });
    for (let start_line = 1; start_line < 20_000; start_line += 2_000) {
      await world.use(readFile, { path: "a", start_line });
    }
    const action = await world.actionOf(writeToFile, { path: "a", content: lines("new") });
    assert.match(
      spoken(action.preview.text),
      /^--- a\/a\n\+\+\+ b\/a\n@@ -1,20000 \+1,20000 @@\n-old 0\n/,
    );
    assert.match(spoken(action.preview.text), /\n-old 19999\n\+new 0\n/);
  });
});

describe("apply_diff", () => {
  it("says of each block where it went", async () => {
    const world = new ToolWorld({ a: "one\n  two\nthree\n" });
    const diff = `${diffOf("one", "1")}\n${diffOf("two", "2\n2")}`;
    const result = await world.use(applyDiff, { path: "a", diff });
    assert.equal(
      result.content,
      "Edited a.\nBlock 1: line 1, 1 → 1 lines\nBlock 2: line 2, 1 → 2 lines, overlooking indentation",
    );
    assert.equal(world.files.text("a"), "1\n  2\n  2\nthree\n");
  });

  it("applies the blocks that fit, and counts as work", async () => {
    const world = new ToolWorld({ a: "one\ntwo\nthree\n" });
    const diff = [diffOf("one", "1"), diffOf("twenty", "2"), diffOf("three", "3")].join("\n");
    const result = await world.use(applyDiff, { path: "a", diff });
    assert.deepEqual([result.ok, result.worked], [false, true]);
    assert.match(result.content, /^Edited a, but only 2 of 3 blocks were applied\. Send those/);
    assert.match(result.content, /\nBlock 2: not applied, not found/);
    assert.match(result.diff ?? "", /-one\n\+1\n two\n-three\n\+3\n/);
    assert.equal(world.files.text("a"), "1\ntwo\n3\n");
  });

  it("asks nobody about what cannot work", async () => {
    const world = new ToolWorld({ a: "one\n" });
    const refusal = (diff: string) => world.refusal(applyDiff, { path: "a", diff });
    assert.match(
      await refusal("nonsense"),
      /cannot be read\. It has no SEARCH\/REPLACE block.* Write it like this:\n<<<<<<< SEARCH/,
    );
    assert.match(
      await refusal(diffOf("zzz", "x")),
      /^Nothing was written to a\.\nBlock 1: not applied, not found/,
    );
    assert.match(await refusal(diffOf("one", "one")), /^a already is as the diff would make it/);
  });
});

describe("apply_diff with patches", () => {
  const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const files = { "src/a.js": "one\ntwo\n", "src/b.js": "three\n", "b.js": "three\n" };
  const sent = async (path: string, diff: string) => {
    const world = new ToolWorld(files);
    const result = await world.use(applyDiff, { path, diff });
    const text = (name: string) => world.files.text(name);
    return { ...result, world, now: [text("src/a.js"), text("src/b.js"), text("b.js")] };
  };
  const before = Object.values(files);

  it("edits by any form, and makes a file by an empty search", async () => {
    const forms = [
      diffOf("two", "2"),
      `src/a.js\n\`\`\`js\n${diffOf("two", "2")}\n\`\`\``,
      patch("*** Update File: src/a.js", "@@ one", "-two", "+2"),
      "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
      "@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
      patch("*** Update File: a.js", "@@", "-two", "+2"),
      patch("*** Update File: ./src/a.js", "@@", "-two", "+2"),
    ];
    for (const diff of forms) {
      const { ok, now, content } = await sent("src/a.js", diff);
      assert.deepEqual([ok, now[0]], [true, "one\n2\n"], `${diff}\n${content}`);
    }
    for (const diff of [
      "<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE",
      patch("*** Add File: src/new.js", "+new"),
      "--- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1 @@\n+new",
    ]) {
      const { world, content } = await sent("src/new.js", diff);
      assert.equal(world.files.text("src/new.js"), "new\n", content);
      assert.match(content, /^Created src\/new\.js\.\n/);
      const over = await world.refusal(applyDiff, {
        path: "src/a.js",
        diff: diff.replace("new.js", "a.js"),
      });
      assert.match(over, /this file has contents/);
    }
    const { world, content } = await sent("src/empty.js", patch("*** Add File: src/empty.js"));
    assert.equal(world.files.text("src/empty.js"), "", content);
  });

  it("does not write what was meant for another file", async () => {
    for (const diff of [
      `src/b.js\n${diffOf("three", "3")}`,
      patch("*** Update File: src/b.js", "@@", "-three", "+3"),
      "--- a/src/b.js\n+++ b/src/b.js\n@@ -1 +1 @@\n-three\n+3\n",
      "--- a/lib/b.js\n+++ b/src/b.js\n@@ -1 +1 @@\n-three\n+3\n",
    ]) {
      const { ok, now, content } = await sent("b.js", diff);
      assert.deepEqual([ok, now], [false, before]);
      assert.match(
        content,
        /^Nothing was written: path is b\.js, but the diff is about src\/b\.js\./,
      );
    }
  });

  it("writes several files, each approved and recorded by itself, or none of them", async () => {
    const both = (three: string) =>
      patch(
        "*** Update File: src/a.js",
        "@@",
        "-two",
        "+2",
        "*** Update File: b.js",
        "@@",
        `-${three}`,
        "+3",
      );
    const { ok, now, content, world } = await sent("src/a.js", both("three"));
    assert.deepEqual([ok, now], [true, ["one\n2\n", "three\n", "3\n"]]);
    assert.match(content, /^Edited src\/a\.js\.\n.*\nEdited b\.js\.\n/);
    assert.deepEqual([...(await world.changes.read()).keys()].sort(), ["b.js", "src/a.js"]);

    const wrong = await sent("src/a.js", both("zzz"));
    assert.deepEqual([wrong.ok, wrong.now], [false, before]);
    assert.match(wrong.content, /^Nothing was written, because not all of the diff can be applied/);
    assert.match(
      wrong.content,
      /\nNothing was written to b\.js\.\nBlock 1: not applied, not found/,
    );

    const half = patch(
      ...["*** Update File: b.js", "@@", "-three", "+3"],
      ...["*** Update File: src/a.js", "@@", "-one", "+1", "@@", "-zzz", "+2"],
    );
    const partly = await sent("src/a.js", half);
    assert.deepEqual([partly.ok, partly.now], [false, before]);
    assert.match(partly.content, /\nsrc\/a\.js:\nBlock 1: line 1.*\nBlock 2: not applied/);

    const prepared = await new ToolWorld(files).prepare(applyDiff, {
      path: "b.js",
      diff: both("three"),
    });
    assert.ok("run" in prepared && prepared.action && "path" in prepared.action);
    const asked = [prepared.action, ...(prepared.more ?? [])];
    assert.deepEqual(
      asked.map((one) => "path" in one && one.path),
      ["src/a.js", "b.js"],
    );
  });
});

describe("edit_file", () => {
  it("asks nobody about what cannot work", async () => {
    const world = new ToolWorld({ a: "x x\n" });
    const refusal = (old_text: string, new_text: string) =>
      world.refusal(editFile, { path: "a", old_text, new_text });
    assert.match(await refusal("", "y"), /old_text is empty/);
    assert.match(await refusal("x", "y"), /found more than once.* or set replace_all/);
    assert.match(await refusal("x x", "x x"), /Nothing to write/);
    assert.match(await refusal("zzz", "y"), /The old text was not found/);
    const all = { path: "a", old_text: "x", new_text: "y", replace_all: true };
    assert.match((await world.use(editFile, all)).content, /2 places, at lines 1, 1/);
    assert.equal(world.files.text("a"), "y y\n");
  });
});

describe("insert_content", () => {
  const inserted = async (before: string, line: number, content: string) => {
    const world = new ToolWorld({ a: before });
    const result = await world.use(insertContent, { path: "a", line, content });
    return [world.files.text("a"), result.content];
  };

  it("inserts whole lines before a line", async () => {
    assert.deepEqual(await inserted("1\n2\n", 2, "x\ny"), [
      "1\nx\ny\n2\n",
      "Inserted 2 lines into a before line 2.",
    ]);
    assert.equal((await inserted("1\n2\n", 0, "x"))[0], "x\n1\n2\n");
    assert.equal((await inserted("1\n2\n", 1, "x\n"))[0], "x\n1\n2\n");
  });

  it("appends where the file has no such line, and says so", async () => {
    assert.deepEqual(await inserted("1\n", 99, "x"), [
      "1\nx\n",
      "Appended 1 line to a, which ends before line 99.",
    ]);
    assert.equal((await inserted("1", 2, "x"))[0], "1\nx");
    assert.equal((await inserted("", 0, "x\n"))[0], "x\n");
  });

  it("makes a file that is missing, and refuses to insert nothing", async () => {
    const world = new ToolWorld();
    const result = await world.use(insertContent, { path: "q.jsonl", line: 0, content: "{}" });
    assert.equal(result.content, "Created q.jsonl, which did not exist.");
    assert.equal(world.files.text("q.jsonl"), "{}\n");
    const nothing = { path: "q.jsonl", line: 0, content: "" };
    assert.match(await world.refusal(insertContent, nothing), /Give the lines to insert/);
    assert.equal(insertContent.parameters.safeParse({ ...nothing, line: -1 }).success, false);
  });

  it("says when what it writes makes others do something", async () => {
    const world = new ToolWorld({
      "package.json": '{"version":"1"}',
      "x/HEAD": "",
      "x/objects/a": "",
      "x/refs/a": "",
    });
    await world.reads("package.json");
    const protectionOf = async (path: string, content: string) => {
      const action = await world.actionOf(writeToFile, { path, content });
      return action.access === "write" ? action.protection : undefined;
    };
    assert.equal(await protectionOf("package.json", '{"version":"2"}'), undefined);
    assert.match(spoken((await protectionOf("package.json", '{"scripts":{}}')) ?? ""), /scripts/);
    assert.match(
      spoken((await protectionOf("a.json", '{"$schema":"https://x/y"}')) ?? ""),
      /https:\/\/x\/y/,
    );
    assert.match(spoken((await protectionOf("x/config", "")) ?? ""), /repository/);
    assert.equal(await protectionOf(".git/config", ""), undefined, "the name says it");
  });
});
