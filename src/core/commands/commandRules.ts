import { type Words, words } from "../text/words.js";
import { readPlainLine } from "./line/plainLine.js";
import { readWord, type Word } from "./line/word.js";
import { programName } from "./line/wrappers.js";

/** The user's rules for commands, from their own settings, never from a workspace's. */
export interface CommandRules {
  /** Rules that allow commands, as in `npm test` or `git commit -m *`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

type RuleAnswer =
  | { readonly type: "allow" | "deny"; readonly rule: string }
  /** A rule that denies may match the command: some of its words are not known before it runs. */
  | { readonly type: "unsure"; readonly rule: string }
  /** A rule that denies cannot be read: it is not the beginning of one command. */
  | { readonly type: "unreadable"; readonly rule: string };

/** Matches the `=` in front of a rule that is about exactly its words. */
const exactly = /^\s*=\s*/;
/** Commands that install, fetch or run what further words name. */
const installs =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|up|update|upgrade|exec|x|dlx|create|init|link|rebuild)|(?:pip3?|pipx|uv|uv pip|poetry|pdm|cargo|go|gem|composer|bundle|brew|apt|apt-get|dnf|yum|apk) (?:install|add|get|require|update|upgrade|run|sync))$/;

/**
 * Returns what the rules say of one command, word by word; `undefined` if none matches. `*` is any
 * one word.
 *
 * - A rule with `=` in front matches the command of exactly its words.
 * - A rule that allows matches commands that begin with exactly its words; if it allows to install,
 *   it matches only its own words, as further words would install something else.
 * - A rule that denies matches commands that have its words in this order, whatever stands between
 *   them; the folder and the case of the program's name do not matter. It takes precedence.
 */
export function askRules(words: readonly Word[], rules: CommandRules): RuleAnswer | undefined {
  for (const rule of rules.deny) {
    const wanted = wordsOf(rule);
    // A rule that cannot be read was meant to forbid something.
    if (wanted === undefined) return { type: "unreadable", rule };
    const answer = denies(wanted, words, exactly.test(rule));
    if (answer !== undefined) return { type: answer, rule };
  }
  const rule = rules.allow.find((candidate) => {
    const wanted = wordsOf(candidate);
    return wanted !== undefined && allows(wanted, words, exactly.test(candidate));
  });
  return rule === undefined ? undefined : { type: "allow", rule };
}

/**
 * Returns words that name the rule, if it cannot be ruled out that a rule denies the command.
 */
export function ruleProblem(typed: readonly Word[], rules: CommandRules): Words | undefined {
  const answer = askRules(typed, rules);
  if (answer?.type === "unsure")
    return words("Whether your settings deny it (“{rule}”) shows only when it runs.", {
      rule: answer.rule,
    });
  return answer?.type === "unreadable"
    ? words(
        "Your rule “{rule}”, which denies commands, cannot be read: give the first words of one command, or remove it.",
        { rule: answer.rule },
      )
    : undefined;
}

/** Returns the words of a rule; `undefined` if the rule is empty or more than one plain command. */
export function wordsOf(rule: string): readonly string[] | undefined {
  const line = rule.replace(exactly, "").trim();
  const commands = readPlainLine(line);
  const [command] = commands ?? [];
  if (command === undefined || commands?.length !== 1 || command.redirects.length > 0)
    return undefined;
  const words = command.words.map(({ start, end }) => readWord(line.slice(start, end)));
  const isRule = words.every(
    ({ kind, text }) => kind === "literal" || (kind === "pattern" && text === "*"),
  );
  return isRule && words[0]?.text !== "*" ? words.map(({ text }) => text) : undefined;
}

function allows(wanted: readonly string[], words: readonly Word[], isExact: boolean): boolean {
  if (words.length < wanted.length || words.some(({ kind }) => kind !== "literal")) return false;
  const isWhole = isExact || installs.test(wanted.join(" "));
  if (isWhole && words.length > wanted.length) return false;
  return wanted.every((word, index) => word === "*" || word === words[index]?.text);
}

function denies(
  wanted: readonly string[],
  words: readonly Word[],
  isExact: boolean,
): "deny" | "unsure" | undefined {
  const [name = "", ...others] = wanted;
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  if (program.kind !== "literal") return "unsure";
  if (programName(program) !== name.replace(/^.*\//, "").toLowerCase()) return undefined;
  if (isExact && args.length !== others.length && args.every(({ kind }) => kind === "literal"))
    return undefined;
  let found = 0;
  for (const { kind, text } of args) {
    const next = others[found];
    if (next === undefined) break;
    if (kind === "literal" ? next === "*" || next === text : false) found++;
  }
  if (found === others.length) return "deny";
  return args.some(({ kind }) => kind !== "literal") ? "unsure" : undefined;
}

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
export function hidesCommands(line: string, { deny }: CommandRules): Words | undefined {
  if (asPrompt.test(line))
    return words("It runs what a variable holds, which shows only when it runs.");
  return deny.length > 0 && computing.test(line)
    ? words("It has expansions that can run what your settings deny.")
    : undefined;
}
