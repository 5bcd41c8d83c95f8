#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { messageOf, UserError } from "../core/errors.js";
import { type Command, exitCode, exitCodeOf, type Result } from "./commands/command.js";
import { english, type Translate } from "../core/text/translator.js";
import { spoken } from "../core/text/words.js";
import { speakLanguageOf, t } from "./language/language.js";
import { createProgram } from "./program.js";
import { Terminal } from "./terminal/terminal.js";
import { terminalJson, terminalText } from "./terminal/terminalText.js";
import { WrongUse } from "./arguments/wrongUse.js";

// The shell grammar runs only a few times in a process: optimising its code costs ten times what it saves.
setFlagsFromString("--liftoff-only");

const { stdin, stdout, stderr, env, argv } = process;
const terminal = new Terminal(stdout, stderr, stdin, env);

/** The commands that begin with what was left of worktrees, as those with a Navigator do anyway. */
const tellsWorktrees = /^(agent|plan|job run|run (start|confirm|modify|resume|retry|skip)) /;

async function main(): Promise<number> {
  const end: { code: number } = { code: exitCode.done };
  await speakLanguageOf(env, __filename);
  const program = createProgram(async (command, given, options) => {
    const cli = { options, terminal, input: stdin };
    if (tellsWorktrees.test(command.words)) {
      const { tellWorktreesLeft } = await import("./commands/worktreesLeft.js");
      await tellWorktreesLeft(given["plan"], cli);
    }
    const result = await command.run(given, cli);
    if (options.json) await printJson(command, result);
    else terminal.print(result.text?.() ?? "");
    end.code = exitCodeOf(result);
  });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    // Commander has already printed what is wrong; help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.wrongUse;
    terminal.printError(`${failureLine(error)}\n`);
    return error instanceof WrongUse ? exitCode.wrongUse : exitCode.failed;
  }
  return end.code;
}

async function printJson(command: Command, result: Result): Promise<void> {
  if (result.json === undefined) return;
  const printed = await result.json();
  if (command.json !== "lines") terminal.print(`${terminalJson(printed, 2)}\n`);
  else for (const line of printed as unknown[]) terminal.print(`${terminalJson(line)}\n`);
}

/** Returns the line that tells of an error: with `--json`, an object that also has the error's code. */
function failureLine(error: unknown): string {
  if (!argv.includes("--json")) return `rooroo: ${terminalText(explained(error, t))}`;
  const message = explained(error, english);
  return terminalJson(error instanceof UserError ? { code: error.code, message } : { message });
}

function explained(error: unknown, t: Translate): string {
  if (error instanceof UserError) return spoken(error, t);
  const stack = error instanceof Error && argv.includes("--verbose") ? error.stack : undefined;
  return (
    stack ??
    t("Something went wrong in Rooroo itself: {0} (use --verbose for details)", messageOf(error))
  );
}

void main().then(async (code) => {
  await terminal.flush();
  // Connections that a server keeps open must not keep a finished command from ending.
  process.exit(code);
});
