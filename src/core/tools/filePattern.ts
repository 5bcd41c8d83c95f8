import { UserError } from "../errors.js";
import { IgnoreRules } from "../ignoreRules.js";

/** The most globs that braces may expand to; each pair can double them. */
const mostGlobs = 1000;

/**
 * Returns a test for a search's `filePattern`, the same for every search: a glob such as
 * `*.{ts,tsx}` or `src/**`, which counts from the workspace if it has a slash.
 *
 * @throws a `UserError` when the pattern has too many braces
 */
export function filePattern(pattern: string): (path: string) => boolean {
  const globs = expandBraces(pattern.replace(/^(\.?\/)+(?=.*\/)/, "/"));
  const wanted = new IgnoreRules(globs, { ignorecase: false });
  return (path) => wanted.ignores(path);
}

/**
 * Returns all patterns that braces such as `{a,b}` stand for.
 *
 * @throws a `UserError` when there are too many
 */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = /\{([^{}]*)\}/.exec(next);
    if (group === null) done.push(next);
    else {
      const [braces, choices = ""] = group;
      const end = group.index + braces.length;
      for (const choice of choices.split(",").reverse())
        waiting.push(next.slice(0, group.index) + choice + next.slice(end));
    }
    if (done.length + waiting.length > mostGlobs) {
      throw new UserError("The file pattern has too many braces. Search with a simpler one.");
    }
  }
  return done;
}
