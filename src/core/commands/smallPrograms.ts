import type { ReadOnlyAnswer } from "./reads.js";
import { readArguments, usage } from "./usage.js";

type Check = (args: readonly string[]) => ReadOnlyAnswer;

/** Programs whose arguments are more than flags and operands. */
export const smallPrograms: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["echo", () => []],
  ["printf", ([first = ""]) => (setsVariable(first) ? "It would set a variable." : [])],
  ["strings", strings],
  ["cd", cd],
  ["set", set],
  ["test", (args) => test(args)],
  ["[", (args) => (args.at(-1) === "]" ? test(args.slice(0, -1)) : "Its bracket is not closed.")],
  ["date", date],
  ["jq", jq],
  [
    "command",
    ([flag, ...names]) => (/^-[vV]$/.test(flag ?? "") && !names.some(isFlag) ? [] : other),
  ],
]);

const other = "It runs another program.";

function isFlag(arg: string): boolean {
  return arg.startsWith("-");
}

function cd(args: readonly string[]): ReadOnlyAnswer {
  const [folder] = args;
  if (folder === undefined || args.length > 1 || isFlag(folder))
    return "It goes to a folder that is not named.";
  return [{ path: folder, how: "name" }];
}

/** With `-v`, and with `%n`, which puts how much was printed into a variable, as `PATH`. */
function setsVariable(format: string): boolean {
  return isFlag(format) || /%[-+ #0'*\d.]*[hjlLqtz]*n/.test(format.replaceAll("%%", ""));
}

const texts = usage("-a -n:number -t:text -e:text", "file");

/** What begins with `@` is a file with more arguments in it. */
function strings(args: readonly string[]): ReadOnlyAnswer {
  if (args.some((arg) => arg.startsWith("@"))) return "It would take arguments from a file.";
  const given = readArguments(texts, args);
  return typeof given === "string" ? given : given.reads;
}

/** Only how errors are met. */
function set(args: readonly string[]): ReadOnlyAnswer {
  const isKnown =
    args.length > 0 && /^(-[eux]+|-[eux]*o pipefail)( -[eux]+| -o pipefail)*$/.test(args.join(" "));
  return isKnown ? [] : "It changes how the shell works.";
}

const operators = new Set(
  "-e -f -d -r -w -x -s -n -z -L -h -a -o -eq -ne -gt -lt -ge -le -nt -ot".split(" "),
);

/** Not -v, which computes what is in the brackets of a name. */
function test(args: readonly string[]): ReadOnlyAnswer {
  const unknown = args.find((arg) => isFlag(arg) && !operators.has(arg) && !/^-\d+$/.test(arg));
  if (unknown !== undefined) return `test's ${unknown} is not known to only look.`;
  const isPath = (index: number) => /^-([efdrwxsLh]|nt|ot)$/.test(args[index - 1] ?? "");
  return args.filter((_, index) => isPath(index)).map((path) => ({ path, how: "name" }));
}

const dates = usage(
  "-uRj -d:text -I? -r:name --date:text --utc --universal --iso-8601? --rfc-3339:text --rfc-email --reference:name",
  "text",
  1,
);

/** Without a plus its operand is the time that it would set. */
function date(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(dates, args);
  if (typeof given === "string") return given;
  const [format] = given.operands;
  return format === undefined || format.startsWith("+") ? given.reads : "It would set the clock.";
}

const queries = usage(
  "-cCehjMnrRsSa --compact-output --raw-output --raw-input --slurp --null-input --sort-keys --exit-status --tab --indent:number --color-output --monochrome-output --join-output",
  "text",
);

/** Not with filters that read the environment, where keys are, or other files. */
function jq(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(queries, args);
  if (typeof given === "string") return given;
  const [filter = ".", ...files] = given.operands;
  if (/env|ENV|import|include|input_filename|modulemeta|search_list/.test(filter)) {
    return "Its filter may read more than its input.";
  }
  return files.map((path) => ({ path, how: "file" }));
}
