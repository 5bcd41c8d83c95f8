import { UserError } from "../errors.js";
import { PathPatterns } from "./pathPatterns.js";

/**
 * The most steps that matching one path may take: a tenth of a second of work. Ordinary rules take a few
 * thousand.
 */
const mostSteps = 20_000_000;

/** The growth of the cost of matching one line of rules with the length of the path. */
interface Degree {
  /** The number of names with `**`, each of which may match any number of folders. */
  readonly folders: number;
  /** The most `*` in one name, each of which may match any characters. */
  readonly characters: number;
}

/**
 * Rules in gitignore syntax. Matching backtracks, so a hostile rule could make it take practically
 * forever; matching a path for which it would take too long throws instead.
 */
export class IgnoreRules {
  readonly #rules: PathPatterns;
  /** The number of lines of each degree, keyed by the degree's two numbers. */
  readonly #degrees = new Map<string, { degree: Degree; lines: number }>();

  constructor(lines: string | readonly string[], { ignorecase }: { readonly ignorecase: boolean }) {
    const all = typeof lines === "string" ? lines.split(/\r?\n/) : lines;
    this.#rules = new PathPatterns(all, { ignorecase });
    for (const line of all) {
      const degree = degreeOf(line);
      const key = `${degree.folders} ${degree.characters}`;
      const known = this.#degrees.get(key);
      this.#degrees.set(key, { degree, lines: (known?.lines ?? 0) + 1 });
    }
  }

  /**
   * Returns whether the rules ignore the path. Throws a {@link UserError} when matching would take too
   * long, and what the library throws.
   */
  ignores(path: string): boolean {
    this.#check(path);
    return this.#rules.ignores(path);
  }

  /**
   * Returns whether a rule ignores the path, and whether one un-ignores it. Throws as {@link ignores}
   * does.
   */
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean } {
    this.#check(path);
    return this.#rules.test(path);
  }

  #check(path: string): void {
    const names = path.split("/");
    const longest = names.reduce((most, name) => Math.max(most, name.length), 1);
    let steps = 0;
    for (const { degree, lines } of this.#degrees.values()) {
      // The library also matches each parent folder by itself.
      const folders = names.length * ways(names.length, degree.folders);
      steps += lines * folders * ways(longest, degree.characters - 1);
    }
    if (steps <= mostSteps) return;
    throw new UserError(
      "tooManyStars",
      "The ignore rules have too many stars for a path this long. Write them with fewer.",
    );
  }
}

/** Returns an upper bound on the number of ways to distribute the items among the stars. */
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
