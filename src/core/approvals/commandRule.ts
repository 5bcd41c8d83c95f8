import { isProtected } from "../access/protectedFiles.js";

/**
 * Programs whose second word says what they do, with the second words that run something the project defines
 * for itself. Only such a prefix can stand for more than one command: for a shell, an interpreter or a file
 * tool the arguments are what matters.
 */
const rules: Readonly<Record<string, readonly string[]>> = {
  npm: ["test", "run", "t"],
  pnpm: ["test", "run"],
  yarn: ["test", "run"],
  bun: ["test", "run"],
  cargo: ["test", "build", "check", "clippy", "fmt"],
  go: ["test", "build", "vet", "fmt"],
  dotnet: ["test", "build", "format"],
  mvn: ["test", "compile", "verify"],
  gradle: ["test", "build", "check"],
  "./gradlew": ["test", "build", "check"],
  deno: ["test", "check", "lint", "fmt"],
};

/** Returns whether the words begin as a rule may: they run something that the project defines for itself. */
export function runsProject([program = "", task = ""]: readonly string[]): boolean {
  return Object.hasOwn(rules, program) && rules[program]?.includes(task) === true;
}

/** Returns the prefix of a rule for this command and similar ones; `undefined` for most commands. */
export function commandRule(line: string): readonly string[] | undefined {
  const words = plainWords(line);
  return words && ruleFor(words);
}

/** Returns the prefix of a rule for commands of these words; `undefined` if there can be none. */
export function ruleFor(words: readonly string[]): readonly string[] | undefined {
  if (!arePlain(words) || !runsProject(words)) return undefined;
  const isRun = words[1] === "run";
  const rule = words.slice(0, isRun ? 3 : 2);
  const isWhole = !isRun || (rule.length === 3 && isHarmless(rule[2] ?? ""));
  return isWhole && beginsWith(rule, words) ? rule : undefined;
}

/**
 * Returns whether a line begins with these words, and only names follow: no options, no protected files,
 * nothing outside the workspace.
 */
export function ruleCovers(rule: readonly string[], line: string): boolean {
  const words = plainWords(line);
  return words !== undefined && beginsWith(rule, words);
}

/** Does the same as {@link ruleCovers}, for a command whose words are known. */
export function beginsWith(rule: readonly string[], words: readonly string[]): boolean {
  if (rule.length < 2 || !arePlain(words)) return false;
  return (
    rule.every((word, index) => words[index] === word) && words.slice(rule.length).every(isHarmless)
  );
}

/**
 * Returns whether a word is harmless as an argument: an option may name a program to run or a file to write,
 * and a path may lead anywhere.
 */
function isHarmless(word: string): boolean {
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_./:+-]*$/.test(word) || word.includes(":/")) return false;
  const steps = word.split("/");
  if (steps.includes("..")) return false;
  const path = steps.filter((step) => step !== "." && step !== "").join("/");
  return path === "" || !isProtected(path);
}

/** Characters that mean nothing special to any shell, so that the program is given the words as they are. */
const plainWord = /^[A-Za-z0-9_./:+=-]+$/;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Returns the words of a command line that is one program with plain arguments; `undefined` for every line in
 * which a quote, an expansion, an operator or an assignment could make it something else.
 */
function plainWords(line: string): readonly string[] | undefined {
  const words = line.split(" ");
  return arePlain(words) ? words : undefined;
}

/** Returns whether every shell takes the words literally, and the first is not an assignment. */
function arePlain(words: readonly string[]): boolean {
  return words.every((word) => plainWord.test(word)) && !assignment.test(words[0] ?? "");
}
