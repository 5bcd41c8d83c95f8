import { changesFolder, commandFolders } from "./commandFolders.js";
import { type Extent, hasUnseen, type PlainCommand, readPlainLine } from "./plainLine.js";
import type { SimpleCommand } from "./simpleCommand.js";
import type { SyntaxNode } from "./syntaxTree.js";
import { readTree, type TreeCommand } from "./treeCommands.js";
import { readWord, type Word } from "./word.js";

export interface CommandLine {
  readonly commands: readonly SimpleCommand[];
  /** What the line has besides plain commands in a row, such as `a loop`. */
  readonly beyond: string | undefined;
}

/**
 * Reads the commands of a line from its syntax tree and, where it is plain, from a second reading
 * of our own. Returns `undefined` when the two do not agree: then it is unknown what a shell would
 * do.
 *
 * @param folder the folder that the line runs in
 */
export function readCommandLine(
  line: string,
  tree: SyntaxNode,
  folder: string,
): CommandLine | undefined {
  const { commands: seen, beyond } = readTree(tree);
  const plain = readPlainLine(line);
  const textOf = ({ start, end }: Extent) => line.slice(start, end);
  if (plain === undefined || beyond !== undefined) {
    const read = seen.map((command) => ({
      words: command.words.map((word) => readWord(textOf(word))),
      assigns: command.assignments.length > 0,
      assignments: command.assignments.map((word) => readWord(textOf(word))),
      redirects: command.redirects.map(({ operator, target }) => ({
        operator,
        target:
          target === undefined ? { kind: "unknown" as const, text: "" } : readWord(textOf(target)),
      })),
    }));
    const moves = read.some(({ words }) => changesFolder(words));
    return {
      commands: read.map((command) => ({ ...command, folders: moves ? undefined : [folder] })),
      beyond:
        beyond ?? (hasUnseen(line) ? "characters that cannot be seen" : "more than plain commands"),
    };
  }
  if (!sameWords(line, plain, seen)) return undefined;
  const steps = plain.map(({ after, words, redirects }) => {
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*(\[.*\])?\+?=/s.test(textOf(word)));
    const assignments = first < 0 ? words.length : first;
    return {
      after,
      assigns: assignments > 0,
      assignments: words.slice(0, assignments).map((word) => readWord(textOf(word))),
      words: words.slice(assignments).map((word): Word => readWord(textOf(word))),
      redirects: redirects.map(({ operator, target }) => ({
        operator: operator.replace(/^\d/, ""),
        target: readWord(textOf(target)),
      })),
    };
  });
  const folders = commandFolders(steps, folder);
  const commands = steps.map(({ words, assigns, assignments, redirects }, index) => {
    return { words, assigns, assignments, redirects, folders: folders[index] };
  });
  return { commands, beyond: undefined };
}

/**
 * Returns whether both readings found the same commands with the same words, and the same targets
 * of redirections.
 */
function sameWords(
  line: string,
  plain: readonly PlainCommand[],
  seen: readonly TreeCommand[],
): boolean {
  if (plain.length !== seen.length) return false;
  return plain.every(({ words, redirects }, index) => {
    const command = seen[index];
    if (command === undefined) return false;
    const theirs = [...command.assignments, ...command.words];
    const ours = line.charAt(words[0]?.start ?? 0) === "[" ? hull(words) : words;
    const targets = redirects.map(({ target }) => target);
    const theirTargets = command.redirects.map(({ target }) => target ?? { start: -1, end: -1 });
    return sameExtents(ours, theirs) && sameExtents(targets, theirTargets);
  });
}

function hull(words: readonly Extent[]): Extent[] {
  return [{ start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 }];
}

function sameExtents(one: readonly Extent[], other: readonly Extent[]): boolean {
  const key = (extents: readonly Extent[]) =>
    extents
      .map(({ start, end }) => `${start}-${end}`)
      .sort()
      .join();
  return key(one) === key(other);
}
