import type { CommandFacts } from "../../agent/commandFacts.js";
import { readOnly } from "../../commands/reading/readOnly.js";
import { isWords } from "../../text/words.js";

/** Returns whether a line consists of programs that only read, whatever it is that they read. */
export function onlyLooks({ commands, writes }: CommandFacts): boolean {
  return (
    commands.length > 0 &&
    writes.length === 0 &&
    commands.every(({ words }) => !isWords(readOnly(words)))
  );
}
