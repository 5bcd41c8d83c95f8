import { findReadOnly } from "./findReadOnly.js";
import { gitReadOnly } from "./gitReadOnly.js";
import { readOnlyPrograms } from "./readOnlyPrograms.js";
import type { ReadOnlyAnswer } from "./reads.js";
import { grepReadOnly, ripgrepReadOnly } from "./searchPrograms.js";
import { sedReadOnly } from "./sedReadOnly.js";
import { smallPrograms } from "./smallPrograms.js";
import { readArguments } from "./usage.js";
import { isVersionQuery } from "./versionQueries.js";

const others: ReadonlyMap<string, (args: readonly string[]) => ReadOnlyAnswer> = new Map([
  ...smallPrograms,
  ["find", findReadOnly],
  ["git", gitReadOnly],
  ["grep", grepReadOnly],
  ["egrep", grepReadOnly],
  ["fgrep", grepReadOnly],
  ["rg", ripgrepReadOnly],
  ["sed", sedReadOnly],
]);

/**
 * Returns what a program with these arguments looks at, or why it may do more. Names are compared
 * as they are: a path as a name is a program that the workspace may have brought along.
 */
export function readOnly(argv: readonly string[]): ReadOnlyAnswer {
  const [name = "", ...args] = argv;
  if (isVersionQuery(name, args)) return [];
  const special = others.get(name);
  if (special !== undefined) return special(args);
  const plain = readOnlyPrograms.get(name);
  if (plain === undefined) return `${name} is not known to only read.`;
  const given = readArguments(plain, args);
  return typeof given === "string" ? given : given.reads;
}
