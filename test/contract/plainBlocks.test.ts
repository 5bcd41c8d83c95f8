import assert from "node:assert/strict";
import fc from "fast-check";
import { TextLines } from "../../src/core/documents/textLines.js";
import type { Block, ListItem } from "../../src/core/jobs/documents/block.js";
import { readByLibrary, readOutline } from "../../src/core/jobs/documents/outline.js";
import { anyText } from "../unit/core/jobs/documents/anyLog.js";

const text = fc.constantFrom(
  "text",
  "[ ] 1. One",
  "**Role**: Runner",
  "**bold** and *not*",
  "_so_",
  "`code`",
  "~~gone~~",
  "第一步",
  "é",
  "3 files",
  "1.2. three",
  "2) two",
  "1. one",
  "10. ten",
  "1.",
  "12345678901. long",
  "-x",
  "--flag",
  "---",
  "- - -",
  "* * *",
  "***",
  "___",
  "_ _ _",
  "**",
  "** *",
  "*",
  "-",
  "- ",
  "-  wide",
  "-     code",
  "-\ttab",
  "+ plus",
  "- nested",
  "* other",
  "```",
  "````sh",
  "~~~",
  "# heading",
  "###### six",
  "####### seven",
  "#no heading",
  "#",
  "> quote",
  ">",
  "> - quoted item",
  "<!-- comment",
  "-->",
  "<div>",
  "</div>",
  "<pre>",
  "<x y>",
  "\u00A0",
  "\u00A0hard",
  "\u3000wide",
  "\f",
  "\0",
  "\u2028",
  "",
);
const indent = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 4 }).map((count) => "  ".repeat(count)) },
  { weight: 2, arbitrary: fc.constantFrom(" ", "   ", "     ", "       ", "\t", " \t", "   \t") },
);
const mark = fc.constantFrom("- ", "- ", "- ", "* ", "+ ", "", "", "1. ", "> ");
const row = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(indent, mark, text, fc.constantFrom("", "", "", "", " ", "\t"))
      .map((parts) => parts.join("")),
  },
  { weight: 2, arbitrary: fc.constantFrom("", "", "  ", "\t", "## Work Log", "## 工作日志") },
);
const document = fc
  .tuple(
    fc.array(row, { maxLength: 14 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
    fc.boolean(),
  )
  .map(([rows, end, isEnded]) => rows.join(end) + (isEnded ? end : ""));

/** Returns a block as plain data. */
function said(block: Block): Block {
  return block.kind === "item" ? item(block) : block;
}

function item({ kind, row, end, lines, column, items }: ListItem): ListItem {
  return { kind, row, end, lines, column, items: items.map((one) => item(one)) };
}

describe("plain headings and items", () => {
  it("[R-JIXO-32] are read in any document as Markdown has them", () => {
    let items = 0;
    fc.assert(
      fc.property(fc.oneof(document, document, anyText), fc.nat({ max: 2 }), (text, firstRow) => {
        const lines = new TextLines(text);
        const from = Math.min(firstRow, lines.count);
        const { blocks } = readOutline(lines, from);
        assert.deepEqual(
          blocks.map((block) => said(block)),
          readByLibrary(lines, from),
        );
        if (blocks.some(({ kind }) => kind === "item")) items++;
      }),
      { numRuns: 6_000 },
    );
    assert.ok(items > 2_000, String(items));
  });

  it("[R-JIXO-32] are kept from an earlier text where the text, and so what it says, is the same", () => {
    let kept = 0;
    const change = fc.record({
      at: fc.nat({ max: 400 }),
      gone: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 60 })),
      rows: fc.array(row, { maxLength: 3 }),
      end: fc.constantFrom("\n", "\n", "", "\r\n", "\r"),
    });
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    const long = fc
      .array(fc.oneof(document, anyText), { maxLength: 5 })
      .map((all) => all.join("\n"));
    fc.assert(
      fc.property(
        long,
        changes,
        fc.nat({ max: 2 }),
        fc.nat({ max: 2 }),
        (first, made, one, other) => {
          let text = first;
          let outline = readOutline(new TextLines(text), one);
          for (const { at, gone, rows, end } of made) {
            const from = Math.min(at, text.length);
            const added = rows.map((each) => each + end).join("");
            text = text.slice(0, from) + added + text.slice(from + gone);
            const lines = new TextLines(text);
            const after = readOutline(lines, other, outline);
            assert.deepEqual(
              after.blocks.map((block) => said(block)),
              readByLibrary(lines, other),
            );
            if (after.blocks.some((block) => outline.blocks.includes(block))) kept++;
            outline = after;
          }
        },
      ),
      { numRuns: 6_000 },
    );
    assert.ok(kept > 2_000, String(kept));
  });
});
