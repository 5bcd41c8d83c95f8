import { countText } from "./countText.js";

/** A diff that fits, and the files of which only a part, or nothing, is in it. */
export interface CutDiff {
  readonly text: string;
  readonly cut: readonly string[];
}

/**
 * Cuts a diff to a length, so that each file has a share of it: what a small file does not need goes to the larger ones.
 * A file's part is cut after a whole line, and says how many lines are left out.
 *
 * @param diff as `git diff` prints it
 * @param maxLength in characters; the notes about what is left out come on top
 */
export function cutDiff(diff: string, maxLength: number): CutDiff {
  const parts = diff.split(/^(?=diff --(?:git|cc) )/m).filter((part) => part !== "");
  if (diff.length <= maxLength) return { text: diff, cut: [] };
  const shares = new Map<string, number>();
  let left = maxLength;
  const smallestFirst = parts.toSorted((a, b) => a.length - b.length);
  smallestFirst.forEach((part, index) => {
    const share = Math.min(part.length, Math.floor(left / (parts.length - index)));
    shares.set(part, share);
    left -= share;
  });
  const cut: string[] = [];
  const texts = parts.map((part) => {
    const share = shares.get(part) ?? 0;
    if (part.length <= share) return part;
    const [header = ""] = part.split("\n", 1);
    cut.push(nameIn(header));
    const kept = part.slice(0, part.lastIndexOf("\n", share) + 1) || `${header}\n`;
    const lines = part.slice(kept.length).replace(/\n$/, "").split("\n").length;
    return `${kept}(cut here: ${countText(lines, "more line")} of this file)\n`;
  });
  return { text: texts.join(""), cut };
}

/** Returns the file of a header such as `diff --git a/src/x.js b/src/x.js`, in which both names are the same. */
function nameIn(header: string): string {
  const [, names = ""] = /^diff --git a\/(.*)$/.exec(header) ?? [];
  const name = names.slice(0, (names.length - " b/".length) / 2);
  return names === `${name} b/${name}` ? name : header.replace(/^diff --\w+ /, "");
}
