import type { FileNotCarried, NotCarried } from "../../ports/worktrees.js";
import { english, translatable, type Translate } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";

const reasons: Readonly<Record<NotCarried, string>> = {
  filtered: translatable("git would have to run a program for it"),
  tooBig: translatable("it is too big to be kept in the repository"),
  outside: translatable("it is outside of the folder"),
  link: translatable("it is a link, or a repository of its own"),
  changed: translatable(
    "it is not in your folder as git has it: you have changed it, or a sparse checkout leaves it out",
  ),
  tooMuch: translatable("the task's folder has more than is carried"),
  protected: translatable("tools, editors or agents would act on it"),
  taken: translatable("there is another file at its place"),
};

/** Returns a file that cannot land and why, as in `a.bin: it is too big to be kept in the repository`. */
export function notCarriedText({ path, why }: FileNotCarried, t: Translate = english): string {
  return `${visibleLine(path, 300)}: ${t(reasons[why])}`;
}
