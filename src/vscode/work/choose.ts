import * as vscode from "vscode";
import type { UserError } from "../../core/errors.js";
import type { PendingQuestion } from "../../core/navigator/overview/overview.js";
import { t } from "../text/words.js";
import type { RowTree } from "./rowTree.js";

export interface Choosing<T> {
  /** Returns whether the command can be applied to a thing that it does not name. Default: always. */
  readonly fits?: (item: T) => boolean;
  /** Returns the names of a thing; an earlier one counts more. */
  readonly names: (item: T) => readonly string[];
  readonly show: (item: T) => vscode.QuickPickItem;
  readonly placeHolder: string;
  /** Returns the error that no thing has the name. */
  readonly unknown: (name: string) => UserError;
  /** Returns the error that the command can be applied to no thing. */
  readonly none: () => UserError;
  /** Whether a thing is taken without asking if it is the only one that fits. Default: none is. */
  readonly takesOnly?: (item: T) => boolean;
}

/**
 * Returns the thing that a command is about: the one that it names, else one that the user chooses among
 * those that fit. `undefined` if the user chooses none. Throws a {@link UserError} if there is none.
 *
 * @param named the name; `undefined` if the command names nothing
 */
export async function choose<T>(
  items: readonly T[],
  named: string | undefined,
  choosing: Choosing<T>,
): Promise<T | undefined> {
  const { names, fits = () => true, show, placeHolder, unknown, none, takesOnly } = choosing;
  if (named !== undefined) {
    const places = items.map((item) => ({ item, place: names(item).indexOf(named) }));
    const [found] = places
      .filter(({ place }) => place >= 0)
      .sort((one, other) => one.place - other.place);
    if (found) return found.item;
    throw unknown(named);
  }
  const fitting = items.filter(fits);
  if (fitting.length === 0) throw none();
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0 && takesOnly?.(only) === true) return only;
  const picked = await vscode.window.showQuickPick(
    fitting.map((item) => ({ ...show(item), item })),
    { placeHolder, matchOnDetail: true },
  );
  return picked?.item;
}

/** Inputs of {@link namedBy}. */
interface Namable {
  readonly tree: RowTree;
  /** Returns the id of the thing that a document belongs to. */
  readonly inFile: (uri: vscode.Uri) => string | undefined;
  /** Returns whether the command can be applied to the thing with this id. */
  readonly fits: (id: string) => boolean;
}

/**
 * Returns the name of the thing that a command's argument means: a tree row, a document's URI, or the
 * name itself. Without an argument it is the one of the active editor, if the command fits it.
 */
export function namedBy(argument: unknown, { tree, inFile, fits }: Namable): string | undefined {
  if (argument instanceof vscode.Uri) return inFile(argument);
  if (typeof argument === "string") return tree.row(argument)?.of ?? argument;
  const uri = vscode.window.activeTextEditor?.document.uri;
  const shown = uri && inFile(uri);
  return shown !== undefined && fits(shown) ? shown : undefined;
}

/** Returns the id at the end of a row's id, or the whole text if it is an id; `undefined` if there is none. */
export function idIn(argument: unknown): string | undefined {
  if (typeof argument !== "string") return undefined;
  const id = argument.slice(argument.lastIndexOf(":") + 1);
  return id === "" ? undefined : id;
}

/** Asks the user a question outside the panel: they choose a suggestion or type an answer of their own. */
export async function answerQuestion(question: PendingQuestion): Promise<string | undefined> {
  const { text, suggestions } = question;
  const type = () => askText({ prompt: text });
  if (suggestions.length === 0) return type();
  const own = t("Other Answer…");
  const chosen = await vscode.window.showQuickPick(
    [...suggestions.map((label) => ({ label })), { label: own, alwaysShow: true, isOwn: true }],
    { title: text, ignoreFocusOut: true },
  );
  return chosen !== undefined && "isOwn" in chosen ? type() : chosen?.label;
}

/** Lets the user type a text; `undefined` if they cancel or type none. */
export async function askText(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({ ignoreFocusOut: true, ...options });
  return typed === undefined || typed.trim() === "" ? undefined : typed;
}
