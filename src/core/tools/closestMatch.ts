/** Longer files are not compared character by character. */
const maxCompared = 20_000;
const maxShown = 12;

/**
 * Tells a model whose text was not found which lines come nearest and what differs there;
 * `undefined` when nothing resembles it.
 */
export function closestMatch(
  lines: readonly string[],
  search: readonly string[],
): string | undefined {
  const wanted = search.map((line) => line.trim());
  const have = lines.map((line) => line.trim());
  const at = bestWindow(have, wanted) ?? mostSimilarLine(have, wanted);
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

/** Where most lines agree, if at least one that says something does. */
function bestWindow(have: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    if (line.length > 2) places.set(line, [...(places.get(line) ?? []), index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of have.entries()) {
    for (const offset of places.get(line) ?? []) {
      const start = index - offset;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  for (const [start, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = start;
  }
  return best;
}

function mostSimilarLine(have: readonly string[], wanted: readonly string[]): number | undefined {
  const offset = wanted.findIndex((line) => line.length > 2);
  const target = pairsOf(wanted[offset] ?? "");
  let best: number | undefined;
  let bestScore = 0.5;
  for (const [index, line] of have.slice(0, maxCompared).entries()) {
    const score = similarity(target, pairsOf(line.slice(0, 400)));
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  return best === undefined ? undefined : Math.max(0, best - offset);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

/** Dice's coefficient of the pairs of characters. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
