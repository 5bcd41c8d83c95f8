import fc from "fast-check";
import { sample, sampleNames } from "./samples.js";

/** Rows of the kinds that logs and job files are made of, well and badly. */
const row = fc.oneof(
  {
    weight: 6,
    arbitrary: indented(
      fc.constantFrom(
        "- [ ] 1. One",
        "- [x] 1. One",
        "* [ ] 2.1. Two",
        "1. [ ] three",
        "- [ ]",
        "- [ ] - [ ] x",
        "- status: Pending",
        "- status: Locked",
        "- **status**: `Failed`",
        "status: Completed",
        "- status:",
        "- runner: r-1",
        "- executor: r-2",
        "- status: Doing",
        "- attempts: 2",
        "- constructor: x",
        "- waits for: Q-1",
        "- after: 1, 2.1",
        "- needs: 1",
        "- [ ] 4. Four (after 1)",
        "> - [ ] 9. quoted",
        "- **Role**: Runner",
        "- **Result**: Pending",
        "- **Summary**: out of turns",
        "- x",
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "## Roadmap",
      "## 工作计划",
      "## Work Log",
      "### Log 2 @a (b)",
      "### @a (b)",
      "# Other",
      "",
      "---",
      "***",
      "===",
      "```",
      "~~~",
      "<!--",
      "-->",
      "<div>",
      "\tcode",
      "title: x",
      "...",
      'progress: "15%"',
      "progress: 0.15",
      " title: y",
      "title: {",
      "title: |",
      "  text",
      "a: *b",
      "### JIXO: CLARIFICATION REQUEST",
      "**ID**: Q",
      "**Question**:",
      "**Response**:",
      "- yes",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

function indented(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("", "", "  ", "    ", "\t", "\t\t", " "), text)
    .map(([indent, line]) => indent + line);
}

const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");

/** Anything that a file may hold: rows as above, samples cut and joined, bytes without a meaning. */
export const anyText = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("", "\uFEFF", "---\n"),
        fc.array(fc.tuple(row, lineEnd), { maxLength: 25 }),
      )
      .map(([start, rows]) => start + rows.flat().join("")),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...sampleNames(".md")), fc.nat({ max: 900 }), row)
      .map(([name, cut, more]) => sample(name).slice(0, cut) + more + sample(name).slice(cut)),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);
