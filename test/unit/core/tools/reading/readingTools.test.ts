import assert from "node:assert/strict";
import { spoken } from "../../../../../src/core/text/words.js";
import { listFiles } from "../../../../../src/core/tools/reading/listFiles.js";
import { readFile } from "../../../../../src/core/tools/reading/readFile.js";
import { searchFiles } from "../../../../../src/core/tools/reading/searchFiles.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../../fakes/memorySearch.js";
import { damagedPage, PlainPdf, plainPdf } from "../../../../fakes/plainPdf.js";
import { ToolWorld } from "../toolWorld.js";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}`).join("\n");

describe("read_file", () => {
  it("numbers the lines, whatever ends them", async () => {
    const world = new ToolWorld({ "a.txt": "\uFEFFone\r\ntwo\n\nfour" });
    const { ok, content } = await world.use(readFile, { path: "./a.txt" });
    assert.deepEqual({ ok, content }, { ok: true, content: "1 | one\n2 | two\n3 | \n4 | four" });
  });

  it("reads a part and says which", async () => {
    const world = new ToolWorld({ "a.txt": numbers(10) });
    const part = await world.use(readFile, { path: "a.txt", start_line: 9, end_line: 99 });
    assert.equal(part.content, "9 | 9\n10 | 10\n(lines 9-10 of 10)");
    const beyond = await world.use(readFile, { path: "a.txt", start_line: 11 });
    assert.equal(beyond.ok, false);
    assert.match(beyond.content, /has 10 lines; there is nothing from 11/);
    assert.equal(readFile.title({ path: "a.txt", start_line: 9 }), "a.txt:9-");
  });

  it("reads the text of a PDF, page by page, and lets nobody overwrite it as if it had been read", async () => {
    const file = plainPdf("Total: 12\nTax: 2", "", "The end");
    const world = new ToolWorld({ "a.txt": file }, {}, { pdf: new PlainPdf() });
    const all = await world.use(readFile, { path: "a.txt" });
    const lines = [
      "[Page 1 of 3]",
      "Total: 12",
      "Tax: 2",
      "",
      "[Page 2 of 3]",
      "",
      "",
      "[Page 3 of 3]",
      "The end",
    ];
    assert.equal(all.content, lines.map((line, index) => `${index + 1} | ${line}`).join("\n"));
    assert.equal(all.seen, undefined);
    const part = await world.use(readFile, { path: "a.txt", start_line: 8 });
    assert.equal(part.content, "8 | [Page 3 of 3]\n9 | The end\n(lines 8-9 of 9)");
  });

  it("says of a PDF how many pages are left out, and that one has no text", async () => {
    const pdf = new PlainPdf(5);
    const world = new ToolWorld({ "a.pdf": plainPdf("First", "Second", "Third") }, {}, { pdf });
    const { content } = await world.use(readFile, { path: "a.pdf" });
    assert.match(content, /First[^]*\[The text of the last 2 pages is left out/);
    assert.doesNotMatch(content, /Second/);
    world.files.put("scanned.pdf", plainPdf("", " "));
    await assert.rejects(world.use(readFile, { path: "scanned.pdf" }), { code: "pdfWithoutText" });
  });

  it("reads a PDF of which a page is damaged, and says which", async () => {
    const file = plainPdf("First", damagedPage, "Third");
    const world = new ToolWorld({ "a.pdf": file }, {}, { pdf: new PlainPdf() });
    const { content } = await world.use(readFile, { path: "a.pdf" });
    assert.match(content, /First[^]*\[Page 2 of 3, which is damaged and cannot be read\][^]*Third/);
  });

  it("shows an image as it is now", async () => {
    const png = Uint8Array.from([0x89, ...new TextEncoder().encode("PNG\r\n\x1a\n…")]);
    const world = new ToolWorld({ "shots/a.txt": png });
    const { ok, content, images = [] } = await world.use(readFile, { path: "shots/a.txt" });
    assert.deepEqual([ok, content], [true, `shots/a.txt is an image (${png.length} bytes).`]);
    assert.deepEqual(
      images.map(({ name }) => name),
      ["a.txt"],
    );
    world.files.put("shots/a.txt", "another");
    const kept = await world.files.readLocated(images[0]!.path, 100);
    assert.deepEqual(kept?.bytes, png);
  });

  it("does not show an image that servers would refuse as too large", async () => {
    const png = new Uint8Array(5_000_001);
    png.set([0x89, ...new TextEncoder().encode("PNG\r\n\x1a\n")]);
    const world = new ToolWorld({ "a.png": png });
    const { ok, content, images } = await world.use(readFile, { path: "a.png" });
    assert.deepEqual([ok, images], [false, undefined]);
    assert.match(
      content,
      /^a\.png is an image of 5\.0 MB, and at most 5\.0 MB can be shown\. Make/,
    );
  });

  it("stops at its limits and says how to go on", async () => {
    const world = new ToolWorld({
      "many.txt": numbers(8123),
      "two.txt": `${"x".repeat(3000)}\nshort\n`,
      "both.txt": `${"y".repeat(1990)}\n`.repeat(100),
    });
    const many = await world.use(readFile, { path: "many.txt" });
    assert.match(
      many.content,
      /\n2000 \| 2000\n\(lines 1-2000 of 8123; continue with start_line 2001\)$/,
    );
    const wide = await world.use(readFile, { path: "two.txt" });
    assert.match(wide.content, /^1 \| x{2000}… \(1000 more characters; read this line alone for/);
    const both = await world.use(readFile, { path: "both.txt" });
    assert.ok(both.content.length < 61_000);
    assert.match(both.content, /\(lines 1-30 of 100; continue with start_line 31\)$/);
  });

  it("reads a line of megabytes piece by piece, and lines in the middle of a file of 11 MB", async () => {
    const digits = Array.from({ length: 700_000 }, (_, index) => `${index % 10}`.repeat(8)).join(
      "",
    );
    const world = new ToolWorld({ "one.json": digits, "big.log": numbers(1_500_000) });
    const first = await world.use(readFile, { path: "one.json" });
    assert.ok(first.content.startsWith(`1 | ${digits.slice(0, 60_000)}\n`));
    assert.ok(
      first.content.endsWith(
        "(characters 1-60000 of 5600000 of line 1; continue with from_character 60001)",
      ),
    );
    const last = await world.use(readFile, { path: "one.json", from_character: 5_599_993 });
    const note = "(characters 5599993-5600000 of 5600000 of line 1)";
    assert.equal(last.content, `1 | 99999999\n${note}`);
    const none = await world.use(readFile, { path: "one.json", from_character: 5_600_001 });
    assert.equal(none.ok, false);
    // A model that has seen a line in part must not replace the whole file.
    assert.equal(world.seen.of("one.json")?.isWhole, false);
    const middle = await world.use(readFile, {
      path: "big.log",
      start_line: 1_400_000,
      end_line: 1_400_001,
    });
    assert.match(middle.content, /^1400000 \| 1400000\n1400001 \| 1400001\n/);
  });

  it("answers plainly what cannot be read", async () => {
    const world = new ToolWorld({
      "empty.txt": "",
      "logo.png": Uint8Array.from([0x89, 0x50, 0, 1]),
      "latin1.txt": Uint8Array.from([0xe9, 10]),
      "big.txt": new Uint8Array(64_000_001),
    });
    world.files.link("escape", "/etc");
    assert.equal(
      (await world.use(readFile, { path: "empty.txt" })).content,
      "(The file is empty.)",
    );
    assert.match(
      (await world.use(readFile, { path: "logo.png" })).content,
      /binary file \(4 bytes\)/,
    );
    assert.match(
      (await world.use(readFile, { path: "latin1.txt" })).content,
      /^1 \| �\n\(not UTF-8/,
    );
    assert.match(
      await world.refusal(readFile, { path: "big.txt" }),
      /too big to read \(64\.0 MB\)/,
    );
    assert.match(
      await world.refusal(readFile, { path: "none" }),
      /no file none\. Look with list_files/,
    );
    assert.match(await world.refusal(readFile, { path: "" }), /is a folder\. Use list_files/);
  });

  it("[R-ROO-1] refuses placeholders for the workspace, and takes braces that are names", async () => {
    const names = ["{{cookiecutter.name}}/a", "{{workspace.name}}/a", "<workspaceId>/a"];
    const world = new ToolWorld(Object.fromEntries(names.map((name) => [name, "x"])));
    for (const path of [
      "{{workspace}}/a",
      "a/{{ workspace }}",
      "{{workspace_root}}/a",
      "${workspaceFolder}/a",
      "${workspaceFolder:app}/a",
      "<workspace>/a",
    ]) {
      assert.match(await world.refusal(readFile, { path }), /Leave the placeholder out/);
    }
    for (const path of names) {
      assert.equal((await world.use(readFile, { path })).ok, true, path);
    }
  });

  it("takes the separators of other systems", async () => {
    const world = new ToolWorld({ "src/a.txt": "x" });
    assert.equal((await world.use(readFile, { path: ".\\src\\a.txt" })).ok, true);
  });
});

describe("reading what is not a matter of course", () => {
  it("asks, and looks at nothing before, outside of the workspace", async () => {
    const world = new ToolWorld({ "/etc/passwd": "root" });
    world.files.link("escape", "/etc");
    const tools = [
      [readFile, "escape/passwd", "Read"],
      [listFiles, "/etc", "List"],
      [searchFiles, "../etc/passwd", "Search"],
    ] as const;
    for (const [tool, path, verb] of tools) {
      const looked: string[] = [];
      world.files.beforeOperation = (operation, at) => {
        if (operation !== "locate" && at !== ".rooignore") looked.push(at);
      };
      const args = { path, regex: "r" };
      const action = await world.actionOf(tool, args);
      const real = path.endsWith("passwd") ? "/etc/passwd" : "/etc";
      assert.deepEqual(
        [spoken(action.title).split(" ")[0], spoken(action.title).includes(real), action.inside],
        [verb, true, false],
      );
      assert.deepEqual(looked, []);
    }
    assert.equal((await world.use(readFile, { path: "/etc/passwd" })).content, "1 | root");
    assert.match((await world.use(readFile, { path: "/etc/none" })).content, /no file/);
  });

  it("asks before it reads what may hold secrets, and searches past it", async () => {
    const world = new ToolWorld({ ".env": "KEY=1", "a/id_rsa": "KEY", "a.txt": "KEY" });
    const action = await world.actionOf(readFile, { path: ".env" });
    assert.deepEqual([action.access, action.inside], ["read", true]);
    assert.equal(
      (await world.use(searchFiles, { path: ".", regex: "KEY" })).content,
      "a.txt\n1 | KEY",
    );
    assert.equal((await world.actionOf(searchFiles, { path: ".env", regex: "K" })).path, ".env");
    assert.equal(
      (await world.use(searchFiles, { path: ".env", regex: "K" })).content,
      ".env\n1 | KEY=1",
    );
    assert.match((await world.use(listFiles, { path: "." })).content, /^\.env$/m);
  });

  it("does not take ~ for a folder", async () => {
    const world = new ToolWorld({ "~x/a": "1" });
    for (const path of ["~", "~/.ssh/config", "~root/a", "~\\a"]) {
      assert.match(await world.refusal(readFile, { path }), /"~" stands for nothing/);
    }
  });

  it("lets no name of a file look like another line", async () => {
    const world = new ToolWorld({ "a\nsrc/b": "x", "c\u202Ed": "x" });
    const { content } = await world.use(listFiles, { path: ".", recursive: true });
    assert.equal(content, "a\\nsrc/\na\\nsrc/b\nc⟨U+202E⟩d");
  });
});

describe("list_files", () => {
  it("lists a folder, or all below it", async () => {
    const world = new ToolWorld({ "src/a/b.ts": "", "src/c.ts": "", "README.md": "" });
    assert.equal((await world.use(listFiles, { path: "." })).content, "README.md\nsrc/");
    const below = await world.use(listFiles, { path: "src", recursive: true });
    assert.equal(below.content, "src/a/\nsrc/a/b.ts\nsrc/c.ts");
  });

  it("says when it stopped, and what is no folder", async () => {
    const files = Array.from({ length: 1001 }, (_, i) => [`f${i}`, ""] as const);
    const world = new ToolWorld(Object.fromEntries(files));
    const { content } = await world.use(listFiles, { path: "" });
    assert.match(content, /\n\(Only the first 1000; list a folder below instead\.\)$/);
    assert.match(await world.refusal(listFiles, { path: "f1" }), /is a file\. Use read_file/);
    assert.match(await world.refusal(listFiles, { path: "none" }), /no folder none/);
  });
});

describe("search_files", () => {
  it("groups what it finds by file", async () => {
    const world = new ToolWorld({
      "a.ts": "x1\ny\nx2\n",
      "b.md": "x3",
      "c.ts": `x${"4".repeat(400)}`,
    });
    const all = await world.use(searchFiles, { path: "", regex: "x\\d" });
    assert.equal(
      all.content,
      `a.ts\n1 | x1\n2 - y\n3 | x2\n\nb.md\n1 | x3\n\nc.ts\n1 | x${"4".repeat(299)}…`,
    );
    const some = await world.use(searchFiles, { path: ".", regex: "x", file_pattern: "*.md" });
    assert.equal(some.content, "b.md\n1 | x3");
    assert.equal(
      (await world.use(searchFiles, { path: "", regex: "zzz" })).content,
      "No line matches.",
    );
  });

  it("says that a file is too large to be searched, and not that nothing matches", async () => {
    const world = new ToolWorld({ "big.log": "a\n".repeat(2_700_000), "small.log": "a\n" });
    const search = (path: string) => world.use(searchFiles, { path, regex: "zzz" });
    const big = await search("big.log");
    assert.equal(big.ok, false);
    assert.match(big.content, /^big\.log was passed over: it has .* are not searched\. Read/);
    assert.equal((await search("small.log")).content, "No line matches.");
  });

  it("names, once, the texts below a folder that are too large to be searched", async () => {
    const passedOver = new Set<string>();
    const large = "a\n".repeat(2_700_000);
    const files = { "logs/big.log": large, "logs/b.bin": `\0${large}`, "logs/c.md": "x\n" };
    const world = new ToolWorld(files, {}, { passedOver });
    const search = async (more: object) =>
      (await world.use(searchFiles, { path: "", regex: "x", ...more })).content;
    const note =
      /^\(Not searched, because they have more than 5\.2 MB: logs\/big\.log\. Read a part with start_line, or search them by a command\.\)$/m;
    assert.doesNotMatch(await search({ file_pattern: "*.md" }), note);
    const first = await search({});
    assert.match(first, /^logs\/c\.md\n1 \| x\n/);
    assert.match(first, note);
    assert.doesNotMatch(await search({}), note);
    assert.doesNotMatch(await search({ path: "logs" }), note);
    passedOver.clear();
    assert.match(await search({ path: "logs", regex: "zzz" }), note);
  });

  it("shows two lines around each of a few matches, and none around many", async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
    const world = new ToolWorld({ "a.ts": text, "b.ts": "z\n" });
    const find = async (regex: string) =>
      (await world.use(searchFiles, { path: "", regex })).content;
    assert.equal(
      await find("^line (1|5|12|14)$"),
      "a.ts\n1 | line 1\n2 - line 2\n3 - line 3\n4 - line 4\n5 | line 5\n6 - line 6\n7 - line 7\n…\n" +
        "10 - line 10\n11 - line 11\n12 | line 12\n13 - line 13\n14 | line 14\n15 - line 15\n16 - line 16",
    );
    const many = await find("line (1|2)\\d|line [1-9]$");
    assert.ok(!many.includes(" - ") && !many.includes("…"), many);
  });

  it("shows nothing around a match of a file that has become a link to another one", async () => {
    const files = new MemoryFileSystem({ "a.ts": "x\n", ".env": "KEY=1\nx\nKEY=2\n" });
    const search = new MemorySearch(files);
    const matches = search.matches.bind(search);
    search.matches = async (query, signal) => {
      const found = await matches(query, signal);
      await files.removeFile("a.ts");
      files.link("a.ts", ".env");
      return found;
    };
    const world = new ToolWorld(files, {}, { search });
    const { content } = await world.use(searchFiles, { path: "", regex: "x" });
    assert.equal(content, "a.ts\n1 | x");
  });

  it("says when there is more, or no such place", async () => {
    const world = new ToolWorld({ a: "x\n".repeat(300) });
    const { content } = await world.use(searchFiles, { path: "a", regex: "x" });
    assert.match(content, /\n200 \| x\n\(Only the first 200 matches; search more narrowly\.\)$/);
    assert.match(
      await world.refusal(searchFiles, { path: "none", regex: "x" }),
      /There is no none/,
    );
    await assert.rejects(world.use(searchFiles, { path: "", regex: "(" }), {
      code: "patternInvalid",
    });
  });
});
