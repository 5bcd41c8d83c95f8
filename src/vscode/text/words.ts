import * as vscode from "vscode";
import { translator } from "../../core/text/translator.js";

/** The language of {@link t}, as in `de` or `zh-cn`: English if there are no translations into the editor's. */
export const language = vscode.l10n.bundle ? vscode.env.language : "en";

/** Returns a message in the editor's language. */
export const t = translator(language, vscode.l10n.bundle ?? {});
