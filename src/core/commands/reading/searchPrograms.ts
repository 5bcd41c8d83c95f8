import { isWords } from "../../text/words.js";
import { namePattern } from "../paths/expandPattern.js";
import { type Arguments, type Read, readArguments, type ReadOnlyAnswer, usage } from "./usage.js";

// Left out are -f, which reads a file, and -R and -z, which follow links and run other programs.
const grep = usage(
  "-acEFGhHiIlLnoPqrsUvwxybT -A:number -B:number -C:number -m:number -e:text -# --include:text --exclude:text --exclude-dir:text --regexp:text --after-context:number --before-context:number --context:number --max-count:number --color? --colour? --recursive --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab --null --text --extended-regexp --fixed-strings --basic-regexp --perl-regexp",
  "text",
);

// Left out are --pre, --hostname-bin and -z, which run programs, and -L, -f and --ignore-file.
const rg = usage(
  "-cFHhiIlnNoPpqsSuUvwx0. -A:number -B:number -C:number -e:text -g:text -t:text -T:text -m:number -d:number -M:number -r:text -j:number --regexp:text --glob:text --iglob:text --type:text --type-not:text --files --hidden --no-hidden --no-ignore --no-ignore-vcs --count --count-matches --line-number --no-line-number --ignore-case --smart-case --case-sensitive --fixed-strings --multiline --multiline-dotall --files-with-matches --files-without-match --max-depth:number --max-count:number --max-columns:number --max-filesize:text --context:number --after-context:number --before-context:number --sort:text --sortr:text --json --stats --type-list --color:text --heading --no-heading --trim --vimgrep --column --word-regexp --line-regexp --only-matching --replace:text --invert-match --passthru --pcre2 --with-filename --no-filename --no-messages --null --text --unrestricted --threads:number --version",
  "text",
);

export function grepReadOnly(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(grep, args);
  if (isWords(given)) return given;
  const has = (...names: string[]) => names.some((name) => given.flags.has(name));
  const paths = searchedPaths(given, has("-e", "--regexp"));
  if (!has("-r", "--recursive")) return paths.map((path) => ({ path, how: "file" }));
  const only = fitsOneOf(given.flags.get("--include") ?? ["*"]);
  return (paths.length === 0 ? ["."] : paths).map((path): Read => {
    return { path, how: "tree", only };
  });
}

export function ripgrepReadOnly(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(rg, args);
  if (isWords(given)) return given;
  const has = (...names: string[]) => names.some((name) => given.flags.has(name));
  if (has("--version", "--type-list")) return [];
  const paths = searchedPaths(given, has("-e", "--regexp", "--files"));
  const how = has("--files") ? "name" : "tree";
  const showsDots = has("-.", "--hidden", "-u", "--unrestricted");
  const isChosen = chosen(given);
  const skips = (name: string) => !showsDots && name.startsWith(".") && !isChosen(name);
  return (paths.length === 0 ? ["."] : paths).map((path): Read => ({ path, how, skips }));
}

/** Types whose only names with a dot in front are those that end as the type's other names do. */
const plainTypes =
  /^(c|cpp|cs|csharp|css|go|h|html|java|js|kotlin|less|md|markdown|php|py|python|rust|sass|scala|swift|ts|typescript)$/;

/**
 * Returns a test for names with a dot in front that a glob or a type asks for: these are searched
 * all the same.
 */
function chosen({ flags }: Arguments): (name: string) => boolean {
  const values = (...names: string[]) => names.flatMap((name) => flags.get(name) ?? []);
  const globs = values("-g", "--glob", "--iglob").filter((glob) => !glob.startsWith("!"));
  const types = values("-t", "--type");
  const isPlain = types.every((type) => plainTypes.test(type));
  const fits = fitsOneOf(globs.map((glob) => glob.toLowerCase()));
  return (name) =>
    fits(name.toLowerCase()) || (types.length > 0 && !(isPlain && /^\.[^.]*$/.test(name)));
}

/**
 * Returns a test for names that fit one of the patterns. Unlike in a shell, a wildcard may stand
 * for a dot at the beginning. Every name fits if a pattern is not understood.
 */
function fitsOneOf(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.some((pattern) => /[/[{\\]/.test(pattern))) return () => true;
  const tests = patterns.map((pattern) => namePattern(pattern, true));
  return (name) => tests.some((fits) => fits(name));
}

function searchedPaths({ operands }: Arguments, expressionIsGiven: boolean): string[] {
  return operands.slice(expressionIsGiven ? 0 : 1).filter((path) => path !== "-");
}
