import { CannotEdit, editDocument } from "../../documents/editDocument.js";
import { editJobLog } from "./editJobLog.js";
import { type JobLog, progressOf, readJobLog, saysTheSame } from "./jobLog.js";
import type { RoadmapItem } from "./roadmap.js";
import { type Entry, fieldLines } from "./workLog.js";

/**
 * Writes the log anew in the form of R-JIXO-28, from what was read of it: for a log that cannot be edited in
 * its own form (R-JIXO-31). The content stays the same; text that is not part of the job is dropped.
 *
 * @throws {CannotEdit} if something that looks like work could not be read, and would be lost
 */
export function rebuildJobLog(log: JobLog): JobLog {
  const title = log.title === undefined ? [] : [`title: ${JSON.stringify(log.title)}`];
  const notes = Object.entries(log.notes).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const own = ["---", ...title, `progress: "${progressOf(log.tasks)}%"`, ...notes, "---", ""];
  const isKept = log.matter.rows > 0 && log.matter.problems.length === 0;
  const matter = isKept ? log.lines.text.slice(0, log.lines.offset(log.matter.rows)) : undefined;
  const text = [
    matter ?? own.join("\n"),
    "## Roadmap",
    "",
    ...log.roadmap.flatMap((item) => itemLines(item, "")),
    "",
    "## Work Log",
    "",
    ...log.entries.flatMap((entry) => entryLines(entry)),
  ].join("\n");
  const before = isKept ? log : { ...log, givenProgress: progressOf(log.tasks) };
  const all = { start: 0, end: log.lines.text.length, text };
  const after = editDocument(log.lines.text, [all], {
    read: readJobLog,
    isExpected: (rebuilt) => saysTheSame(rebuilt, before) && !losesWork(log.lines.text, text),
    refusal: () =>
      new CannotEdit(
        "logUnrebuildable",
        "The log cannot be edited in this place as it is, and rewriting it would lose something. Fix it by hand: rooroo validate job-log says where.",
      ),
  });
  // A rebuilt log is of use only if it can be edited.
  return editJobLog(after, [{ type: "updateProgress" }], 2);
}

function itemLines(item: RoadmapItem, indent: string): string[] {
  const { isChecked, text } = item;
  const box = isChecked === undefined ? "" : isChecked ? "[x] " : "[ ] ";
  const below = `${indent}  `;
  const own = `${indent}- ${box}${text}`;
  const fields = [...item.fields].map(([name, { value }]) => `${below}- ${name}: ${value}`);
  if (item.kind === "phase") {
    return [own, ...fields, ...item.children.flatMap((child) => itemLines(child, below))];
  }
  const { statusLines, status, runner } = item;
  const known = status ?? statusLines[0]?.value;
  return [
    own,
    ...(known === undefined ? [] : [`${below}- status: ${known}`]),
    ...(runner === undefined ? [] : [`${below}- runner: ${runner}`]),
    ...fields,
  ];
}

function entryLines({ heading, fields }: Entry): string[] {
  const number = heading?.number === undefined ? "" : ` ${heading.number}`;
  const by = heading?.runner === undefined ? "" : ` for ${heading.runner}`;
  const of = heading?.name === undefined ? "" : ` (${heading.time})`;
  const what = heading?.name ?? `${heading?.time ?? ""}${by}`;
  const title = heading === undefined ? [] : [`### Log${number} @${what}${of}`, ""];
  return [...title, ...fieldLines(fields), ""];
}

/** Patterns of text that a person would take for a task or its status. */
const looksLikeWork = [
  /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\]/gm,
  /^[ \t\-*+]*status\**[ \t]*[:：]/gim,
];
const looksLikeEntry = /^[ \t]*#{1,6}[ \t].*@|^[ \t\-*+]*result\**[ \t]*[:：]/gim;

function losesWork(before: string, after: string): boolean {
  return [...looksLikeWork, looksLikeEntry].some(
    (pattern) => (before.match(pattern) ?? []).length > (after.match(pattern) ?? []).length,
  );
}
