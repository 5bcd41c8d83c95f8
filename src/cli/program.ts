import { Command as Program, Option } from "commander";
import { type Cli, type Command, exitCode } from "./commands/command.js";
import { commands, groups } from "./commandTable.js";
import type { OptionEntry } from "./arguments/optionEntry.js";
import { commonOptions, type Options, optionsExplained } from "./arguments/options.js";

/** Runs a command with its arguments and options, which have been parsed. */
export type RunCommand = (
  command: Command,
  given: Readonly<Record<string, unknown>>,
  options: Cli["options"],
) => Promise<void>;

/** The meaning of each exit code, for the help. */
const meanings = {
  done: "done",
  failed: "failed",
  waiting: "waiting for you or for another runner",
  wrongUse: "invalid arguments",
  stopped: "130 and 143 stopped by Ctrl-C or a signal; a stopped task can be resumed",
};

/** Creates the command line's parser, with its help, from the table of commands. */
export function createProgram(run: RunCommand): Program {
  const program = new Program("rooroo")
    .description("State a goal; experts plan it and do it with real tools on your workspace.")
    .version(ROOROO_VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", `${optionsExplained}\n\n${exitCodesText(["waiting", "stopped"])}`)
    .showHelpAfterError("(run rooroo --help for usage)")
    .exitOverride();
  for (const entry of Object.values(commonOptions)) program.addOption(parserOption(entry));
  for (const command of commands) addCommand(program, command, run);
  return program;
}

function addCommand(program: Program, command: Command, run: RunCommand): void {
  const [names, parameters] = wordsOf(command.words);
  let place = program;
  for (const name of names.slice(0, -1)) {
    const known = place.commands.find((one) => one.name() === name);
    place = known ?? place.command(name).description(groups[name] ?? "");
  }
  const own = Object.entries(command.options ?? {}).map(
    ([name, entry]) => [name, entry, parserOption(entry)] as const,
  );
  const parser = place
    .command([names.at(-1), ...parameters].join(" "))
    .description(command.description)
    .addHelpText("after", () => `\n${exitCodesText(command.ends ?? [])}`)
    .action(async () => {
      const given: Record<string, unknown> = {};
      parameters.forEach((parameter, index) => {
        given[parameter.replace(/^[<[]|\.{3}|[>\]]$/g, "")] = parser.processedArgs[index];
      });
      for (const [name, entry, option] of own) {
        given[name] = parser.getOptionValue(option.attributeName()) ?? entry.default;
      }
      await run(command, given, optionsOf(program));
    });
  for (const [, , option] of own) parser.addOption(option);
}

/** Returns the command's own words, and its parameters as commander writes them. */
function wordsOf(words: string): [names: string[], parameters: string[]] {
  const all = words.split(" ");
  const isParameter = (word: string) => /^[<[]/.test(word);
  return [all.filter((word) => !isParameter(word)), all.filter(isParameter)];
}

function optionsOf(program: Program): Options {
  const values = Object.entries(commonOptions).map(([name, entry]) => {
    const value: unknown = program.getOptionValue(parserOption(entry).attributeName());
    return [name, value ?? entry.default];
  });
  return Object.fromEntries(values) as Options;
}

function parserOption(entry: OptionEntry<unknown>): Option {
  const { flags, description, choices, defaultText } = entry;
  const option = new Option(flags, description).makeOptionMandatory(entry.isRequired === true);
  if (choices !== undefined) option.choices([...choices]);
  if (entry.parse !== undefined) {
    option.argParser((text, before) => entry.parse?.(text, before));
  }
  // The help shows every default that an option has.
  if (entry.default === undefined || entry.default === false) return option;
  return option.default(entry.default, defaultText);
}

function exitCodesText(ends: NonNullable<Command["ends"]>): string {
  const names = ["done", "failed", ...ends, "wrongUse"] as const;
  const codes = names.flatMap((name) =>
    name === "stopped" ? [] : [`${exitCode[name]} ${meanings[name]}`],
  );
  const stopped = ends.includes("stopped") ? `;\n${meanings.stopped}` : "";
  return `Exit codes: ${codes.join(", ")}${stopped}.`;
}
