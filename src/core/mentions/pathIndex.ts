interface Entry {
  readonly path: string;
  readonly folded: string;
  /** Where the last name begins. */
  readonly base: number;
  /** The letters and digits that the path has, a bit each. */
  readonly letters: number;
}

/**
 * The paths of a workspace, found by what a person types, ranked as VS Code's quick open does: a name before its
 * folders, its beginning before its middle, letters together before letters apart. Folders end with `/`.
 */
export class PathIndex {
  private readonly entries = new Map<string, Entry>();

  /** @param paths of files; the folders above them are in the index, too */
  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  get size(): number {
    return this.entries.size;
  }

  add(path: string): void {
    if (path === "" || this.entries.has(path)) return;
    this.entries.set(path, entryOf(path));
    const parent = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    this.add(parent);
  }

  /** Removes a file, or a folder with everything in it; the path of a folder may be given without its `/`. */
  remove(path: string): void {
    const isFile = this.entries.delete(path);
    const folder = path.endsWith("/") ? path : `${path}/`;
    if (isFile || !this.entries.has(folder)) return;
    for (const known of this.entries.keys()) {
      if (known.startsWith(folder)) this.entries.delete(known);
    }
  }

  /**
   * Returns the paths that match best, the best first.
   *
   * @param typed parts that are separated by blanks all have to match; case does not matter
   */
  find(typed: string, limit: number): string[] {
    const parts = typed
      .toLowerCase()
      .split(/\s+/)
      .filter((part) => part !== "");
    if (parts.length === 0) return [];
    const wanted = parts.reduce((sum, part) => sum | lettersOf(part), 0);
    const best: { path: string; score: number }[] = [];
    for (const entry of this.entries.values()) {
      if ((entry.letters & wanted) !== wanted) continue;
      const score = scoreOf(entry, parts);
      if (score === undefined) continue;
      const least = best.at(-1);
      if (best.length >= limit && least !== undefined && least.score >= score) continue;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
      best.splice(at, 0, { path: entry.path, score });
      if (best.length > limit) best.pop();
    }
    return best.map(({ path }) => path);
  }
}

function entryOf(path: string): Entry {
  const folded = path.toLowerCase();
  const base = path.lastIndexOf("/", path.length - 2) + 1;
  return { path, folded, base, letters: lettersOf(folded) };
}

/** Returns a bit for each letter and digit of a text; a path can match only if it has those of what is typed. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + ((code - 48) % 5));
  }
  return bits;
}

function scoreOf(entry: Entry, parts: readonly string[]): number | undefined {
  let sum = 0;
  for (const part of parts) {
    const score = partScore(entry, part);
    if (score === undefined) return undefined;
    sum += score;
  }
  // Of equal matches, the shorter path is meant.
  return sum - entry.folded.length / 1_000;
}

function partScore({ path, folded, base }: Entry, part: string): number | undefined {
  const name = folded.slice(base);
  const at = name.indexOf(part);
  if (at === 0) return 8_000 - (name.length - part.length);
  if (at > 0) return (isWordStart(path, base + at) ? 6_500 : 5_000) - at;
  const inName = scattered(path, folded, part, base);
  if (inName !== undefined) return 3_000 + inName;
  const inPath = folded.indexOf(part);
  if (inPath >= 0) return isWordStart(path, inPath) ? 2_500 : 2_000;
  const gaps = scattered(path, folded, part, 0);
  return gaps === undefined ? undefined : 500 + gaps;
}

/** Scores letters that follow one another with others between them, from `start`; `undefined` if they do not. */
function scattered(path: string, folded: string, part: string, start: number): number | undefined {
  let score = 0;
  let from = start;
  for (let index = 0; index < part.length; index++) {
    const letter = part.charAt(index);
    const next = folded.indexOf(letter, from);
    if (next < 0) return undefined;
    const together = index > 0 && next === from;
    score += together ? 20 : isWordStart(path, next) ? 30 : 0;
    score -= Math.min(10, next - from);
    from = next + 1;
  }
  return Math.max(-400, Math.min(900, score));
}

/** Returns whether a word begins there: after a separator, or with a capital after a small letter. */
function isWordStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const before = path.charAt(at - 1);
  if (/[/\\._\- ]/.test(before)) return true;
  const here = path.charAt(at);
  return here !== here.toLowerCase() && before === before.toLowerCase();
}
