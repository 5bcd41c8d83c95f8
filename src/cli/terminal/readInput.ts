import type { Readable } from "node:stream";

/** Returns the words, joined by spaces; for a single `-`, the trimmed standard input. */
export async function readInput(words: readonly string[], input: Readable): Promise<string> {
  if (words.length !== 1 || words[0] !== "-") return words.join(" ");
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8").trim();
}
