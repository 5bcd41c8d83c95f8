import assert from "node:assert/strict";
import fc from "fast-check";
import type { Block, ListItem } from "../../src/core/jobs/documents/block.js";
import { type JobLog, readJobLog } from "../../src/core/jobs/documents/jobLog.js";
import {
  type Entry,
  entryOf,
  fieldOf,
  readEntryHeading,
} from "../../src/core/jobs/documents/workLog.js";
import { anyText } from "../unit/core/jobs/documents/anyLog.js";

const row = fc.constantFrom(
  "## Work Log",
  "## 工作日志",
  "## Roadmap",
  "# Other",
  "### Log 2 @a (b)",
  "### Log 2 @a (b)",
  "### Log-3 @ time for runner",
  "#### Log 4 @c (d)",
  "  ### Log 5 @e (f)",
  "- **Role**: Runner",
  "- **Role**: Runner",
  "- role: planner",
  "  - **Role**: Runner",
  "* **Role**: Planner",
  "1. Role: Runner",
  "- Controller: x",
  "- Role of the parser",
  "- **Objective**: Task 1. One",
  "- **Result**: Pending",
  "- **Summary**: Half is done.",
  "- **Summary**: 一半已完成。",
  "- [ ] 1. One",
  "  further line",
  "  - left: `src/a.ts`",
  "",
  "",
  "  ```",
  "  # no heading",
  "   # a heading",
  "```",
  "<!--",
  "-->",
  "> - **Role**: Runner",
  "text",
  "\tcode",
);
const document = fc
  .tuple(fc.array(row, { maxLength: 25 }), fc.constantFrom("\n", "\n", "\r\n", "\r"))
  .map(([rows, end]) => rows.map((one) => one + end).join(""));
const change = fc.record({
  at: fc.nat({ max: 500 }),
  gone: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  rows: fc.array(row, { maxLength: 4 }),
});

/** Returns the entries of a log, each read in its place in the whole log. */
function entriesOf({ sections, lines }: JobLog): Entry[] {
  const level = sections.workLog.find((block) => block.kind === "heading")?.level ?? 0;
  const begun: { row: number; heading: string | undefined; items: ListItem[] }[] = [];
  const isRole = (item: Block) => item.kind === "item" && fieldOf(item) === "role";
  for (const block of sections.workLog) {
    if (block.kind === "heading" && block.level <= level) {
      begun.push({ row: block.row, heading: block.text, items: [] });
    } else if (block.kind === "item") {
      const hasRole = begun.at(-1)?.items.some(isRole) ?? true;
      if (hasRole && isRole(block)) begun.push({ row: block.row, heading: undefined, items: [] });
      begun.at(-1)?.items.push(block);
    }
  }
  return begun.map(({ row, heading, items }) => {
    const read = heading === undefined ? undefined : readEntryHeading(heading);
    return entryOf({ row, heading: read, items }, lines);
  });
}

function said({ row, heading, role, result, fields }: Entry): Entry {
  return { row, heading, role, result, fields };
}

describe("the entries of a job's log", () => {
  it("[R-JIXO-28] [R-JIXO-32] are read as they stand in the log, whatever was read before", () => {
    let entries = 0;
    fc.assert(
      fc.property(
        fc.oneof(document, anyText),
        fc.array(change, { maxLength: 3 }),
        (first, made) => {
          let text = first;
          readJobLog("");
          for (const next of [undefined, ...made]) {
            if (next !== undefined) {
              const added = next.rows.map((one) => `${one}\n`).join("");
              text = text.slice(0, next.at) + added + text.slice(next.at + next.gone);
            }
            const log = readJobLog(text);
            assert.deepEqual(
              log.entries.map((entry) => said(entry)),
              entriesOf(log),
            );
            entries += log.entries.length;
          }
        },
      ),
      { numRuns: 5_000 },
    );
    assert.ok(entries > 10_000, String(entries));
  });
});
