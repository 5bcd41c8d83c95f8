import ignore from "ignore";
import { UserError } from "./errors.js";

/**
 * Steps that a path may take to be matched, a tenth of a second of work at most. Ordinary rules take
 * some thousand.
 */
const mostSteps = 20_000_000;

/** What a line of rules can cost: how its matching grows with the path. */
interface Degree {
  /** `**`, each of which may stand for any folders. */
  readonly folders: number;
  /** `*` in one name, each of which may stand for any characters. */
  readonly characters: number;
}

/**
 * Rules in the syntax of gitignore, which somebody else may have written so that matching them takes
 * for ever: they are expressions that backtrack. Asking about such a path throws instead.
 */
export class IgnoreRules {
  readonly #rules: ReturnType<typeof ignore>;
  /** How many lines have each degree, by its two numbers. */
  readonly #degrees = new Map<string, { degree: Degree; lines: number }>();

  constructor(lines: string | readonly string[], { ignorecase }: { readonly ignorecase: boolean }) {
    const all = typeof lines === "string" ? lines.split(/\r?\n/) : lines;
    this.#rules = ignore({ ignorecase }).add([...all]);
    for (const line of all) {
      const degree = degreeOf(line);
      const key = `${degree.folders} ${degree.characters}`;
      const known = this.#degrees.get(key);
      this.#degrees.set(key, { degree, lines: (known?.lines ?? 0) + 1 });
    }
  }

  /** Throws a {@link UserError} where that would take too long, and what the library throws. */
  ignores(path: string): boolean {
    this.#check(path);
    return this.#rules.ignores(path);
  }

  /** Says of a path whether a rule ignores it, or brings it back; throws as {@link ignores} does. */
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean } {
    this.#check(path);
    return this.#rules.test(path);
  }

  #check(path: string): void {
    const names = path.split("/");
    const longest = names.reduce((most, name) => Math.max(most, name.length), 1);
    let steps = 0;
    for (const { degree, lines } of this.#degrees.values()) {
      // The library matches each folder on the way by itself, too.
      const folders = names.length * ways(names.length, degree.folders);
      steps += lines * folders * ways(longest, degree.characters - 1);
    }
    if (steps <= mostSteps) return;
    throw new UserError(
      "The rules of what to ignore have too many stars for a path as long as this. Write them with fewer.",
    );
  }
}

/** In how many ways stars can share out so many items, at most. */
function ways(items: number, stars: number): number {
  return Math.min(items ** Math.max(0, stars), 2 ** items);
}

function degreeOf(line: string): Degree {
  const names = line.split("/");
  const stars = names.map((name) => name.match(/\*+/g)?.length ?? 0);
  return {
    folders: names.filter((name) => name.includes("**")).length,
    characters: Math.max(...stars),
  };
}
