import type { FileNotCarried, NotCarried } from "../ports/worktrees.js";
import { visibleLine } from "../text/visibleText.js";

const reasons: Readonly<Record<NotCarried, string>> = {
  filtered: "git would have to run a program for it",
  tooBig: "it is too big to be kept in the repository",
  outside: "it is outside of the folder",
  link: "it is a link, or a repository of its own",
  changed: "you have it otherwise than git can tell",
};

/** Returns a file that cannot land and why, as in `a.bin: it is too big to be kept in the repository`. */
export function notCarriedText({ path, why }: FileNotCarried): string {
  return `${visibleLine(path, 300)}: ${reasons[why]}`;
}
