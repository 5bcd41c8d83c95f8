import { compileRegex } from "./compileRegex.js";
import { withinScriptTime } from "./withinScriptTime.js";

const maxLineLength = 20_000;

export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * Finds the lines of a text that match a regular expression of JavaScript. Throws a
 * `UserError` for an expression that is invalid or takes for ever.
 */
export function lineMatcher(source: string): (text: string) => LineMatch[] {
  const regex = compile(source);
  const matching = (text: string): LineMatch[] => {
    const matches: LineMatch[] = [];
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const [index, raw] of lines.entries()) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (regex.test(line.slice(0, maxLineLength))) matches.push({ line: index + 1, text: line });
    }
    return matches;
  };
  return (text) => withinScriptTime(source, () => matching(text));
}

function compile(source: string): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const pattern = inline ? source.slice(inline[0].length) : source;
  return compileRegex(pattern, inline?.[1] ?? "");
}
