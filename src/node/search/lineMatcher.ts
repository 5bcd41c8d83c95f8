import { compileRegex } from "./compileRegex.js";
import { withinScriptTime } from "./withinScriptTime.js";

const maxLineLength = 20_000;

export interface LineMatch {
  /** The number of the line; the first is 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Returns a function that finds the lines of a text that match a regular expression of JavaScript.
 * Throws a `UserError` for an invalid expression; the function throws one if matching takes too long.
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
