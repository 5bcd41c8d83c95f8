import ignore from "ignore";

/**
 * What a search's `filePattern` means, whoever searches: a glob, as in `*.{ts,tsx}` or `src/**`; with
 * a slash it counts from the workspace.
 */
export function filePattern(pattern: string): (path: string) => boolean {
  const globs = expandBraces(pattern.replace(/^(\.?\/)+(?=.*\/)/, "/"));
  const wanted = ignore({ ignorecase: false }).add(globs);
  return (path) => wanted.ignores(path);
}

function expandBraces(pattern: string): string[] {
  const group = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern);
  if (!group) return [pattern];
  const [, before = "", choices = "", after = ""] = group;
  return choices.split(",").flatMap((choice) => expandBraces(before + choice + after));
}
