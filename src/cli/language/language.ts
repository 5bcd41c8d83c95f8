import { english, type Translate, translator } from "../../core/text/translator.js";

let translate: Translate = english;
let spokenLanguage = "en";

/** Returns the language of {@link t}, as in `de` or `zh-cn`. */
export function language(): string {
  return spokenLanguage;
}

/** Returns a message in the terminal's language: in English until {@link speakLanguageOf} has found another. */
export const t = ((...given: [string, ...never[]]) => translate(...given)) as Translate;

/**
 * Returns the language that the environment asks for, as in `de` or `pt-br`; `en` if it asks for none. Of `LC_ALL`,
 * `LC_MESSAGES` and `LANG`, the first that is set and not empty counts.
 *
 * Source: POSIX.1-2024, Base Definitions, 8.2 "Internationalization Variables".
 */
export function languageOf(env: Readonly<Record<string, string | undefined>>): string {
  const set = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find((one) => one);
  const [, language, territory] =
    /^([a-z]{2,3})(?:[_-]([a-z]{2}))?(?:[.@]|$)/i.exec(set ?? "") ?? [];
  if (language === undefined) return "en";
  return [language, territory].filter(Boolean).join("-").toLowerCase();
}

/**
 * Has {@link t} speak the language that the environment asks for, if there are translations.
 *
 * @param bundle the path of the command's own file, beside which the translations are
 */
export async function speakLanguageOf(
  env: Readonly<Record<string, string | undefined>>,
  bundle: string,
): Promise<void> {
  translate = english;
  spokenLanguage = "en";
  const wanted = languageOf(env);
  if (/^en\b/.test(wanted)) return;
  const { messagesFor } = await import("./messagesFor.js");
  const found = await messagesFor(wanted, bundle);
  if (found === undefined) return;
  translate = translator(found.name, found.messages);
  spokenLanguage = found.name;
}
