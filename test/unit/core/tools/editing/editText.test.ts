import assert from "node:assert/strict";
import fc from "fast-check";
import { joinLines, splitLines } from "../../../../../src/core/text/lines.js";
import { applyBlocks, replaceText } from "../../../../../src/core/tools/editing/editText.js";

const block = (search: string, replace: string, startLine?: number) => ({
  search: search.split("\n"),
  replace: replace === "" ? [] : replace.split("\n"),
  ...(startLine === undefined ? {} : { startLine }),
});
const applied = (text: string, ...blocks: ReturnType<typeof block>[]): string => {
  const edited = applyBlocks(text, blocks);
  assert.equal(edited.refused, 0, edited.notes.join("\n"));
  return edited.text;
};
const refused = (text: string, ...blocks: ReturnType<typeof block>[]): string => {
  const edited = applyBlocks(text, blocks);
  assert.equal(edited.applied, 0, edited.notes.join("\n"));
  assert.equal(edited.text, text);
  return edited.notes.join("\n");
};

describe("applyBlocks", () => {
  it("replaces lines and leaves every other byte", () => {
    assert.equal(applied("a\n b \nc\n", block(" b ", "x\ny")), "a\nx\ny\nc\n");
    assert.equal(applied("a\nb\nc", block("c", "d")), "a\nb\nd");
    assert.equal(applied("a\nb\nc", block("b\nc", "")), "a");
    assert.equal(applied("a\r\nb\r\nc\r\n", block("b", "x\ny")), "a\r\nx\r\ny\r\nc\r\n");
    assert.equal(applied("a\r\nb\nc\n", block("a\nb", "a\nx")), "a\r\nx\nc\n");
  });

  it("applies several blocks to the text as it was", () => {
    assert.equal(
      applied("1\n2\n3\n4\n", block("3", "three"), block("1", "2\n2")),
      "2\n2\n2\nthree\n4\n",
    );
  });

  it("prefers the exact place over a similar one", () => {
    assert.equal(applied("  a\na\n", block("a", "x")), "  a\nx\n");
  });

  it("overlooks blanks at line ends, keeping those of lines that stay", () => {
    assert.equal(applied("a  \nb\t\nc\n", block("a\nb", "a\nx")), "a  \nx\nc\n");
  });

  it("overlooks typographic characters", () => {
    assert.equal(applied("say “hi”\nend\n", block('say "hi"', "say 'hi'")), "say 'hi'\nend\n");
    assert.equal(applied("say 'hi' - now\n", block("say ‘hi’ – now", "x")), "x\n");
  });

  it("replaces all of what differs almost everywhere, without comparing for ever", () => {
    const lines = (letter: string) => Array.from({ length: 5000 }, (_, i) => `${letter}${i}`);
    const [old, now] = [lines("x").join("\n"), lines("y").join("\n")];
    assert.equal(applied(`a\n${old}\nb`, block(old, now)), `a\n${now}\nb`);
  });

  it("overlooks nothing when it looks for blank lines", () => {
    refused("a\n \n", block("", "x"));
    assert.equal(applied("a\n\n", block("", "x")), "a\nx\n");
  });

  it("shifts indentation that is off throughout", () => {
    const file = "if (a) {\n    if (b) {\n        c();\n    }\n}\n";
    const shifted = "if (a) {\n    if (b) {\n        d();\n\n        e();\n    }\n}\n";
    assert.equal(
      applied(file, block("if (b) {\n    c();\n}", "if (b) {\n    d();\n\n    e();\n}")),
      shifted,
    );
    const deeper = block("      if (b) {\n          c();", "      if (b) {\n          d();");
    assert.equal(applied(file, deeper), file.replace("c()", "d()"));
    refused(file, block("if (b) {\n  c();\n }", "x"));
  });

  it("turns one unit of indentation into the other", () => {
    const tabs = "class A {\n\tm() {\n\t\ta();\n\t}\n}\n";
    assert.equal(
      applied(
        tabs,
        block(
          "    m() {\n        a();",
          "    m() {\n        if (b) {\n            c();\n        }",
        ),
      ),
      tabs.replace("\t\ta();", "\t\tif (b) {\n\t\t\tc();\n\t\t}"),
    );
    assert.equal(
      applied(
        "def f():\n    if a:\n        b()\n",
        block("  if a:\n    b()", "  if a:\n    c()\n    while d:\n      e()"),
      ),
      "def f():\n    if a:\n        c()\n        while d:\n            e()\n",
    );
    assert.equal(applied("\ta\n", block("    a", "    b\n        c")), "\tb\n\t\tc\n");
    assert.equal(applied("\tx\n\ta\n", block("a", "b\n    c")), "\tx\n\tb\n\t\tc\n");
  });

  it("keeps the typography of what a changed line keeps", () => {
    assert.equal(
      applied(
        "He said “yes” – at last.\n",
        block('He said "yes" - at last.', 'He said "yes" - at once.'),
      ),
      "He said “yes” – at once.\n",
    );
    assert.equal(
      applied('print("hi")\n', block("print(“hi”)", "print(“hello”)\nprint(“you”)")),
      'print("hello")\nprint("you")\n',
    );
  });

  it("overlooks empty lines around a block", () => {
    assert.equal(applied("a\nb\nc\n", block("\nb\n", "\nx\n")), "a\nx\nc\n");
    assert.equal(applied("a\nb\nc\n", block("b\n", "x")), "a\nx\nc\n");
  });

  it("takes copied line numbers away", () => {
    const file = "one\ntwo\nthree\n";
    assert.equal(applied(file, block("2 | two\n3 | three", "2 | 2\n3 | 3")), "one\n2\n3\n");
    assert.equal(applied(file, block(" 2 | two", "2")), "one\n2\nthree\n");
    assert.equal(applied("1 | a\n", block("1 | a", "1 | b")), "1 | b\n");
    assert.equal(applied("x\ny\nx\n", block("3 | x", "3 | z")), "x\ny\nz\n");
    assert.equal(
      applied(file, block("2 | two\n3 | three", "2 | two\nnew\n3 | three")),
      "one\ntwo\nnew\nthree\n",
    );
    refused(file, block("2 | two\n9 | three", "x"));
  });

  it("fills an empty file, and never one with contents", () => {
    const fill = { search: [], replace: ["x", "y"] };
    assert.equal(applyBlocks("", [fill]).text, "x\ny\n");
    assert.equal(applyBlocks("\n\n", [fill]).text, "x\ny\n");
    const { text, notes } = applyBlocks("a\n", [fill]);
    assert.equal(text, "a\n");
    assert.match(notes.join(), /not applied, it searches for nothing.*insert_content/);
    const two = applyBlocks("", [fill, { search: [], replace: ["z"] }]);
    assert.deepEqual([two.text, two.applied], ["", 0]);
  });

  it("applies blocks that share lines which stay, but not to the same lines", () => {
    assert.equal(applied("a\nb\nc\n", block("a\nb", "x\nb"), block("b\nc", "b\nz")), "x\nb\nz\n");
    assert.equal(applied("a\nb\n", block("a\nb", "a\nnew\nb"), block("b", "B")), "a\nnew\nB\n");
    refused("a\nb\n", block("a\nb", "a\n1\nb"), block("a\nb", "a\n2\nb"));
  });

  it("refuses what it finds twice, unless told which", () => {
    const file = "x\na\nx\n";
    assert.match(
      refused(file, block("x", "y")),
      /^Block 1: not applied, found more than once, at lines 1, 3\./,
    );
    assert.equal(applied(file, block("x", "y", 3)), "x\na\ny\n");
    refused(file, block("x", "y", 2));
    assert.equal(applied(file, block("a", "b", 99)), "x\nb\nx\n");
  });

  it("shows what comes closest, line by line", () => {
    const note = refused("alpha();\nbeta(1);\ngamma();\n", block("alpha();\nbeta(2);", "x"));
    assert.match(
      note,
      /not applied, not found\. Closest: lines 1-2, with these differences:\nsearched: beta\(2\);\nline 2: beta\(1\);$/,
    );
    assert.match(
      refused("function alpha() {\n", block("functoin alpha() {", "x")),
      /Closest: line 1/,
    );
    assert.match(refused("a\n", block("something else", "x")), /Nothing in the file resembles it/);
    assert.match(refused("new line\n", block("old line", "new line")), /already at line 1/);
  });

  it("applies what fits, and says of each block how it went", () => {
    const edited = applyBlocks("a\nb\nc\n", [block("a", "x"), block("zzz", "y"), block("c", "z")]);
    assert.equal(edited.text, "x\nb\nz\n");
    assert.deepEqual([edited.applied, edited.refused], [2, 1]);
    assert.match(
      edited.notes.join("\n"),
      /^Block 1: line 1, 1 → 1 lines\nBlock 2: not applied, not found.*\nBlock 3: line 3/,
    );
  });

  it("applies none of two blocks that overlap, and one that is there twice once", () => {
    const note = refused("a\nb\nc\n", block("a\nb", "x"), block("b\nc", "y"));
    assert.match(note, /^Block 1: not applied, overlaps block 2 at line 2\. Make one block/);
    assert.match(note, /\nBlock 2: not applied, overlaps block 1 at line 2/);
    const twice = applyBlocks("a\nb\n", [block("a", "x"), block("a", "x")]);
    assert.equal(twice.text, "x\nb\n");
    assert.equal(twice.notes[1], "Block 2: the same as block 1");
  });

  it("makes exactly the intended bytes of any file with one kind of line break", () => {
    const line = fc.constantFrom("", " ", "a", "b", "  a", "a ", "{", "}", "\tx", "é“”", "1 | a");
    const edits = fc
      .record({
        lines: fc.array(line, { minLength: 1, maxLength: 12 }),
        end: fc.constantFrom("\n", "\r\n"),
        open: fc.boolean(),
        cuts: fc.array(
          fc.record({
            skip: fc.nat(2),
            take: fc.integer({ min: 1, max: 3 }),
            put: fc.array(line, { maxLength: 3 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      })
      // Without a line break, a last line of nothing would be no line, and one line of no kind.
      .filter(({ lines, open }) => !open || (lines.at(-1) !== "" && lines.length > 1));
    fc.assert(
      fc.property(edits, ({ lines, end, open, cuts }) => {
        const blocks = [];
        const expected: string[] = [];
        let at = 0;
        for (const { skip, take, put } of cuts) {
          const start = at + skip;
          if (start + take > lines.length) break;
          expected.push(...lines.slice(at, start), ...put);
          at = start + take;
          blocks.push({ search: lines.slice(start, at), replace: put, startLine: start + 1 });
        }
        expected.push(...lines.slice(at));
        const text = (all: readonly string[]) =>
          open ? all.join(end) : all.map((each) => each + end).join("");
        const edited = applyBlocks(text(lines), blocks);
        assert.equal(edited.refused, 0, edited.notes.join("\n"));
        assert.equal(edited.text, text(expected));
      }),
    );
  });

  it("changes no line that no block is about, whatever the file and the blocks", () => {
    const line = fc.constantFrom("a", "b", " a", "a ", "\ta", "“a”", '"a"', "", "3 | a", "c");
    const text = fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 10 })
      .map((lines) => lines.flat().join(""));
    const blocks = fc.array(
      fc.record({
        search: fc.array(line, { minLength: 1, maxLength: 3 }),
        replace: fc.constant(["NEW"]),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(text, blocks, (before, all) => {
        const edited = applyBlocks(before, all);
        if (edited.refused > 0) return;
        const old = splitLines(before);
        const now = splitLines(edited.text);
        const touched = all.reduce((sum, one) => sum + one.search.length, 0);
        const added = edited.notes.filter((note) => !note.includes("the same as")).length;
        assert.ok(now.length >= old.length - touched + added);
        const kept = now.filter((each) => each.text.trim() !== "NEW");
        assert.equal(now.length - kept.length, added);
        // What is left is what was there, in order and with its own line breaks.
        let from = 0;
        for (const each of kept) {
          const found = old.findIndex(
            (one, index) => index >= from && one.text === each.text && one.end === each.end,
          );
          assert.ok(found >= 0);
          from = found + 1;
        }
      }),
    );
  });
});

describe("applyBlocks, loosely", () => {
  const file =
    "function total(items) {\n    let sum = 0;\n\n    for (const item of items) {\n        sum += item.price;\n    }\n    return sum;\n}\n";

  it("finds lines by their text where each has other blanks, and keeps the file's bytes", () => {
    const lost = "for (const item of items) {\n        sum += item.price;\n   }";
    const more = lost.replace("price", "cents").replace("sum +=", "  sum +=");
    assert.equal(
      applied(file, block(lost, more)),
      file.replace("sum += item.price", "  sum += item.cents"),
    );
    assert.equal(
      applied(file, block(`${lost}\nreturn sum;`, `${lost}\nreturn sum / 100;`)),
      file.replace("return sum", "return sum / 100"),
    );
  });

  it("refuses loose lines that are there twice, or whose indentation is not clear", () => {
    const lost = block("  let sum = 0;\nfor (const item of items) {", "  let sum = 0;\nx();");
    applied(file, lost);
    refused(file + file, lost);
    refused(file, block("  let sum = 0;\nfor (const item of items) {", "y();\n  x();\nz();"));
  });

  it("overlooks empty lines between others, and keeps the file's", () => {
    const close = "let sum = 0;\nfor (const item of items) {";
    assert.equal(
      applied(file, block(close, close.replace("0", "1"))),
      file.replace("sum = 0", "sum = 1"),
    );
    const wide =
      "    let sum = 0;\n\n    for (const item of items) {\n\n        sum += item.price;";
    assert.equal(
      applied(file, block(wide, wide.replace("price", "cents"))),
      file.replace("price", "cents"),
    );
    refused(file, block("    }\n\n    return sum;", "    }\n    return sum;"));
  });

  it("leaves lines around out that are not there, two at each end and a third of all at most", () => {
    const kept = "        sum += item.price;\n    }\n    return sum;\n}";
    const now = kept.replace("price", "cents");
    const edited = applyBlocks(file, [block(`    guess();\n${kept}`, `    guess();\n${now}`)]);
    assert.equal(edited.text, file.replace("price", "cents"));
    assert.match(edited.notes.join(), /overlooking blanks and 1 line around that is not there/);
    applied(file, block(`${kept}\n// a\n// b`, `${now}\n// a\n// b`));
    refused(file, block(`${kept}\n// a\n// b\n// c`, `${now}\n// a\n// b\n// c`));
    refused(file, block("guess();\n    return sum;", "guess();\n    return 0;"));
    refused(file, block(`guess();\n${kept}`, `other();\n${now}`));
    refused(file + file, block(`guess();\n${kept}`, `guess();\n${now}`));
    // What has no word in it could be anywhere, and a sign may mean that the line is to go.
    refused("{\n}\n}\n", block("a\n{\n}", "a\n{\nx\n}"));
    refused(file, block(`  - gone();\n${kept}`, `  - gone();\n${now}`));
  });

  it("leaves nothing out where another place has as many of the lines", () => {
    const first = "open file\nread line\nclose file\n";
    const second = "open file\nread line\nlog error\nclose file\n";
    const mixed = "open file\nread line\nclose file\nlog error";
    const edit = block(mixed, mixed.replace("line", "all"));
    assert.equal(applied(first, edit), first.replace("line", "all"));
    refused(`${first}--\n${second}`, edit);
  });

  it("leaves out less than half of a block, and nothing that may be meant to be added", () => {
    refused(file, block("g();\nh();\n    return sum;\n}", "g();\nh();\n    return 0;\n}"));
    const search = "        sum += item.price;\n    }\n    return sum;";
    refused(
      file,
      block(
        `${search}\nlog(all);`,
        `${search.replace("return sum", "const all = sum")}\nlog(all);`,
      ),
    );
  });

  it("does not take the one of two places whose indentation is clear", () => {
    const clear = "  if x:\n        y1\n      y2\n";
    const unclear = "  if x:\n        y1\n        y2\n";
    const edit = block("if x:\n    y1\n  y2", "if x:\n    z");
    assert.equal(applied(clear, edit), "  if x:\n        z\n");
    refused(unclear, edit);
    refused(clear + unclear, edit);
  });

  it("indents an added line like the one beside it that the block has at the same level", () => {
    assert.equal(
      applied("  a:\n        b1\nc1\n", block("a:\n    b1\nc1", "a:\n    b1\n    b2\nc1")),
      "  a:\n        b1\n        b2\nc1\n",
    );
  });

  it("leaves nothing out where the new lines are there already", () => {
    const search = "    guess();\n    let sum = 0;\n    for (const item of items) {";
    refused(file, block(search, search.replace("guess();\n", "guess();\n    let sum = 0;\n")));
    const again = "    guess();\n    }\n    return sum;\n}";
    refused(file, block(again, again.replace("    }\n", "        sum += item.price;\n    }\n")));
  });
});

describe("replaceText", () => {
  const replaced = (text: string, old: string, replacement: string, all = false): string => {
    const edited = replaceText(text, old, replacement, all);
    assert.ok(edited.ok, edited.note);
    return edited.text;
  };

  it("replaces a piece within a line", () => {
    assert.equal(replaced("let a = 1;\n", "a = 1", "b = 2"), "let b = 2;\n");
    assert.equal(replaced("a$&b", "a", "$&$1"), "$&$1$&b");
  });

  it("writes line breaks as the file does", () => {
    assert.equal(replaced("a\r\nb\r\nc\r\n", "a\nb", "x\ny"), "x\r\ny\r\nc\r\n");
    assert.equal(replaced("a\r\nb\r\n", "b", "x\ny"), "a\r\nx\r\ny\r\n");
    assert.equal(replaced("a\nb\n", "b", "x\r\ny"), "a\nx\ny\n");
  });

  it("falls back to whole lines", () => {
    assert.equal(replaced("  a();  \n  b();\n", "a();\nb();", "c();"), "  c();\n");
    assert.equal(replaced("a “b”\nc\na “b”\n", 'a "b"', "x", true), "x\nc\nx\n");
  });

  it("refuses what occurs more than once, unless all are meant", () => {
    const several = replaceText("a b\na\n", "a", "x", false);
    assert.equal(several.ok, false);
    assert.match(several.note, /at lines 1, 2\. .* or set replace_all\.$/);
    assert.equal(replaceText("aaa", "aa", "x", false).ok, false);
    assert.equal(replaced("a b\na\n", "a", "x", true), "x b\nx\n");
  });

  it("makes exactly the intended text, or none", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 20 });
    const piece = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\n"),
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(letters, piece, letters, (text, old, replacement) => {
        const first = text.indexOf(old);
        if (first < 0) return;
        // A last line break stays.
        const ended = (now: string) =>
          text.endsWith("\n") && now !== "" && !now.endsWith("\n") ? `${now}\n` : now;
        const edited = replaceText(text, old, replacement, false);
        const again = text.indexOf(old, first + 1);
        assert.equal(edited.ok, again < 0);
        if (edited.ok) {
          const expected = text.slice(0, first) + replacement + text.slice(first + old.length);
          assert.equal(edited.text, ended(expected));
        }
        const all = replaceText(text, old, replacement, true);
        assert.ok(all.ok && all.text === ended(text.replaceAll(old, () => replacement)));
      }),
    );
  });
});

describe("splitLines", () => {
  it("loses nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\r", "\n") }), (text) => {
        assert.equal(joinLines(splitLines(text)), text);
      }),
    );
  });
});
