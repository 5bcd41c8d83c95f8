import assert from "node:assert/strict";
import fc from "fast-check";
import type { EditBlock } from "../../../../../src/core/tools/editing/editBlock.js";
import { readDiff } from "../../../../../src/core/tools/editing/readDiff.js";
import { blockFormat } from "../../../../../src/core/tools/editing/searchReplaceBlocks.js";

const parsed = (diff: string): readonly EditBlock[] => {
  const result = readDiff(diff);
  assert.ok("changes" in result, "problem" in result ? result.problem : "");
  return result.changes.flatMap(({ blocks }) => blocks);
};
const problem = (diff: string): string => {
  const result = readDiff(diff);
  assert.ok("problem" in result);
  return result.problem;
};

describe("SEARCH/REPLACE blocks", () => {
  it("reads the format that it shows", () => {
    assert.deepEqual(parsed(blockFormat), [
      { search: ["exact lines of the file"], replace: ["new lines"], startLine: 12 },
    ]);
  });

  it("reads several blocks, with and without what is optional", () => {
    const diff = [
      "```diff",
      "<<<<<<< SEARCH",
      "a",
      "",
      "=======",
      ">>>>>>> REPLACE",
      "",
      "<<<<<<< SEARCH>  ",
      ":start_line: 7",
      ":end_line:8",
      "-------",
      "b",
      "=======",
      "c",
      ">>>>>>> REPLACE",
      "```",
    ].join("\r\n");
    assert.deepEqual(parsed(diff), [
      { search: ["a", ""], replace: [] },
      { search: ["b"], replace: ["c"], startLine: 7 },
    ]);
  });

  it("says which line does not belong", () => {
    const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";
    assert.match(
      problem(`Hello you.\n${block}`),
      /Line 1 of the diff, "Hello you.", is in no block/,
    );
    assert.match(problem("hello"), /no SEARCH\/REPLACE block/);
    assert.match(problem(""), /no SEARCH\/REPLACE block/);
    assert.match(
      problem("<<<<<<< SEARCH\na\n>>>>>>> REPLACE"),
      /Line 3 .* where ======= was expected/,
    );
    assert.match(
      problem("<<<<<<< SEARCH\na\n=======\nb\n=======\n>>>>>>> REPLACE"),
      /Line 5 .* with a backslash/,
    );
    assert.match(problem("<<<<<<< SEARCH\na\n=======\nb"), /Block 1 has no >>>>>>> REPLACE line/);
  });

  it("takes no :start_line: among the new lines", () => {
    const diff = (line: string) => `<<<<<<< SEARCH\na\n=======\n${line}\nb\n>>>>>>> REPLACE`;
    assert.match(problem(diff(":start_line:3")), /Block 1 has :start_line:3 among its new lines/);
    assert.match(problem(diff(":end_line: 3")), /with a backslash before it/);
    assert.deepEqual(parsed(diff("\\:start_line:3"))[0]?.replace, [":start_line:3", "b"]);
  });

  it("passes over a file's name and fences, and keeps to whom blocks belong", () => {
    const block = ["<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"];
    for (const name of ["src/a b.js", "Here it is:"]) {
      assert.match(problem([name, ...block].join("\n")), /Line 1 of the diff/);
    }
    for (const name of [
      "src/cart.js",
      "`src/cart.js`",
      "**File: src/cart.js**",
      "// src/cart.js",
      "### src/cart.js:",
    ]) {
      const read = readDiff([name, "```js", ...block, "```", "", "Makefile", ...block].join("\n"));
      assert.ok("changes" in read, "problem" in read ? read.problem : "");
      assert.deepEqual(
        read.changes.map(({ names, blocks }) => [names, blocks.length]),
        [
          [["src/cart.js"], 1],
          [["Makefile"], 1],
        ],
      );
    }
  });

  it("takes no marker outside of a block for a file's name", () => {
    const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";
    const problem = 'Line 6 of the diff, ">>>>>>> REPLACE", is in no block.';
    assert.deepEqual(readDiff(`${block}\n>>>>>>> REPLACE`), { problem });
  });

  it("gives back what was written, markers in the content included", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "")),
      fc.constantFrom(
        "=======",
        "<<<<<<< SEARCH",
        ">>>>>>> REPLACE",
        "-------",
        ":start_line:3",
        "\\=======",
        "======= ",
        "<<<<<<< HEAD",
        "\\\\server",
      ),
    );
    const escaped = (text: string) =>
      text.replace(/^(?=\\*(<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:))/, "\\");
    const blocks = fc.array(
      fc.record(
        {
          search: fc
            .array(line, { minLength: 1, maxLength: 4 })
            .filter((all) => all.some((text) => text !== "")),
          replace: fc.array(line, { maxLength: 4 }),
          startLine: fc.integer({ min: 1, max: 99 }),
        },
        { noNullPrototype: true },
      ),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(blocks, (all) => {
        const diff = all.map(({ search, replace, startLine }) =>
          [
            "<<<<<<< SEARCH",
            `:start_line:${startLine}`,
            "-------",
            ...search.map(escaped),
            "=======",
            ...replace.map(escaped),
            ">>>>>>> REPLACE",
          ].join("\n"),
        );
        assert.deepEqual(parsed(diff.join("\n")), all);
      }),
    );
  });

  it("reads whole blocks or none, of anything", () => {
    const line = fc.constantFrom(
      "<<<<<<< SEARCH",
      "=======",
      ">>>>>>> REPLACE",
      "a",
      "",
      "-------",
      ":start_line:1",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), (lines) => {
        const result = readDiff(lines.join("\n"));
        if ("problem" in result) return;
        const blocks = result.changes.flatMap((change) => change.blocks);
        const count = (text: string) => lines.filter((one) => one === text).length;
        assert.equal(blocks.length, count("<<<<<<< SEARCH"));
        assert.equal(blocks.length, count("======="));
        assert.equal(blocks.length, count(">>>>>>> REPLACE"));
      }),
    );
  });
});
