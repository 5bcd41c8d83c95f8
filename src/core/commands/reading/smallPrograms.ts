import { isWords, words } from "../../text/words.js";
import { readArguments, type ReadOnlyAnswer, usage } from "./usage.js";

type Check = (args: readonly string[]) => ReadOnlyAnswer;

/** The checks of programs whose arguments are more than flags and operands. */
export const smallPrograms: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["echo", () => []],
  ["printf", ([first = ""]) => (setsVariable(first) ? words("It would set a variable.") : [])],
  ["strings", strings],
  ["cd", cd],
  ["set", set],
  ["test", (args) => test(args)],
  [
    "[",
    (args) => (args.at(-1) === "]" ? test(args.slice(0, -1)) : words("Its bracket is not closed.")),
  ],
  ["date", date],
  ["jq", jq],
  [
    "command",
    ([flag, ...names]) => (/^-[vV]$/.test(flag ?? "") && !names.some(isFlag) ? [] : other),
  ],
]);

const other = words("It runs another program.");

function isFlag(arg: string): boolean {
  return arg.startsWith("-");
}

function cd(args: readonly string[]): ReadOnlyAnswer {
  const [folder] = args;
  if (folder === undefined || args.length > 1 || isFlag(folder))
    return words("It goes to a folder that is not named.");
  return [{ path: folder, how: "name" }];
}

/**
 * Returns whether `printf` would set a variable such as `PATH`: with `-v`, or with `%n`, which
 * stores how much was printed.
 */
function setsVariable(format: string): boolean {
  return isFlag(format) || /%[-+ #0'*\d.]*[hjlLqtz]*n/.test(format.replaceAll("%%", ""));
}

const texts = usage("-a -n:number -t:text -e:text", "file");

/** Rejects arguments that begin with `@`, which name a file with more arguments. */
function strings(args: readonly string[]): ReadOnlyAnswer {
  if (args.some((arg) => arg.startsWith("@"))) return words("It would take arguments from a file.");
  const given = readArguments(texts, args);
  return isWords(given) ? given : given.reads;
}

/** Accepts only options for errors and for tracing. */
function set(args: readonly string[]): ReadOnlyAnswer {
  const isKnown =
    args.length > 0 && /^(-[eux]+|-[eux]*o pipefail)( -[eux]+| -o pipefail)*$/.test(args.join(" "));
  return isKnown ? [] : words("It changes how the shell works.");
}

const operators = new Set(
  "-e -f -d -r -w -x -s -n -z -L -h -a -o -eq -ne -gt -lt -ge -le -nt -ot".split(" "),
);

/** Rejects -v, which computes what is in the brackets of a name. */
function test(args: readonly string[]): ReadOnlyAnswer {
  const unknown = args.find((arg) => isFlag(arg) && !operators.has(arg) && !/^-\d+$/.test(arg));
  if (unknown !== undefined)
    return words("{program}'s {flag} is not known to only look.", {
      program: "test",
      flag: unknown,
    });
  const isPath = (index: number) => /^-([efdrwxsLh]|nt|ot)$/.test(args[index - 1] ?? "");
  return args.filter((_, index) => isPath(index)).map((path) => ({ path, how: "name" }));
}

const dates = usage(
  "-uRj -d:text -I? -r:name --date:text --utc --universal --iso-8601? --rfc-3339:text --rfc-email --reference:name",
  "text",
  1,
);

/** Rejects an operand without a plus, which is the time that `date` would set. */
function date(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(dates, args);
  if (isWords(given)) return given;
  const [format] = given.operands;
  return format === undefined || format.startsWith("+")
    ? given.reads
    : words("It would set the clock.");
}

const queries = usage(
  "-cCehjMnrRsSa --compact-output --raw-output --raw-input --slurp --null-input --sort-keys --exit-status --tab --indent:number --color-output --monochrome-output --join-output",
  "text",
);

/** Rejects filters that read other files, or the environment, which holds keys. */
function jq(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(queries, args);
  if (isWords(given)) return given;
  const [filter = ".", ...files] = given.operands;
  if (/env|ENV|import|include|input_filename|modulemeta|search_list/.test(filter)) {
    return words("Its filter may read more than its input.");
  }
  return files.map((path) => ({ path, how: "file" }));
}
