import type { Readable } from "node:stream";
import { readableText } from "../../core/text/readableText.js";

/** The most bytes that are read: more than a request may have, also in UTF-16, so that a longer one is refused as such. */
const mostBytes = 2_000_000;

/** Reads the standard input to its end, or to {@link mostBytes}; trimmed. */
export async function inputText(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) break;
  }
  return readableText(Buffer.concat(chunks)).trim();
}
