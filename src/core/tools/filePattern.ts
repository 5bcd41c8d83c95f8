import { UserError } from "../errors.js";
import { IgnoreRules } from "../ignoreRules.js";

/** Of braces, which double what there is with each pair. */
const mostGlobs = 1000;

/**
 * What a search's `filePattern` means, whoever searches: a glob, as in `*.{ts,tsx}` or `src/**`; with
 * a slash it counts from the workspace.
 */
export function filePattern(pattern: string): (path: string) => boolean {
  const globs = expandBraces(pattern.replace(/^(\.?\/)+(?=.*\/)/, "/"));
  const wanted = new IgnoreRules(globs, { ignorecase: false });
  return (path) => wanted.ignores(path);
}

/** `{a,b}` written out. Throws a `UserError` where that is too much. */
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
