import { guessedTokens } from "../agent/context/tokenGuess.js";
import { visibleLine } from "../text/visibleText.js";
import { beginningOf } from "../text/wellFormed.js";
import { type Words, words } from "../text/words.js";

/** The part of a model's window that rules may take, the most, and what they may take where the window is not known. */
const share = 0.2;
const most = 40_000;
const withoutWindow = 7_000;

/** The fewest tokens of a file that are worth quoting. */
const leastPart = 200;

/** The most files that an agent, and that a person, is told of by name. */
const mostNamed = 100;
const mostTold = 8;

/** Whose rules they are: of the mode alone, the user's own, the workspace's, of a folder above it, of a folder in it. */
type RuleKind = "mode" | "user" | "root" | "above" | "folder";

export interface Rule {
  readonly path: string;
  readonly kind: RuleKind;
  /** How many folders above the workspace they lie; 0 for those of the workspace. */
  readonly distance: number;
  /** As the prompt quotes it. */
  readonly text: string;
}

/** Returns the most tokens of all rules together. */
export function roomForRules(window: number | undefined): number {
  return window === undefined ? withoutWindow : Math.min(most, Math.floor(share * window));
}

/**
 * Returns the rules that fit, in their order, with the names of the others, and what the user is told of these. Where not
 * all fit, those of the mode come first, then those of the folders that the goal names, the innermost first, then the
 * user's own, then those of the workspace, then those of the folders above it, the nearest first, and last those of other
 * folders. The first that does not fit is cut.
 *
 * @param rules in the order in which they are quoted
 * @param room estimated tokens of all together
 */
export function fittingRules(
  rules: readonly Rule[],
  room: number,
  goal: string,
): { readonly text: string; readonly problem?: Words } {
  const about = goal.replaceAll("\\", "/");
  const quoted = new Map<Rule, string>();
  let left = room;
  for (const rule of rules.toSorted((a, b) => rankOf(a, about) - rankOf(b, about))) {
    const tokens = guessedTokens(rule.text);
    if (tokens <= left) quoted.set(rule, rule.text);
    else if (left >= leastPart) {
      const part = beginningOf(rule.text, Math.floor((rule.text.length * left) / tokens));
      quoted.set(rule, `${part}\n(The rest is left out.)`);
    }
    left = tokens <= left ? left - tokens : 0;
  }
  const texts = rules.flatMap((rule) => quoted.get(rule) ?? []);
  const others = rules.filter((rule) => quoted.get(rule) !== rule.text);
  if (others.length === 0) return { text: texts.join("\n\n") };
  const named = others.map(({ path }) => visibleLine(path, 200));
  const more = named.length > mostNamed ? `\n- ${named.length - mostNamed} more files` : "";
  const list = named.slice(0, mostNamed).map((path) => `- ${path}`);
  texts.push(
    `Left out above, in whole or in part, because there is too much. Read those that what you work on needs:\n${list.join("\n")}${more}`,
  );
  return { text: texts.join("\n\n"), problem: leftOut(named) };
}

function leftOut(paths: readonly string[]): Words {
  const files = paths.slice(0, mostTold).join(", ");
  const more = paths.length - mostTold;
  return more > 0
    ? words(
        "There are more rules than the model's context window has room for. Left out, in whole or in part: {files}, and {more, plural, one {# more file} other {# more files}}. Experts know their names and can read them.",
        { files, more },
      )
    : words(
        "There are more rules than the model's context window has room for. Left out, in whole or in part: {files}. Experts know their names and can read them.",
        { files },
      );
}

/** Returns what is quoted first where not all fit: less is sooner. */
function rankOf({ path, kind, distance }: Rule, goal: string): number {
  if (kind !== "folder") return { mode: 0, user: 2, root: 3, above: 3 }[kind] + distance / 1_000;
  const folder = path.slice(0, path.lastIndexOf("/"));
  const depth = folder.split("/").length;
  return goal.includes(`${folder}/`) ? 2 - depth / 1_000 : 4 + depth;
}
