import assert from "node:assert/strict";
import { createPatch } from "diff";
import fc from "fast-check";
import { applyBlocks } from "../../../../../src/core/tools/editing/editText.js";
import type { FileChange } from "../../../../../src/core/tools/editing/fileChanges.js";
import { readDiff } from "../../../../../src/core/tools/editing/readDiff.js";

const changes = (...lines: string[]): readonly FileChange[] => {
  const read = readDiff(lines.join("\n"));
  assert.ok("changes" in read, "problem" in read ? read.problem : "");
  return read.changes;
};
const problem = (...lines: string[]): string => {
  const read = readDiff(lines.join("\n"));
  assert.ok("problem" in read, JSON.stringify(read));
  return read.problem;
};
/** Applies a diff of one file; gives the notes if not all of it can be applied. */
const patched = (text: string, ...lines: string[]): string => {
  const blocks = changes(...lines).flatMap((change) => change.blocks);
  const edited = applyBlocks(text, blocks);
  return edited.refused === 0 ? edited.text : edited.notes.join("\n");
};

const cart =
  "class Cart {\n  total() {\n    return 0;\n  }\n\n  count() {\n    return 0;\n  }\n}\n";

describe("a patch that begins with *** Begin Patch", () => {
  it("changes lines, adds files, and is fenced or not", () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: src/a.js",
      "@@ total() {",
      "-old",
      "+new",
      " stays",
      "*** Add File: src/b.js",
      "+one",
      "+",
      "+two",
      "*** End Patch",
    ];
    const expected = [
      {
        names: ["src/a.js"],
        blocks: [
          {
            search: ["old", "stays"],
            replace: ["new", "stays"],
            under: ["total() {"],
            inOrder: true,
          },
        ],
      },
      { names: ["src/b.js"], blocks: [{ search: [], replace: ["one", "", "two"] }] },
    ];
    assert.deepEqual(changes(...patch), expected);
    assert.deepEqual(changes("This is the patch:", "```diff", ...patch, "```", "Done."), expected);
    assert.deepEqual(changes(...patch.slice(1, -1)), expected);
    const second = ["*** Update File: c", "@@", "-c", "+d"];
    assert.equal(changes("```", ...patch, "```", "", ...second).length, 3);
    assert.equal(
      patched("```js\na\n```\n", "```diff", "@@", " ```js", "-a", "+b", " ```"),
      "```js\nb\n```\n",
    );
    assert.deepEqual(changes(patch.join("\r\n")), expected);
  });

  it("goes where the heads above a hunk lead", () => {
    const under = (...heads: string[]) =>
      patched(
        cart,
        "*** Update File: a",
        ...heads.map((head) => `@@ ${head}`),
        "-    return 0;",
        "+    return 1;",
      );
    const [first, second] = [cart.replace("0", "1"), cart.replace(/0(?!.*0)/s, "1")];
    assert.equal(under("total() {"), first);
    assert.equal(under("count() {"), second);
    assert.equal(under("class Cart {", "count() {"), second);
    assert.match(under("elsewhere() {"), /found more than once, at lines 3, 7/);
    const twice = `${cart}${cart}`;
    const all = applyBlocks(twice, [{ search: ["    return 0;"], replace: [], under: ["}"] }]);
    assert.equal(all.refused, 1, all.text);
  });

  it("goes to the only place in what its head begins, and to none of several", () => {
    const hunk = (head: string) => [
      "*** Update File: a",
      `@@ ${head}`,
      "-    return x",
      "+    return y",
    ];
    const python = "def a(\n    b,\n):\n    x = 1\n\n    return x\n\ndef c():\n    return x\n";
    assert.equal(patched(python, ...hunk("def a(")), python.replace("x\n\ndef", "y\n\ndef"));
    const twice = python.replace("x = 1\n", "if x:\n        pass\n    return x\n");
    assert.match(patched(twice, ...hunk("def a(")), /found more than once/);
    // Nothing begins with this line, so that both of the places below it may be meant.
    assert.match(patched(`import x\n${python}`, ...hunk("import x")), /found more than once/);
    const guide = "## Linux\n\n- install\n\n### Later\n\n## macOS\n\n- install\n";
    assert.equal(
      patched(guide, "*** Update File: a", "@@ ## Linux", "-- install", "+- build"),
      guide.replace("install", "build"),
    );
  });

  it("has its hunks in the order of the file, where that tells of several places which one is meant", () => {
    assert.equal(
      patched("a\nb\nc\nb\n", "*** Update File: a", "@@", " a", "-b", "+x", "@@", "-b", "+y"),
      "a\nx\nc\ny\n",
    );
    assert.match(
      patched("a\nb\nb\nb\n", "*** Update File: a", "@@", " a", "-b", "+x", "@@", "-b", "+y"),
      /Block 2: not applied, found more than once/,
    );
    assert.equal(
      patched("f:\ng\nf:\n", "*** Update File: a", "@@", "-g", "+h", "@@ f:", "+  1"),
      "f:\nh\nf:\n  1\n",
    );
    // Hunks in another order are no harm where each has one place only.
    assert.equal(
      patched("a\nb\n", "*** Update File: a", "@@", "-b", "+y", "@@", "-a", "+x"),
      "x\ny\n",
    );
  });

  it("changes or adds the last lines of a file where a hunk ends with *** End of File", () => {
    const end = ["*** End of File", "*** End Patch"];
    const begin = ["*** Begin Patch", "*** Update File: a", "@@"];
    assert.equal(patched("b\nc\nb\nc\n\n", ...begin, "-b", "+x", " c", ...end), "b\nc\nx\nc\n\n");
    assert.equal(patched("a\nb\n", ...begin, "+c", "+d", ...end), "a\nb\nc\nd\n");
    assert.equal(patched("a\r\nb", ...begin, "+c", ...end), "a\r\nb\r\nc");
    assert.equal(patched("", ...begin, "+c", ...end), "c\n");
    assert.equal(patched("a\nb\n", ...begin, "-a", "+x", "@@", "+c", ...end), "x\nb\nc\n");
    assert.match(patched("b\nb\nc\n", ...begin, "-b", "+x", ...end), /found more than once/);
    assert.deepEqual(changes("*** Add File: a", "+x", ...end)[0]?.blocks, [
      { search: [], replace: ["x"] },
    ]);
  });

  it("is read with blanks before the markers around its files", () => {
    const update = ["*** Update File: a", "@@", "-a", "+b"];
    const expected = changes(...update);
    assert.deepEqual(
      changes("  *** Begin Patch", ` ${update.join("\n")}`, "  *** End Patch"),
      expected,
    );
    // Within a file, a blank before a line says that it stays.
    assert.equal(
      patched(
        "a\n*** End Patch\nc\n",
        "*** Update File: a",
        "@@",
        " a",
        " *** End Patch",
        "-c",
        "+d",
      ),
      "a\n*** End Patch\nd\n",
    );
  });

  it("adds lines after a head that has no other lines", () => {
    assert.equal(
      patched(cart, "*** Update File: a", "@@ count() {", "+    this.check();"),
      cart.replace("count() {\n", "count() {\n    this.check();\n"),
    );
  });

  it("is read with and without the blank before lines that stay", () => {
    for (const blank of [" ", ""]) {
      assert.equal(
        patched(
          "/*\n * Says hello.\n */\nhello();\n\tbye();\n",
          "*** Begin Patch",
          "*** Update File: a",
          "@@",
          `${blank} * Says hello.`,
          `${blank} */`,
          "-hello();",
          "+hello(1);",
          `${blank}\tbye();`,
        ),
        "/*\n * Says hello.\n */\nhello(1);\n\tbye();\n",
      );
    }
  });

  it("takes blanks for a line's own where the sign before lines that stay is left out", () => {
    assert.equal(
      patched(
        "/*\n * Says hello.\n */\n\tbye();\n",
        "*** Update File: a",
        "@@",
        " * Says hello.",
        "+ * And no more.",
        " */",
        "\tbye();",
      ),
      "/*\n * Says hello.\n * And no more.\n */\n\tbye();\n",
    );
  });

  it("overlooks empty lines between hunks, and hunks that change nothing", () => {
    assert.equal(
      patched(
        "a\nb\nc\n",
        "*** Update File: a",
        "@@",
        "",
        "@@",
        "-a",
        "+x",
        "",
        "@@",
        " b",
        "@@",
        "-c",
        "+z",
      ),
      "x\nb\nz\n",
    );
    assert.equal(problem("*** Update File: a", "@@", " a", "-b", "+b"), "It changes nothing.");
  });

  it("says what it cannot do", () => {
    assert.match(
      problem("*** Begin Patch", "*** Delete File: a"),
      /It deletes a\. .*execute_command/,
    );
    assert.match(
      problem("*** Update File: a", "*** Move to: b", "@@", "-x", "+y"),
      /It moves a to b\. .*execute_command/,
    );
    assert.match(
      problem("*** Add File: a", "+x", "y"),
      /Every line of a new file begins with \+.*"y"/,
    );
    assert.match(problem("*** Update File: a", "@@", "+x"), /Hunk 1 only adds lines/);
    assert.match(
      patched("a\na\n", "*** Update File: a", "@@ a", "+x"),
      /more than once, at lines 1, 2/,
    );
    assert.match(patched("a\n", "*** Update File: a", "@@ b", "+x"), /no line "b"/);
    assert.match(problem("*** Begin Patch", "*** End Patch"), /no \*\*\* Update File: line/);
  });
});

describe("a unified diff", () => {
  it("is read with and without what git says of it", () => {
    const hunk = [
      "@@ -12,2 +12,9 @@ total() {",
      "-old",
      "+new",
      " stays",
      "\\ No newline at end of file",
    ];
    const block = {
      search: ["old", "stays"],
      replace: ["new", "stays"],
      under: ["total() {"],
      startLine: 12,
      inOrder: true,
    };
    assert.deepEqual(changes(...hunk), [{ names: [], blocks: [block] }]);
    const names = ["--- a/src/x.js\t2026-11-22 10:00:00", "+++ b/src/x.js"];
    const named = { names: ["src/x.js", "src/x.js"], blocks: [block] };
    assert.deepEqual(changes("```diff", ...names, ...hunk, "```"), [named]);
    const git = ["diff --git a/src/x.js b/src/x.js", "index 1..2 100644"];
    const other = ["diff --git a/y b/y", "new file mode 100644", "--- /dev/null", "+++ b/y"];
    assert.deepEqual(changes(...git, ...names, ...hunk, ...other, "@@ -0,0 +1,2 @@", "+1", "+2"), [
      named,
      { names: ["y"], blocks: [{ search: [], replace: ["1", "2"] }] },
    ]);
  });

  it("takes a removed line of dashes for what it is", () => {
    assert.deepEqual(changes("--- a", "+++ a", "@@", " x", "--- note", "-- end")[0]?.blocks, [
      { search: ["x", "-- note", "- end"], replace: ["x"], inOrder: true },
    ]);
  });

  it("counts lines no better than models do: counts are not read, and the line only decides", () => {
    assert.equal(patched("a\nb\n", "@@ -9,7 +9,8 @@", "-a", "+x"), "x\nb\n");
    assert.equal(patched("a\nb\na\n", "@@ -3 +3 @@", "-a", "+x"), "a\nb\nx\n");
    assert.match(patched("a\nb\na\n", "@@ -2 +2 @@", "-a", "+x"), /more than once/);
  });

  it("says what it cannot do", () => {
    assert.match(problem("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), /It deletes x\./);
    assert.match(problem("@@ -5,0 +6 @@", "+x"), /Hunk 1 only adds lines/);
    assert.equal(patched("", "@@ -0,0 +1 @@", "+x"), "x\n");
    assert.match(patched("a\n", "@@ -0,0 +1 @@", "+x"), /this file has contents/);
    assert.match(problem("--- a/x", "+++ b/x", "Binary files differ"), /changes nothing/);
  });

  it("shares lines that stay between hunks", () => {
    assert.equal(patched("a\nb\nc\n", "@@", "-a", "+x", " b", "@@", " b", "-c", "+z"), "x\nb\nz\n");
    assert.match(
      patched("a\nb\n", "@@", " a", "+1", " b", "@@", " a", "+2", " b"),
      /overlaps block 2/,
    );
  });
});

describe("a patch of any file", () => {
  const line = fc.constantFrom(
    "",
    "a",
    "b",
    "  c",
    "\td",
    "-e",
    "+f",
    " g",
    "}",
    "@h",
    "let i = 1;",
  );
  const files = fc.record({
    before: fc.array(line, { minLength: 1, maxLength: 14 }),
    after: fc.array(line, { minLength: 1, maxLength: 14 }),
    context: fc.integer({ min: 1, max: 3 }),
  });
  const textOf = (lines: readonly string[]) => lines.map((one) => `${one}\n`).join("");

  it("makes exactly what it says, or is refused", () => {
    let made = 0;
    fc.assert(
      fc.property(files, fc.boolean(), ({ before, after, context }, isV4a) => {
        const [old, now] = [textOf(before), textOf(after)];
        const unified = createPatch("a", old, now, "", "", { context }).split("\n").slice(2);
        if (!unified.some((one) => one.startsWith("@@"))) return;
        const v4a = [
          "*** Begin Patch",
          "*** Update File: a",
          ...unified.slice(2).map((one) => (one.startsWith("@@") ? "@@" : one)),
          "*** End Patch",
        ];
        const read = readDiff((isV4a ? v4a : unified).join("\n"));
        if ("problem" in read) {
          assert.match(read.problem, /only adds lines/);
          return;
        }
        const edited = applyBlocks(
          old,
          read.changes.flatMap(({ blocks }) => blocks),
        );
        if (edited.refused > 0) return;
        made++;
        // An empty line at the end of a patch may be one of the file's, or only end the patch.
        assert.equal(edited.text, now);
      }),
      { numRuns: 400 },
    );
    assert.ok(made > 100, `${made} made`);
  });

  it("is read whole or refused, whatever it is", () => {
    const piece = fc.constantFrom(
      "*** Begin Patch",
      "*** Update File: a",
      "*** Add File: b",
      "*** End Patch",
      "--- a",
      "+++ b",
      "@@",
      "@@ -1 +1 @@ x",
      "<<<<<<< SEARCH",
      "=======",
      ">>>>>>> REPLACE",
      "+x",
      "-y",
      " z",
      "",
      "```",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (lines) => {
        const read = readDiff(lines.join("\n"));
        if ("problem" in read) return;
        const added = read.changes.flatMap(({ blocks }) => blocks.flatMap((one) => one.replace));
        for (const one of added) assert.ok(lines.some((each) => each.includes(one)));
      }),
    );
  });
});
