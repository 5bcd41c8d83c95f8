import { programOperands } from "./programOperands.js";
import type { Word } from "./word.js";
import type { WriteTargets } from "./writes.js";

/** Matches usual names of a flag for a file or folder to write, such as `-o` and `--out-dir`. */
const output =
  /^(?:-o|-out|--?(?:out(?:put|file|dir)?|out(?:put)?-[a-z-]+|out(?:File|Dir)|dest(?:ination)?(?:-[a-z-]+)?|target-dir(?:ectory)?|log-?file|report-?(?:file|dir)?|save(?:-[a-z-]+)?|export(?:-[a-z-]+)?|dump(?:-[a-z-]+)?))$/;
/** Flags with which formatters and similar programs overwrite the files that they read. */
const inPlace = /^(?:-i|-w|--write|--fix|--in-?place|--apply)$/;

/** Returns what an unknown program writes, going by what flags are usually called. */
export function outputFlags(args: readonly Word[]): WriteTargets {
  const files = args.flatMap((word, index): Word[] => {
    const [flag = ""] = word.text.split("=", 1);
    if (!output.test(flag)) {
      const [, rest] = /^-o([^-=].*)$/s.exec(word.text) ?? [];
      return rest === undefined || /^(?:ut|pt)/.test(rest) ? [] : [{ ...word, text: rest }];
    }
    if (flag !== word.text) return [{ ...word, text: word.text.slice(flag.length + 1) }];
    const next = args[index + 1];
    return next === undefined || /^-./.test(next.text) ? [] : [next];
  });
  const { operands } = programOperands(args, "");
  return args.some(({ text }) => inPlace.test(text)) ? { files, perhaps: operands } : { files };
}
