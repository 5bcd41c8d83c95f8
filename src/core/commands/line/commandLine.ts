import { type Words, words } from "../../text/words.js";
import { joinPath } from "../paths/followPath.js";
import {
  type Extent,
  hasUnseen,
  type Joint,
  type PlainCommand,
  readPlainLine,
} from "./plainLine.js";
import type { SyntaxNode } from "./syntaxTree.js";
import { readTree, type TreeCommand } from "./treeCommands.js";
import { readWord, type Word } from "./word.js";

export interface CommandLine {
  readonly commands: readonly SimpleCommand[];
  /** Something in the line beyond plain commands in a row, such as `a loop`. */
  readonly beyond: Words | undefined;
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
        beyond ??
        (hasUnseen(line)
          ? words("characters that cannot be seen")
          : words("more than plain commands")),
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

type Folders = readonly string[] | undefined;

interface Step {
  readonly after: Joint;
  readonly words: readonly Word[];
}

const mostFolders = 8;

/**
 * Returns the folders in which each command of a plain line may run, depending on whether each `cd`
 * before it succeeds; `undefined` for a command whose folders are unknown or too many.
 */
function commandFolders(steps: readonly Step[], start: string): Folders[] {
  const folders: Folders[] = [];
  let done: Folders = [start];
  let failed: Folders = [start];
  for (const [index, { after, words }] of steps.entries()) {
    if (after === "|") {
      folders.push(folders.at(-1));
      continue;
    }
    const here: Folders = after === "&&" ? done : after === "||" ? failed : union(done, failed);
    folders.push(here);
    // A part of a pipe runs in a process of its own, so that its `cd` has no effect on what
    // follows.
    const moved: Folders = steps[index + 1]?.after === "|" ? here : afterCommand(words, here);
    done = after === "||" ? union(done, moved) : moved;
    failed = after === "&&" ? union(failed, here) : here;
  }
  return folders;
}

/** Returns whether a command could change the folder that the following commands run in. */
function changesFolder(words: readonly Word[]): boolean {
  const [name, next] = words;
  if (name === undefined) return false;
  if (name.kind !== "literal") return true;
  if (/^(cd|pushd|popd|eval|source|\.)$/.test(name.text)) return true;
  return /^(command|builtin)$/.test(name.text) && next?.text === "cd";
}

function afterCommand(words: readonly Word[], here: Folders): Folders {
  if (!changesFolder(words)) return here;
  const [name, target, ...more] = words;
  if (name?.text !== "cd" || target?.kind !== "literal" || more.length > 0) return undefined;
  // Other spellings go to a folder that is not named, or depend on CDPATH.
  if (!/^(\.{0,2}\/|\.{1,2}$|[^-/~])/.test(target.text)) return undefined;
  return here?.map((folder) => joinPath(folder, target.text));
}

function union(one: Folders, other: Folders): Folders {
  if (one === undefined || other === undefined) return undefined;
  const both = [...new Set([...one, ...other])];
  return both.length > mostFolders ? undefined : both;
}

export interface Redirect {
  /** The operator without the descriptor, as in `>>`. */
  readonly operator: string;
  readonly target: Word;
}

/** A program that a line starts, with everything that belongs to its start. */
export interface SimpleCommand {
  /** The words, the name first; empty where there are only assignments or redirections. */
  readonly words: readonly Word[];
  /** Whether variables are set, for the command or for what comes behind it. */
  readonly assigns: boolean;
  /** The assignments to these variables, as in `A=1`. */
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  /**
   * The folders that the command may run in, without `.` and `..`, links not resolved; `undefined`
   * when they are unknown.
   */
  readonly folders: readonly string[] | undefined;
}
