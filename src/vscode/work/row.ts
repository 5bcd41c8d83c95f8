import type { CommandId } from "../../contributions/commands.js";
import type { Translate } from "../../core/text/translator.js";
import type { Said } from "../../core/text/words.js";

/** A product icon by its name, and a theme color by its id. */
export interface Icon {
  readonly name: string;
  readonly color?: string;
}

/** The words and the icon of a state. */
export interface StateLook {
  readonly text: string;
  readonly icon: Icon;
}

/** A paragraph of text from anywhere, shown literally; or text under a horizontal line; or a code block. */
export type TooltipBlock =
  | string
  | { readonly below: string }
  | { readonly code: string; readonly language?: string };

/** A finished row of a tree, as plain data: drawing it decides nothing. */
export interface Row {
  /** The id stays the same as long as the row is about the same thing in the same place. */
  readonly id: string;
  /** The id of the task, plan or run, or the stem of the job, that the row belongs to. Default: `""`. */
  readonly of?: string;
  /** The file that the row stands for, relative to the workspace, and the 1-based line in it. */
  readonly path?: string | undefined;
  readonly line?: number;
  /** The id of the question that the row asks. */
  readonly questionId?: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon?: Icon;
  readonly tooltip?: readonly TooltipBlock[];
  /**
   * Set if what the row is about waits for the user: what is said beside it where that is listed apart from its list,
   * and the command that leads to it there. Default of the command: the row's own.
   */
  readonly needsYou?: { readonly description: string; readonly command?: CommandId };
  /** The text for screen readers. Default: label and description. */
  readonly spoken?: string;
  /** The words that the manifest's menus match, separated by spaces. */
  readonly context?: string;
  /** The id of the command that a click runs. */
  readonly command?: CommandId | undefined;
  /** The argument of the command. Default: the row's id. */
  readonly argument?: unknown;
  /** The initial state of the row's children. Default: the row has none. */
  readonly folding?: "open" | "folded" | undefined;
  /** How many rows it stands for that are not shown yet. Default: it is itself what it is about. */
  readonly hides?: number;
}

/** The number of rows that are shown of lists of which more than the first page is, by their names. */
export type RowPages = Map<string, number>;

/** The rows of a tree at one moment. */
export interface Rows {
  readonly byId: ReadonlyMap<string, Row>;
  /** The ids of the children by the parent's id; `""` is the parent of the roots. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** A line of a file that breaks a rule, as the overviews list it. */
export interface ListedProblem {
  /** The path, relative to the workspace. */
  readonly path: string;
  /** The line number, 1-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: Said;
}

/** Says how many things need the user; empty if nothing does. */
export function needsYouText(count: number, t: Translate): string {
  if (count === 0) return "";
  return t("{0, plural, one {# needs you} other {# need you}}", count);
}

export function questionsText(count: number, t: Translate): string {
  return t("{0, plural, one {# question} other {# questions}}", count);
}

/** The beginning of the id of a row that is shown apart from its list, too; the rest is the row's own id. */
export const apart = "waits:";

/** Returns the id of the row in its own list. */
export function idInList(id: string): string {
  return id.startsWith(apart) ? id.slice(apart.length) : id;
}

/** Joins the parts that are not empty, as in `40% · 2 runners`. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

/** Joins the parts that are not empty as they are to be spoken, as in `Job docs, Running, 40%`. */
export function spoken(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
