import { stringify } from "yaml";
import * as z from "zod";
import { parseModeFile } from "../experts/modeFile.js";
import { isReservedSlug } from "../experts/modes.js";
import type { Patterns } from "../ports/search.js";
import { visibleLine } from "../text/visibleText.js";
import { withTexts } from "../text/withTexts.js";
import { type Words, words } from "../text/words.js";

/** The most characters of a mode's definition. */
const longest = 100_000;

/**
 * A mode as Roo Code and Kilo Code export it: with the files of its rules. Source: RooCodeInc/Roo-Code,
 * `src/core/config/CustomModesManager.ts`.
 */
const exported = z.looseObject({
  slug: z.string(),
  source: z.unknown().optional(),
  rulesFiles: z
    .array(z.looseObject({ relativePath: z.string(), content: z.string().max(64_000) }))
    .max(50)
    .optional()
    .catch(undefined),
});

/** A mode as it can be imported, or why it cannot. */
export type ImportedMode =
  | {
      readonly slug: string;
      /** The mode as it is written to a mode file. */
      readonly mode: object;
      readonly notes: readonly Words[];
      /** The files of its rules; their names have no folder. */
      readonly rules: readonly { readonly name: string; readonly text: string }[];
    }
  | { readonly name: string; readonly problem: Words };

/** Expressions of the mode are not run when it is read. */
const patterns: Patterns = { find: () => [] };

/** Returns the entry of a mode file for another tool's mode, which has the same form. */
export function importedMode(given: unknown): ImportedMode {
  const read = exported.safeParse(given);
  if (!read.success) return { name: "", problem: words("It is no mode: it has no slug.") };
  const { rulesFiles = [] } = read.data;
  const mode = modeEntry(read.data);
  const name = visibleLine(read.data.slug, 60);
  const text = JSON.stringify({ customModes: [mode] });
  if (text.length > longest) return { name, problem: words("The mode is too long.") };
  const { modes, problems } = parseModeFile(text, "", patterns);
  const [parsed] = modes;
  if (parsed === undefined) {
    const [first] = problems;
    return {
      name,
      problem: words("It cannot be used: {problem}", {
        problem: withTexts(first?.message ?? "", (one) => visibleLine(one, 300)),
      }),
    };
  }
  if (isReservedSlug(parsed.slug)) {
    return { name, problem: words("Rooroo has an expert of this name already.") };
  }
  const notes = problems.map(({ message }) => {
    return words("Correct it in .roomodes: {problem}", {
      problem: withTexts(message, (one) => visibleLine(one, 300)),
    });
  });
  const rules = rulesFiles.flatMap(({ relativePath, content }) => {
    const file = /([\w][\w .-]{0,80}\.(?:md|txt))$/i.exec(relativePath)?.[1];
    return file === undefined || content.trim() === ""
      ? []
      : [{ name: file, text: content.trim() }];
  });
  return { slug: parsed.slug, mode, notes, rules };
}

/** Returns a mode without what is of no use in a mode file: where it comes from, and the files of its rules. */
export function modeEntry<T extends object>(mode: T): Omit<T, "source" | "rulesFiles"> {
  const entries = Object.entries(mode).filter(([key]) => key !== "source" && key !== "rulesFiles");
  return Object.fromEntries(entries) as Omit<T, "source" | "rulesFiles">;
}

/** Returns modes as a mode file. */
export function modeFileText(modes: readonly object[]): string {
  return stringify({ customModes: modes }, { lineWidth: 0 });
}
