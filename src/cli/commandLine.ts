import type { Readable } from "node:stream";
import type { WriteStream } from "node:tty";
import { CommanderError } from "commander";
import { WrongUse } from "./arguments/wrongUse.js";
import { type Cli, exitCode, exitCodeOf } from "./commands/command.js";
import { speakLanguageOf } from "./language/language.js";
import { createProgram, type RunCommand } from "./program.js";
import { namesProxy } from "./session/namesProxy.js";
import { Terminal } from "./terminal/terminal.js";

/** What a command line runs in. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** The path of the command's own file, beside which the translations are. */
  readonly bundle: string;
}

/** The commands that begin with what was left of worktrees, as those with a Navigator do anyway. */
const tellsWorktrees = /^(agent|plan|job run|run (start|confirm|modify|resume|retry|skip)) /;

/**
 * Runs the command line, and resolves to its exit code when everything is printed. What it has started may still run: its
 * caller ends the process, or aborts what {@link Cli.ended} is.
 *
 * @param argv as `process.argv`
 */
export async function runCommandLine(
  argv: readonly string[],
  { stdin, stdout, stderr, env, bundle }: Surroundings,
): Promise<number> {
  const terminal = new Terminal(stdout, stderr, stdin, env);
  const ended = new AbortController();
  try {
    await speakLanguageOf(env, bundle);
    const code = await parsed(argv, env, { terminal, input: stdin, ended: ended.signal });
    await terminal.flush();
    if (terminal.outputError === undefined) return code;
    const { codeOfLost } = await import("./lostOutput.js");
    return codeOfLost(terminal.outputError, { code, argv, terminal });
  } finally {
    await terminal.flush();
    ended.abort();
  }
}

async function parsed(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  given: Omit<Cli, "options">,
): Promise<number> {
  const { terminal } = given;
  const [node = "", self = "", first, ...rest] = argv;
  if (first === undefined) {
    const { shortHelp } = await import("./shortHelp.js");
    terminal.printError(shortHelp());
    return exitCode.wrongUse;
  }
  // Commander knows one word behind "help" only.
  const words = first === "help" ? [node, self, ...rest, "--help"] : [...argv];
  const isHelp = words.some((word) => word === "--help" || word === "-h");
  const { optionsExplained = "" } = isHelp ? await import("./arguments/optionsExplained.js") : {};
  const end: { code: number } = { code: exitCode.done };
  const run: RunCommand = async (command, values, options) => {
    const cli = { ...given, options };
    if (namesProxy(env)) {
      const { followProxy } = await import("./session/followProxy.js");
      followProxy(env, given.ended);
    }
    if (tellsWorktrees.test(command.words)) {
      const { tellWorktreesLeft } = await import("./commands/worktreesLeft.js");
      await tellWorktreesLeft(values["plan"], cli);
    }
    const result = await command.run(values, cli);
    if (options.json) {
      const { printJson } = await import("./terminal/printJson.js");
      await printJson(command, result, terminal);
    } else terminal.print(result.text?.() ?? "");
    end.code = exitCodeOf(result);
  };
  try {
    await createProgram(terminal, run, optionsExplained).parseAsync(words);
  } catch (error) {
    const isMistake = error instanceof CommanderError;
    // Help and version are not errors.
    if (isMistake && error.exitCode === 0) return 0;
    // Commander has printed the help if a subcommand is missing.
    if (!isMistake || error.code !== "commander.help") {
      const { failureLine } = await import("./failureLine.js");
      terminal.printError(`${failureLine(error, argv)}\n`);
    }
    return isMistake || error instanceof WrongUse ? exitCode.wrongUse : exitCode.failed;
  }
  return end.code;
}
