import type { Options } from "../session/options.js";

/** Returns a follow-up command line, ready to be copied: with the same workspace, model and rules. */
export function commandWords(options: Options, words: readonly string[]): string {
  const flags: [string, string | undefined][] = [
    ["--workspace", options.workspace],
    ["--model", options.model],
    ["--base-url", options.baseUrl],
    ["--dialect", options.dialect === "auto" ? undefined : options.dialect],
    ...options.allowCommand.map((rule): [string, string] => ["--allow-command", rule]),
    ...options.denyCommand.map((rule): [string, string] => ["--deny-command", rule]),
    ["--sandbox", options.sandbox],
    ...options.allowHost.map((host): [string, string] => ["--allow-host", host]),
    ["--approve", words.includes("--approve") ? undefined : nonDefault(options.approve.text)],
  ];
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return ["rooroo", ...words, ...given].map(shellWord).join(" ");
}

/** Placeholder for words that the user has to fill in. */
export const placeholder = "…";

function shellWord(word: string): string {
  if (word === placeholder) return `"${placeholder}"`;
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word)) return word;
  return process.platform === "win32"
    ? `"${word.replaceAll('"', '\\"')}"`
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

function nonDefault(approve: string): string | undefined {
  return approve === "safe" ? undefined : approve;
}
