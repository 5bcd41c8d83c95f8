import * as vscode from "vscode";
import { messageOf, UserError } from "../core/errors.js";

/** Returns an error's words for the person at the editor, in the editor's language if there is a translation. */
export function errorText(error: unknown): string {
  return error instanceof UserError
    ? vscode.l10n.t(error.template, error.params)
    : messageOf(error);
}
