import { isWords, words } from "../../text/words.js";
import { readArguments, type ReadOnlyAnswer, usage } from "./usage.js";

// Left out are -i, which writes, and -f, which reads a script.
const sed = usage(
  "-nErsuz -e:text -l:number --quiet --silent --regexp-extended --expression:text",
  "text",
);

/** Returns what `sed` reads, if its script can do nothing but print, or why it may do more. */
export function sedReadOnly(args: readonly string[]): ReadOnlyAnswer {
  const given = readArguments(sed, args);
  if (isWords(given)) return given;
  const scripts = [...(given.flags.get("-e") ?? []), ...(given.flags.get("--expression") ?? [])];
  const isGiven = scripts.length > 0;
  const script = isGiven ? scripts.join("\n") : given.operands[0];
  if (script === undefined) return words("It has no script.");
  if (!onlyPrints(script)) return words("Its script is not known to only print.");
  const files = given.operands.slice(isGiven ? 0 : 1).filter((path) => path !== "-");
  return files.map((path) => ({ path, how: "file" }));
}

const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\[\n]|\\[^\n])*\/[IM]*)/;
const addressEnd = /^(?:\d+|\$|[+~]\d+|\/(?:[^/\\[\n]|\\[^\n])*\/[IM]*)/;
const blanks = /^[ \t]*/;

/**
 * Returns whether a script has only commands that print, delete and substitute. Left out are `e`,
 * `w`, `r` and similar flags, which run programs and touch files. Brackets, in which a slash may
 * stand for itself, are not read.
 */
export function onlyPrints(script: string): boolean {
  let rest = script;
  const take = (pattern: RegExp): boolean => {
    const found = pattern.exec(rest);
    if (found === null) return false;
    rest = rest.slice(found[0].length);
    return true;
  };
  while (take(/^[ \t\n;]+/) || rest !== "") {
    if (rest === "") return true;
    if (take(address)) {
      take(blanks);
      if (take(/^,[ \t]*/) && !take(addressEnd)) return false;
      take(blanks);
    }
    take(/^!?[ \t]*/);
    if (take(/^[{}]/)) continue;
    const simple =
      take(/^[pPdDgGhHxnN=](?=[ \t]*(?:[;}\n]|$))/) || take(/^[qQ] ?\d*(?=[ \t]*(?:[;}\n]|$))/);
    if (!simple && !takeSubstitution()) return false;
    if (!/^[ \t]*(?:[;}\n]|$)/.test(rest)) return false;
  }
  return true;

  function takeSubstitution(): boolean {
    const [, kind, mark = ""] = /^([sy])([/|#,:@!_%])/.exec(rest) ?? [];
    if (kind === undefined) return false;
    const part = `(?:[^${mark}\\\\\\n[]|\\\\[^\\n])*`;
    const into = `(?:[^${mark}\\\\\\n]|\\\\[^\\n])*`;
    const flags = kind === "s" ? "[gpiI0-9]*" : "";
    return take(new RegExp(`^${kind}[${mark}]${part}[${mark}]${into}[${mark}]${flags}`));
  }
}
