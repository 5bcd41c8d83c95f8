export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "file" | "note";
  readonly text: string;
}

/** Splits a unified diff into its lines, with the kind of each; accepts other lines around the hunks. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // Old and new lines left in the hunk: inside a hunk, `--- a` is a removed line and not a file's name.
  let before = 0;
  let after = 0;
  return lines.map((text): DiffLine => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      before = Number(hunk[1] ?? 1);
      after = Number(hunk[2] ?? 1);
      return { kind: "hunk", text };
    }
    const inHunk = before > 0 || after > 0;
    if (!inHunk && /^(---|\+\+\+|diff |index |Index:|={10})/.test(text)) {
      return { kind: "file", text };
    }
    switch (text.charAt(0)) {
      case "+":
        after--;
        return { kind: "added", text };
      case "-":
        before--;
        return { kind: "removed", text };
      case "\\":
        return { kind: "note", text };
      default:
        before--;
        after--;
        return { kind: "same", text };
    }
  });
}

/** Counts the lines that a diff adds and removes. */
export function diffCounts(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { kind } of diffLines(diff)) {
    if (kind === "added") added++;
    if (kind === "removed") removed++;
  }
  return { added, removed };
}
