import { WrongUse } from "./wrongUse.js";

/** An option of the command line, with values of type `V`. */
export interface OptionEntry<V> {
  /** The option in commander's notation, for example `--runners <number>`. */
  readonly flags: string;
  /** A message, which the help translates. */
  readonly description: string;
  /** The value if the option is not given. */
  readonly default: V;
  /** The default as the help shows it. Absent: the default itself, unless it is `undefined` or `false`. */
  readonly defaultText?: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
  /**
   * Parses what the user wrote. Throws `WrongUse`. Absent: the text is the value.
   *
   * @param before the value so far, for an option that may be repeated
   */
  parse?(text: string, before: V): V;
}

/** Options by the name under which a command gets their values. */
export type OptionTable = Readonly<Record<string, OptionEntry<unknown>>>;

/** The values of a table's options. */
export type ValuesOf<O> = {
  readonly [Name in keyof O]: O[Name] extends OptionEntry<infer V> ? V : never;
};

/** Returns an option without a value, which is `true` if it is given. */
export function flag(flags: string, description: string): OptionEntry<boolean> {
  return { flags, description, default: false };
}

/** Returns an option with a text, which is `undefined` if it is not given. */
export function text(flags: string, description: string): OptionEntry<string | undefined> {
  return { flags, description, default: undefined };
}

/** Returns an option that may be given several times. */
export function repeatable(flags: string, description: string): OptionEntry<readonly string[]> {
  return {
    flags,
    description,
    isRepeatable: true,
    default: [],
    defaultText: "none",
    parse: (one, before) => [...before, one],
  };
}

/**
 * Returns an option for a whole number.
 *
 * @param name as in `--runners`
 * @param most the largest number that is accepted; the smallest is 1
 * @param usual the value if the option is not given
 * @throws {WrongUse} when a value is parsed that is not such a number
 */
export function wholeNumber<D extends number | undefined>(
  name: string,
  description: string,
  most: number,
  usual: D,
): OptionEntry<number | D> {
  return {
    flags: `${name} <number>`,
    description,
    default: usual,
    parse: (given) => {
      const number = Number(given);
      if (Number.isInteger(number) && number >= 1 && number <= most) return number;
      throw new WrongUse(
        "notAWholeNumber",
        "{option} takes a whole number from 1 to {most}, not {given}.",
        { option: name, most, given },
      );
    },
  };
}
