import { messageOf, UserError } from "../core/errors.js";
import { english, type Translate } from "../core/text/translator.js";
import { spoken } from "../core/text/words.js";
import { t } from "./language/language.js";
import { terminalJson, terminalText } from "./terminal/terminalText.js";

/** Returns the line that tells of an error: with `--json`, an object that also has the error's code. */
export function failureLine(error: unknown, argv: readonly string[]): string {
  if (!argv.includes("--json")) return `rooroo: ${terminalText(explained(error, argv, t))}`;
  const message = explained(error, argv, english);
  return terminalJson(error instanceof UserError ? { code: error.code, message } : { message });
}

function explained(error: unknown, argv: readonly string[], t: Translate): string {
  if (error instanceof UserError) return spoken(error, t);
  const stack = error instanceof Error && argv.includes("--verbose") ? error.stack : undefined;
  return (
    stack ??
    t("Something went wrong in Rooroo itself: {0} (use --verbose for details)", messageOf(error))
  );
}
