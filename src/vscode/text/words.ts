import * as vscode from "vscode";
import { translator } from "../../core/text/translator.js";

/** Returns a message in the editor's language. */
export const t = translator(vscode.env.language, vscode.l10n.bundle ?? {});
