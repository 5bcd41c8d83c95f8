import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { OptionTable, ValuesOf } from "../arguments/optionEntry.js";
import type { Options } from "../arguments/options.js";
import type { Terminal } from "../terminal/terminal.js";

/** The exit codes of the command line. A signal ends it with the code of {@link exitCodeOf}. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** The work waits for an answer, an approval, or another runner. */
  waiting: 2,
  /** The command line or its environment is at fault; nothing was begun. */
  wrongUse: 64,
} as const;

/** The signals at which a command stops its work. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/** The ends that a command can have besides `done` and `failed`. */
type OtherEnd = "waiting" | "stopped";

/** A command's end and its output. A command that prints while it works has no output here. */
export interface Result<E extends OtherEnd = OtherEnd> {
  readonly end: "done" | "failed" | E;
  /** The signal by which the command was stopped. */
  readonly signal?: StopSignal;
  /**
   * Returns what `--json` prints: one value or, for a command whose JSON is `lines`, an array with one
   * value for each line. May return a promise.
   */
  json?(): unknown;
  /** Returns what is printed without `--json`. */
  text?(): string;
}

/** Returns the exit code; for a stopped command, the one that a shell reports for its signal. */
export function exitCodeOf({ end, signal }: Pick<Result, "end" | "signal">): number {
  if (end !== "stopped") return exitCode[end];
  return signal === undefined ? exitCode.failed : 128 + constants.signals[signal];
}

/** The common inputs of all commands, besides their own arguments and options. */
export interface Cli {
  readonly options: Options;
  readonly terminal: Terminal;
  /** The standard input. */
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Aborts when the command has ended, and ends what it has started. */
  readonly ended: AbortSignal;
}

/** The arguments that a command's words name: `<one>`, `[perhaps]`, `<several...>` or `[any...]`. */
type ArgumentsOf<W extends string> = W extends `${infer First} ${infer Rest}`
  ? ArgumentOf<First> & ArgumentsOf<Rest>
  : ArgumentOf<W>;

type ArgumentOf<W extends string> = W extends `<${infer Name}...>` | `[${infer Name}...]`
  ? Readonly<Record<Name, readonly string[]>>
  : W extends `<${infer Name}>`
    ? Readonly<Record<Name, string>>
    : W extends `[${infer Name}]`
      ? Readonly<Record<Name, string | undefined>>
      : unknown;

/** A command, described once: help, parsing, loading, JSON output and exit codes follow from it. */
export interface CommandEntry<
  W extends string,
  O extends OptionTable | undefined,
  E extends OtherEnd,
  Given = ArgumentsOf<W> & (O extends OptionTable ? ValuesOf<O> : unknown),
> {
  /** The command's words and arguments, as in `queue move <task>`. */
  readonly words: W;
  readonly description: string;
  readonly options?: O;
  /** The ends that the command can have besides `done` and `failed`. */
  readonly ends?: readonly E[];
  /** The form of `--json`: one `object` over several lines (the default), or one value on each of the `lines`. */
  readonly json?: "object" | "lines";
  /** Loads the command's implementation and runs it. Throws `WrongUse` and other errors. */
  run(given: Given, cli: Cli): Promise<Result<E>>;
}

/** A command of any arguments and options. */
export type Command = CommandEntry<
  string,
  OptionTable | undefined,
  OtherEnd,
  Readonly<Record<string, unknown>>
>;

/** Returns the entry, whose `run` is checked against its words, options and ends. */
export function command<
  const W extends string,
  O extends OptionTable | undefined = undefined,
  const E extends OtherEnd = never,
>(entry: CommandEntry<W, O, E>): Command {
  return entry as Command;
}

/** Returns whether the request is to be read from standard input, as a single `-` says. */
export function isOnInput(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === "-";
}

/** Returns the words, joined by spaces; for a single `-`, the trimmed standard input. */
export async function readInput(
  words: readonly string[],
  { input }: Pick<Cli, "input">,
): Promise<string> {
  if (!isOnInput(words)) return words.join(" ");
  const { inputText } = await import("./inputText.js");
  return inputText(input);
}
