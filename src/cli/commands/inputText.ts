import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { readableText } from "../../core/text/readableText.js";

/** Reads the standard input to its end; trimmed. */
export async function inputText(input: Readable): Promise<string> {
  return readableText(await buffer(input)).trim();
}
