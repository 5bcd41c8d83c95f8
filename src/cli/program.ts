import { Command as Program, type Help, Option } from "commander";
import { translatable } from "../core/text/translator.js";
import type { OptionEntry } from "./arguments/optionEntry.js";
import { commonOptions, type Options } from "./arguments/options.js";
import { type Cli, type Command, exitCode } from "./commands/command.js";
import { commands, groups } from "./commandTable.js";
import { displayWidth } from "./language/displayWidth.js";
import { t } from "./language/language.js";
import type { Terminal } from "./terminal/terminal.js";

/** Runs a command with its arguments and options, which have been parsed. */
export type RunCommand = (
  command: Command,
  given: Readonly<Record<string, unknown>>,
  options: Cli["options"],
) => Promise<void>;

/** The meaning of each exit code, for the help. */
const meanings = {
  done: translatable("done"),
  failed: translatable("failed"),
  waiting: translatable("waiting for you or for another runner"),
  wrongUse: translatable("invalid arguments"),
  stopped: translatable("130 and 143 stopped by Ctrl-C or a signal; a stopped task can be resumed"),
};

/** The titles that commander gives to the parts of a help. */
const titles: readonly string[] = [
  translatable("Usage:"),
  translatable("Arguments:"),
  translatable("Options:"),
  translatable("Global Options:"),
  translatable("Commands:"),
];

const ownHelp: Partial<Help> = {
  showGlobalOptions: true,
  displayWidth,
  styleTitle: (title) => (titles.includes(title) ? t(title) : title),
  optionDescription,
};
/** Of the words that several commands begin with: the commands only. */
const groupHelp: Partial<Help> = { ...ownHelp, showGlobalOptions: false, visibleOptions: () => [] };

/**
 * Creates the command line's parser, with its help, from the table of commands.
 *
 * @param explained the help's text about the common options
 */
export function createProgram(
  terminal: Pick<Terminal, "print" | "printError">,
  run: RunCommand,
  explained: string,
): Program {
  const program = new Program("rooroo")
    .description(t("State a goal; experts plan it and do it with real tools on your workspace."))
    .version(ROOROO_VERSION, "--version", t("print the version"))
    .helpOption("-h, --help", t("print this help"))
    .helpCommand("help [command]", t("print the help of a command"))
    .configureHelp(ownHelp)
    .configureOutput({
      writeOut: (text) => {
        terminal.print(text);
      },
      writeErr: (text) => {
        terminal.printError(text);
      },
      // Commander throws the error, too, and `failureLine` tells it.
      outputError: () => undefined,
    })
    .addHelpText("after", () => `\n${t(explained)}\n\n${exitCodesText(["waiting", "stopped"])}`)
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
    place =
      known ??
      place
        .command(name)
        .description(t(groups[name] ?? ""))
        .configureHelp(groupHelp);
  }
  const own = Object.entries(command.options ?? {}).map(
    ([name, entry]) => [name, entry, parserOption(entry)] as const,
  );
  const parser = place
    .command([names.at(-1), ...parameters].join(" "))
    .description(t(command.description))
    .configureHelp(ownHelp)
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
  const { flags, choices, defaultText } = entry;
  const own = t(entry.description);
  const description = entry.isRepeatable === true ? t("{0}; repeatable", own) : own;
  const option = new Option(flags, description).makeOptionMandatory(entry.isRequired === true);
  if (choices !== undefined) option.choices([...choices]);
  if (entry.parse !== undefined) {
    option.argParser((text, before) => entry.parse?.(text, before));
  }
  // The help shows every default that an option has.
  if (entry.default === undefined || entry.default === false) return option;
  return option.default(entry.default, defaultText);
}

/** Returns an option's description with its choices and its default. */
function optionDescription(this: Help, option: Option): string {
  const { argChoices: choices, defaultValueDescription } = option;
  const defaultValue: unknown = option.defaultValue;
  const more = [
    ...(choices === undefined
      ? []
      : [t("choices: {0}", choices.map((one) => JSON.stringify(one)).join(", "))]),
    ...(defaultValue === undefined
      ? []
      : [t("default: {0}", defaultValueDescription ?? JSON.stringify(defaultValue))]),
  ];
  return more.length === 0 ? option.description : `${option.description} (${more.join(", ")})`;
}

function exitCodesText(ends: NonNullable<Command["ends"]>): string {
  const names = ["done", "failed", ...ends, "wrongUse"] as const;
  const codes = names.flatMap((name) =>
    name === "stopped" ? [] : [`${exitCode[name]} ${t(meanings[name])}`],
  );
  const stopped = ends.includes("stopped") ? `;\n${t(meanings.stopped)}` : "";
  return `${t("Exit codes:")} ${codes.join(", ")}${stopped}.`;
}
