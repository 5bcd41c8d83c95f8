import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Messages } from "../../core/text/translator.js";

/**
 * Returns the translations for a language, as in `de` or `pt-br`, and the name of the language that they are in;
 * `undefined` if there are none.
 *
 * @param bundle the path of the command's own file, beside which the translations are
 */
export async function messagesFor(
  wanted: string,
  bundle: string,
): Promise<{ readonly name: string; readonly messages: Messages } | undefined> {
  const [base = ""] = wanted.split("-");
  // Chinese is written in two ways, so one country's words are not another's.
  for (const name of base === "zh" ? [wanted] : [wanted, base]) {
    const messages = await messagesOf(name, bundle);
    if (messages !== undefined) return { name, messages };
  }
  return undefined;
}

async function messagesOf(language: string, bundle: string): Promise<Messages | undefined> {
  try {
    const path = join(dirname(bundle), "cli", "words", `${language}.json`);
    return JSON.parse(await readFile(path, "utf8")) as Messages;
  } catch {
    return undefined;
  }
}
