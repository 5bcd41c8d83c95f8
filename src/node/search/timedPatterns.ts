import type { PatternMatch, Patterns } from "../../core/ports.js";
import { compileRegex } from "./compileRegex.js";
import { withinScriptTime } from "./withinScriptTime.js";

/** Matches regular expressions within a time limit, so that they cannot block the process. */
export class TimedPatterns implements Patterns {
  find(
    { source, flags }: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[] {
    const regex = compileRegex(source, flags.includes("g") ? flags : `${flags}g`);
    return withinScriptTime(source, () => {
      const matches: PatternMatch[] = [];
      for (const [text, content] of texts.entries()) {
        for (const match of content.matchAll(regex)) {
          if (matches.length >= limit) return matches;
          matches.push({ text, start: match.index, end: match.index + match[0].length });
        }
      }
      return matches;
    });
  }
}
