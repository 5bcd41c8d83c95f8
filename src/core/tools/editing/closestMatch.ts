import type { LineIndex } from "./lineIndex.js";

/** The most lines that are compared character by character. */
const maxCompared = 300;
const maxShown = 12;

/**
 * Describes, for a model whose text was not found, which lines come closest and what differs there;
 * `undefined` when nothing resembles the text.
 */
export function closestMatch(file: LineIndex, search: readonly string[]): string | undefined {
  const { lines } = file;
  const at = bestWindow(file, search) ?? mostSimilarLine(file, search);
  if (at === undefined) return undefined;
  const last = Math.min(at + search.length, lines.length);
  const where = last - at > 1 ? `lines ${at + 1}-${last}` : `line ${at + 1}`;
  const differences: string[] = [];
  for (const [offset, line] of search.entries()) {
    const actual = lines[at + offset];
    if (actual === line) continue;
    differences.push(`searched: ${line.slice(0, 200)}`);
    differences.push(
      actual === undefined
        ? "the file ends here"
        : `line ${at + offset + 1}: ${actual.slice(0, 200)}`,
    );
    if (differences.length >= maxShown) {
      differences.push("…");
      break;
    }
  }
  return `Closest: ${where}, with these differences:\n${differences.join("\n")}`;
}

/**
 * Returns the 0-based place where most lines agree, lines of one or two characters aside;
 * `undefined` if none does.
 */
function bestWindow(file: LineIndex, search: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  for (const [offset, line] of search.entries()) {
    if (line.trim().length <= 2) continue;
    for (const place of file.places(line, "indentation")) {
      const start = place - offset;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  let most = 0;
  for (const [start, count] of votes) {
    if (count > most || (count === most && start < (best ?? 0))) [best, most] = [start, count];
  }
  return best;
}

function mostSimilarLine(file: LineIndex, search: readonly string[]): number | undefined {
  const offset = search.findIndex((line) => line.trim().length > 2);
  const wanted = search[offset]?.trim() ?? "";
  const target = pairsOf(wanted);
  let best: number | undefined;
  let bestScore = 0.5;
  for (const place of file.relatives(wanted, maxCompared)) {
    const score = similarity(target, pairsOf((file.lines[place] ?? "").trim().slice(0, 400)));
    if (score > bestScore) [best, bestScore] = [place, score];
  }
  return best === undefined ? undefined : Math.max(0, best - offset);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

/** Returns Dice's coefficient of two sets of character pairs. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
