import type { Problem } from "../ports.js";
import { visibleLine } from "./visibleText.js";

const maxProblems = 100;

const ranks = { error: 0, warning: 1, information: 2, hint: 3 } as const;

/** Returns problems as lines for a model, the worst first, and at most 100 of them. */
export function problemLines(problems: readonly Problem[]): string {
  const byRank = problems.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]);
  const lines = byRank.slice(0, maxProblems).map(({ path, line, severity, message, source }) => {
    const from = source === "" ? "" : ` (${visibleLine(source, 60)})`;
    return `${path}:${line} ${severity}: ${visibleLine(message, 500)}${from}`;
  });
  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`(and ${left} more)`] : [])].join("\n");
}
