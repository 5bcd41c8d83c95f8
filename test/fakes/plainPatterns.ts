import { UserError } from "../../src/core/errors.js";
import type { PatternMatch, Patterns } from "../../src/core/ports/search.js";

/** Takes as long as an expression takes. */
export class PlainPatterns implements Patterns {
  find(
    { source, flags }: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[] {
    let regex: RegExp;
    try {
      regex = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
    } catch (error) {
      throw new UserError("patternInvalid", "The regular expression cannot be read ({reason}).", {
        reason: String(error),
      });
    }
    const all = texts.flatMap((content, text) =>
      [...content.matchAll(regex)].map((match) => ({
        text,
        start: match.index,
        end: match.index + match[0].length,
      })),
    );
    return all.slice(0, limit);
  }
}
