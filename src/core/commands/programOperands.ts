import type { Word } from "./word.js";

export interface ProgramOperands {
  readonly operands: readonly Word[];
  readonly flags: readonly Word[];
  /** Words that belong to a flag, by the flag. */
  readonly values: ReadonlyMap<string, Word>;
}

/**
 * Tells the operands of a program that is not known to be harmless from its flags. A word that nobody
 * knows counts as an operand.
 *
 * @param valued the flags that take the next word, separated by blanks
 */
export function programOperands(args: readonly Word[], valued: string): ProgramOperands {
  const takes = new Set(valued.split(" "));
  const operands: Word[] = [];
  const flags: Word[] = [];
  const values = new Map<string, Word>();
  let onlyOperands = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    if (onlyOperands || !/^-./.test(word.text)) operands.push(word);
    else if (word.text === "--") onlyOperands = true;
    else {
      flags.push(word);
      const value = takes.has(word.text) ? args[++at] : undefined;
      if (value !== undefined) values.set(word.text, value);
    }
  }
  return { operands, flags, values };
}
