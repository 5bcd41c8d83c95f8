import { CommanderError } from "commander";
import { messageOf, UserError } from "../core/errors.js";
import { english, translatable, type Translate } from "../core/text/translator.js";
import { spoken } from "../core/text/words.js";
import { t } from "./language/language.js";
import { terminalJson, terminalText } from "./terminal/terminalText.js";

/** Commander's errors, each with the message that says the same; the groups are the message's values. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/^error: unknown option '(.*?)'/, translatable("error: unknown option '{0}'")],
  [/^error: unknown command '(.*?)'/, translatable("error: unknown command '{0}'")],
  [
    /^error: missing required argument '(.*?)'/,
    translatable("error: missing required argument '{0}'"),
  ],
  [/^error: option '(.*?)' argument missing/, translatable("error: option '{0}' argument missing")],
  [
    /^error: required option '(.*?)' not specified/,
    translatable("error: required option '{0}' not specified"),
  ],
  [
    /^error: option '(.*?)' argument '([^]*)' is invalid\. Allowed choices are (.*)\./,
    translatable("error: option '{0}' argument '{1}' is invalid. Allowed choices are {2}."),
  ],
  [
    /^error: too many arguments for '(.*?)'\. Expected (\d+) arguments? but got (\d+)\./,
    translatable("error: too many arguments for '{0}': {2} in place of {1}."),
  ],
  [/^\(Did you mean (.*)\?\)/m, translatable("(Did you mean {0}?)")],
];

/** Returns the line that tells of an error: with `--json`, an object that also has the error's code. */
export function failureLine(error: unknown, argv: readonly string[]): string {
  const isJson = argv.includes("--json");
  if (error instanceof CommanderError) return mistakeLine(error.message, isJson);
  if (!isJson) return `rooroo: ${terminalText(explained(error, argv, t))}`;
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

/** Returns an error of commander's: in the terminal's language, or as JSON in English. */
function mistakeLine(text: string, isJson: boolean): string {
  if (isJson) return terminalJson({ code: "wrongUse", message: text.replace(/^error: /, "") });
  const told = mistakes.reduce((said, [pattern, message]) => {
    return said.replace(pattern, (...found: string[]) => t(message, ...found.slice(1, 4)));
  }, text);
  return `${told}\n${t("(run rooroo --help for usage)")}`;
}
