import { buffer } from "node:stream/consumers";
import { readableText } from "../../core/text/readableText.js";
import type { Cli } from "../commands/command.js";

/** Reads the standard input to its end; trimmed. */
export async function inputText(input: Cli["input"]): Promise<string> {
  return readableText(await buffer(input)).trim();
}
