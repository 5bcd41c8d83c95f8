import ignore from "ignore";

/**
 * Questions after which the answers that the library has kept are let go: it keeps one for each path and each folder above it,
 * for as long as the process lives.
 */
const mostAsked = 1000;

/** Patterns in gitignore syntax. What they keep of the paths that were asked about has a bound. */
export class PathPatterns {
  #matcher: ReturnType<typeof ignore>;
  #asked = 0;

  constructor(
    lines: readonly string[],
    private readonly options: { readonly ignorecase: boolean },
  ) {
    this.#matcher = ignore(options).add(lines);
  }

  /** Throws what the library throws, as for a path that is not relative. */
  ignores(path: string): boolean {
    return this.#forNextPath().ignores(path);
  }

  /** Returns whether a pattern ignores the path, and whether one un-ignores it. Throws as {@link ignores} does. */
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean } {
    return this.#forNextPath().test(path);
  }

  #forNextPath(): ReturnType<typeof ignore> {
    if (++this.#asked > mostAsked) {
      // The patterns themselves, which were compiled, are taken over.
      this.#matcher = ignore(this.options).add(this.#matcher);
      this.#asked = 1;
    }
    return this.#matcher;
  }
}
