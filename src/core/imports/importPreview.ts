import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";
import type { ImportPlan, LeftOut } from "./importPlan.js";

/**
 * Returns an import as a text to read: each thing with what it becomes, what is left out and why. Names and texts from
 * files are quoted, so that none of them can pass for a line of this text.
 *
 * @param say returns a sentence in the person's language
 * @param title what is said of the things that the plan has
 */
export function importPreview(
  plan: ImportPlan,
  say: (words: Words) => string,
  title = words("Can be imported"),
): string {
  const { items, asItIs, leftOut } = plan;
  const blocks: string[] = [];
  const block = (title: Words, lines: readonly string[]): void => {
    if (lines.length > 0) blocks.push(`## ${say(title)}\n\n${lines.join("\n")}\n`);
  };
  block(
    title,
    items.map(({ id, from, becomes, notes, replaces, isChosen }) => {
      const all = [
        becomes,
        ...(replaces ? [words("Something else has this name, and would be replaced.")] : []),
        ...notes,
        words("From {path}.", { path: from }),
      ];
      const lines = all.map((one) => `      ${line(say(one), 600)}`);
      return `- [${isChosen ? "x" : " "}] ${code(id)}\n${lines.join("\n")}`;
    }),
  );
  block(words("Used as it is"), asItIs.map(rowOf(say)));
  block(words("Left out"), leftOut.map(rowOf(say)));
  return blocks.length > 0 ? blocks.join("\n") : `${say(nothingFound)}\n`;
}

/** The message for a person who has no settings of other tools. */
export const nothingFound = words("No settings of Roo Code, Cline or Kilo Code were found here.");

function rowOf(say: (words: Words) => string) {
  return ({ name, from, why }: LeftOut): string => {
    const shown = name === "" || name === from ? code(from) : `${code(name)} (${line(from, 200)})`;
    return `- ${shown}: ${line(say(why), 600)}`;
  };
}

function line(text: string, most: number): string {
  return visibleLine(text, most);
}

function code(text: string): string {
  return `\`${line(text, 200).replaceAll("`", "'")}\``;
}
