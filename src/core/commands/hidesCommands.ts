import type { CommandRules } from "./commandRules.js";

/** Matches an expansion that takes a variable's value for a prompt, and runs the commands in it. */
const asPrompt = /@P\s*\}/;
/**
 * Matches places in which bash computes, and runs commands that it finds in the index of an array
 * on the way; and backquotes, which a grammar does not find wherever a shell does.
 */
const computing =
  /`|\(\(|\$\[|\[\[|\b(?:let|declare|typeset|local|export|readonly|read|mapfile|readarray|unset)\b|(?:^|\s)-v\b|\$\{[!#]?\w+\[|@[A-Za-z]\s*\}|\$\{!|PS4=/;

/**
 * Returns why commands may be hidden in the text of a line: some expansions run what is in the
 * values of variables, which no reading of the line shows. Most of them matter only where the user
 * has denied something, as they could run anything else openly.
 */
export function hidesCommands(line: string, { deny }: CommandRules): string | undefined {
  if (asPrompt.test(line)) return "It runs what a variable holds, which shows only when it runs.";
  return deny.length > 0 && computing.test(line)
    ? "It has expansions that can run what your settings deny."
    : undefined;
}
