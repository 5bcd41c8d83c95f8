import { browsedAddress, kindsOf } from "./commandKind.js";
import type { EnvelopeCommand, TextEdit } from "./envelope.js";
import type { EnvelopeProblem } from "./rules.js";

/**
 * Returns the reasons why a command that fits the schema still cannot be carried out (R-ENV-3, 10, 12,
 * 13).
 */
export function commandProblems(command: EnvelopeCommand): EnvelopeProblem[] {
  const problems: EnvelopeProblem[] = [];
  const kinds = kindsOf(command);
  if (kinds.length !== 1) {
    const some = command.shell ?? command.run;
    const message =
      kinds.length > 1
        ? `names ${kinds.join(" and ")}; one command is one tool`
        : some === undefined
          ? "names no tool: give shell, run and cwd, or one of read, edit, replace, escape_string, unescape_string"
          : "is not whole: a shell command has shell, run and cwd";
    problems.push({ rule: "R-ENV-3/one-command", path: "command", message });
  }
  if (kinds.includes("browse") && browsedAddress(command.run ?? "") === undefined) {
    const message = "names no web address; write browse https://…, and nothing after it";
    problems.push({ rule: "R-ENV-10/address", path: "command.run", message });
  }
  if (command.edit !== undefined) {
    const problem = editsProblem(command.edit.edits);
    if (problem !== undefined) problems.push(problem);
  }
  if (command.replace !== undefined) {
    const { raw, regex } = command.replace;
    if ((raw === undefined) === (regex === undefined)) {
      const message = "needs one of raw and regex, and not both";
      problems.push({ rule: "R-ENV-13/raw-or-regex", path: "command.replace", message });
    }
  }
  return problems;
}

/** Returns the first problem with the offsets of the edits, if any. */
export function editsProblem(edits: readonly TextEdit[]): EnvelopeProblem | undefined {
  const sorted = [...edits.entries()].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
  let reached = { index: 0, end: 0 };
  for (const [index, { start, end }] of sorted) {
    const path = `command.edit.edits.${index}`;
    if (end < start) {
      return { rule: "R-ENV-12/end-before-start", path, message: "ends before it starts" };
    }
    if (start < reached.end) {
      const message = `overlaps with edits.${reached.index}; join them into one`;
      return { rule: "R-ENV-12/overlapping-edits", path, message };
    }
    if (end > reached.end) reached = { index, end };
  }
  return undefined;
}
