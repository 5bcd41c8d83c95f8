import type { CommandVerdict } from "../agent/commandFacts.js";
import { isWords, type Words, words } from "../text/words.js";
import { askRules, type CommandRules } from "./commandRules.js";
import type { Redirect, SimpleCommand } from "./line/commandLine.js";
import type { CommandParser } from "./line/syntaxTree.js";
import type { Word } from "./line/word.js";
import { unwrap } from "./line/wrappers.js";
import { expandPattern } from "./paths/expandPattern.js";
import { readOnly } from "./reading/readOnly.js";
import { readProblem, type VisibleFiles } from "./readProblem.js";

type Judgement = Pick<CommandVerdict, "verdict" | "why">;

/**
 * Judges whether one command of a line may run without approval.
 *
 * @param beyond what the line has besides plain commands
 */
export async function judgeCommand(
  command: SimpleCommand,
  beyond: Words | undefined,
  services: CommandServices,
): Promise<Judgement> {
  const { words: typed, assigns, redirects, folders } = command;
  const rule = askRules(typed, services.rules);
  if (rule?.type === "deny") {
    return { verdict: "denied", why: words("Your settings deny “{rule}”.", { rule: rule.rule }) };
  }
  if (beyond !== undefined) return asks(words("The line has {beyond}.", { beyond }));
  if (assigns) return asks(words("It sets variables, which can change what programs do."));
  const unknown = typed.find(({ kind, text }) => {
    return (
      kind === "unknown" || (kind === "status" && !/^(echo|printf)$/.test(typed[0]?.text ?? text))
    );
  });
  if (unknown !== undefined)
    return asks(words("What {word} stands for shows only when it runs.", { word: unknown.text }));
  if (folders === undefined)
    return asks(words("The folder that it runs in shows only when it runs."));
  for (const redirect of redirects) {
    const problem = await redirectProblem(redirect, folders, services);
    if (problem !== undefined) return asks(problem);
  }
  if (rule?.type === "allow") {
    return { verdict: "allowed", why: words("Your settings allow “{rule}”.", { rule: rule.rule }) };
  }
  for (const folder of folders) {
    const problem = await problemIn(folder, typed, services);
    if (problem !== undefined) return asks(problem);
  }
  return { verdict: "reads", why: words("It only reads.") };
}

function asks(why: Words): Judgement {
  return { verdict: "asks", why };
}

async function problemIn(
  folder: string,
  typed: readonly Word[],
  services: CommandServices,
): Promise<Words | undefined> {
  const place = await services.files.locate(folder);
  if (!place.inside) return words("It runs outside the workspace.");
  if (place.path !== folder)
    return words("{folder} is a link to {path}.", { folder, path: place.path });
  const wrapped = unwrap(typed);
  const [inner] = wrapped.commands;
  if (wrapped.transparent && inner !== undefined) return problemIn(folder, inner, services);
  const argv: string[] = [];
  for (const { kind, text } of typed) {
    const expanded =
      kind === "pattern" ? await expandPattern(text, folder, services.files) : [text];
    if (expanded === undefined)
      return words("What {word} stands for cannot be told.", { word: text });
    argv.push(...expanded);
  }
  if (typed[0]?.kind !== "literal") return words("The program's name shows only when it runs.");
  const answer = readOnly(argv);
  if (isWords(answer)) return answer;
  for (const read of answer) {
    const problem = await readProblem(read, folder, services);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Returns why a redirection needs approval; `undefined` if output is discarded or put with the
 * other output, or if input comes from a file that may be read.
 */
async function redirectProblem(
  { operator, target }: Redirect,
  folders: readonly string[],
  services: CommandServices,
): Promise<Words | undefined> {
  if (target.kind !== "literal")
    return words("Where its output or input goes shows only when it runs.");
  if (target.text === "/dev/null") return undefined;
  if (operator === ">&" && /^[12]$/.test(target.text)) return undefined;
  if (operator !== "<") return words("It writes to {path}.", { path: target.text });
  for (const folder of folders) {
    const problem = await readProblem({ path: target.text, how: "file" }, folder, services);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The files, the parser and the rules with which commands are judged. */
export interface CommandServices extends VisibleFiles {
  readonly parser: CommandParser;
  readonly rules: CommandRules;
  /** Returns why writing a file always needs approval, for what it is and not for its name alone. */
  protection(path: string): Promise<Words | undefined>;
}
