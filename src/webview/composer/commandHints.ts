import { type SlashCommand, slashCommands } from "../../core/conversation/input/slashCommands.js";
import type { Completions } from "../../protocol/messages.js";
import { t } from "../text/words.js";

/** A text that what is typed could become. */
export interface CommandHint {
  /** The text that is put into the input. */
  readonly text: string;
  /** What the list shows. */
  readonly name: string;
  readonly description: string;
}

/** The most lines of one list. */
const mostHints = 40;

/**
 * Returns the commands that the typed text could become, and then what could be their arguments; none once it is more
 * than that.
 */
export function commandHints(typed: string, known: Completions): readonly CommandHint[] {
  const [, name, given] = /^\/([\w.@:/-]*)(?: +(\S*))?$/.exec(typed) ?? [];
  if (name === undefined) return [];
  const wanted = name.toLowerCase();
  if (given !== undefined) {
    const command = slashCommands.find((one) => one.name === wanted);
    return command === undefined ? [] : argumentHints(command, given.toLowerCase(), known);
  }
  const hints = [
    ...slashCommands.map((command): CommandHint => {
      const needs = command.argument !== "" && command.isArgumentOptional !== true;
      return {
        text: `/${command.name}${needs ? " " : ""}`,
        name: usage(command),
        description: t(command.description),
      };
    }),
    ...known.commands.map(({ name: own, hint, description }): CommandHint => {
      return {
        text: `/${own} `,
        name: hint === "" ? `/${own}` : `/${own} ${hint}`,
        description,
      };
    }),
  ];
  return hints.filter(
    ({ text }) => text !== typed && text.slice(1).toLowerCase().startsWith(wanted),
  );
}

/** Returns a command with its argument, as in `/job name goal`. */
function usage({ name, argument }: SlashCommand): string {
  return argument === "" ? `/${name}` : `/${name} ${t(argument)}`;
}

function argumentHints(
  { name, completes }: SlashCommand,
  given: string,
  known: Completions,
): readonly CommandHint[] {
  if (completes === undefined) return [];
  const isLast = completes === "resumable" || completes === "foreign";
  return known[completes]
    .filter(({ value, label }) => {
      const fits = value.toLowerCase().startsWith(given) || label.toLowerCase().includes(given);
      return fits && value.toLowerCase() !== given;
    })
    .slice(0, mostHints)
    .map(({ value, label }) => {
      return { text: `/${name} ${value}${isLast ? "" : " "}`, name: value, description: label };
    });
}
