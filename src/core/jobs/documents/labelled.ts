/** A line that begins with a name and a colon, as in `**Role**: Planner` or `status: Pending`. */
export interface Labelled {
  /** The name in lower case. */
  readonly name: string;
  /** The value, trimmed, and without quotes or marks that enclose all of it. */
  readonly value: string;
  /** The offset after the colon. */
  readonly behind: number;
  /** The offset of {@link value}; if the value is empty, start and end are both the end of the line. */
  readonly start: number;
  readonly end: number;
}

const label = /^(\*\*|__|[*_`])?([\p{L} ]{1,30}?)(?:\s*[:：]\1|\1\s*[:：])/u;
const enclosing = ["**", "*", "`", '"', "'"];

export function readLabelled(line: string): Labelled | undefined {
  const found = label.exec(line);
  const name = found?.[2]?.trim().toLowerCase();
  if (!found || !name) return undefined;
  const behind = found[0].length;
  const trimmed = line.trimEnd();
  let end = Math.max(behind, trimmed.length);
  let start = Math.min(end, end - trimmed.slice(behind).trimStart().length);
  const given = line.slice(start, end);
  const marks = enclosing.find(
    (mark) => given.length > 2 * mark.length && given.startsWith(mark) && given.endsWith(mark),
  );
  // Marks inside belong to parts of the value, as in `**one** and **two**`.
  if (marks !== undefined && !given.slice(marks.length, -marks.length).includes(marks)) {
    start += marks.length;
    end -= marks.length;
  }
  return { name, value: line.slice(start, end).trim(), behind, start, end };
}
