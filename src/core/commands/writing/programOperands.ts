import type { Word } from "../line/word.js";

export interface ProgramOperands {
  readonly operands: readonly Word[];
  /** The flags as they were typed, including those with a value in the same word. */
  readonly flags: readonly Word[];
  /** The values of the flags that take one, by the flag's name. */
  readonly values: ReadonlyMap<string, readonly Word[]>;
}

/**
 * Tells the operands of a program that is not known to be harmless from its flags, as `getopt_long`
 * reads them: `-uoX` can be `-u -o X`, and `--outp=X` can be `--output=X`. An unknown word counts
 * as an operand, and so does the word behind a shortened name, which may be another flag's.
 *
 * @param valued the flags that take a value, separated by blanks; `-i?` is one whose value can only
 *   be the rest of its word
 */
export function programOperands(args: readonly Word[], valued: string): ProgramOperands {
  const names = valued.split(" ").filter((name) => name !== "");
  const operands: Word[] = [];
  const flags: Word[] = [];
  const values = new Map<string, Word[]>();
  const give = (name: string, value: Word | undefined): void => {
    if (value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  };
  let onlyOperands = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const { text } = word;
    if (onlyOperands || !/^-./.test(text)) operands.push(word);
    else if (text === "--") onlyOperands = true;
    else if (names.includes(text)) {
      flags.push(word);
      give(text, args[++at]);
    } else if (text.startsWith("--")) {
      flags.push(word);
      const [name = ""] = text.split("=", 1);
      const meant = names.filter((one) => one.startsWith(name) && one.startsWith("--"));
      const value = name === text ? args[at + 1] : { ...word, text: text.slice(name.length + 1) };
      for (const one of meant) give(one, value);
    } else {
      flags.push(word);
      for (let letter = 1; letter < text.length; letter++) {
        const name = `-${text.charAt(letter)}`;
        if (names.includes(`${name}?`)) break;
        if (!names.includes(name)) continue;
        const rest = text.slice(letter + 1);
        give(name, rest === "" ? args[++at] : { ...word, text: rest });
        break;
      }
    }
  }
  return { operands, flags, values };
}

/** Returns all values of these flags, which are separated by blanks. */
export function valuesOf({ values }: ProgramOperands, flags: string): readonly Word[] {
  return flags.split(" ").flatMap((flag) => values.get(flag) ?? []);
}
