import * as z from "zod";
import { parseJson } from "../documents/parseJson.js";

/** The most characters of an answer. */
const longest = 100_000;
const answerFile = z.object({ schema: z.literal(1), words: z.string().min(1).max(longest) });

/** Returns the text of the file with an answer's words. */
export function formatAnswer(words: string): string {
  return `${JSON.stringify({ schema: 1, words })}\n`;
}

/** Returns the words of an answer's file; `undefined` if it has none. */
export function readAnswer(text: string | undefined): string | undefined {
  const json = text === undefined ? undefined : parseJson(text);
  const parsed = answerFile.safeParse(json?.ok === true ? json.value : undefined);
  return parsed.success ? parsed.data.words : undefined;
}
