import { coerceArguments } from "../coerceArguments.js";
import type { AnyTool } from "../tool.js";
import { resolveToolAlias } from "../resolveToolAlias.js";
import { argumentTags } from "./argumentTags.js";
import { functionTags } from "./functionTags.js";
import { invokeTags } from "./invokeTags.js";
import { isMeant } from "./isMeant.js";
import { jsonObject } from "./jsonObject.js";
import { jsonTags } from "./jsonTags.js";
import { nameAndJson } from "./nameAndJson.js";
import { deepSeekTokens, harmonyTokens, kimiTokens, mistralTokens } from "./namedTokens.js";
import { pythonCalls } from "./pythonCalls.js";
import { toolTags } from "./toolTags.js";
import type { TextStyle, WrittenCall } from "./writtenCall.js";

/** The styles in the order in which they are tried: marked ones first, because they are clearer. */
const styles: readonly TextStyle[] = [
  harmonyTokens,
  kimiTokens,
  deepSeekTokens,
  mistralTokens,
  argumentTags,
  functionTags,
  invokeTags,
  jsonTags,
  toolTags,
  jsonObject,
  nameAndJson,
  pythonCalls,
];

export interface TextCalls {
  /** The text before the calls. */
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/**
 * Finds the calls that a model wrote into its text instead of using the server's tool calls. Returns
 * `undefined` unless all of them are certain: they end the text, have exactly one reading, name offered tools
 * with arguments that fit, and are not an example within an explanation.
 */
export function textCalls(
  text: string,
  tools: ReadonlyMap<string, AnyTool>,
): TextCalls | undefined {
  const isTool = (name: string): boolean => resolveToolAlias(name, tools) !== undefined;
  for (const place of places(text.trim())) {
    for (const style of styles) {
      const found = place.begin(style);
      if (found === undefined) continue;
      const [written, ...more] = take(style.read(found.from, isTool), 2);
      if (written === undefined || more.length > 0) continue;
      const calls = written.map((call) => understood(call, tools));
      if (!calls.every((call) => call !== undefined)) continue;
      const isMarked = style.isMarked || place.isMarked;
      return isMeant(found.before, isMarked) ? { text: found.before, calls } : undefined;
    }
  }
  return undefined;
}

interface Place {
  readonly isMarked: boolean;
  begin(style: TextStyle): { readonly before: string; readonly from: string } | undefined;
}

/** Yields the places where calls may stand: the end of the text, or the one fence that ends it. */
function* places(text: string): Generator<Place> {
  const fences = [...text.matchAll(/^[ \t]*```/gm)];
  const fence = /(?:^|\n)[ \t]*```([^\n`]*)\n([^]*?)\n[ \t]*```$/.exec(text);
  if (fence !== null && fences.length === 2) {
    const before = text.slice(0, fence.index).trimEnd();
    const inner = fenced(fence[1]?.trim() ?? "", fence[2]?.trim() ?? "");
    if (inner !== undefined) {
      yield {
        isMarked: inner.isMarked,
        begin: (style) =>
          style.begin.exec(inner.text)?.index === 0 ? { before, from: inner.text } : undefined,
      };
    }
    return;
  }
  yield {
    isMarked: false,
    begin: (style) => {
      const match = style.begin.exec(text);
      if (match === null) return undefined;
      const at = match.index + (match[1]?.length ?? 0);
      const before = text.slice(0, at);
      // Calls within a fence that is still open are shown, not meant.
      const isShown = (before.match(/^[ \t]*```/gm) ?? []).length % 2 === 1;
      return isShown ? undefined : { before: before.trimEnd(), from: text.slice(at) };
    },
  };
}

/** Returns the content of a fence that may hold a call, judging by its label; otherwise `undefined`. */
function fenced(label: string, text: string): { text: string; isMarked: boolean } | undefined {
  const [, name] = /^(?:tool|tool_call|function)[ :]+([\w.-]+)$/.exec(label) ?? [];
  if (name !== undefined) return { text: `${name} ${text}`, isMarked: true };
  if (/^tool(?:_?(?:call|calls|code|use))?$/i.test(label)) return { text, isMarked: true };
  if (/^(?:json5?|jsonc|xml|html)?$/i.test(label)) return { text, isMarked: false };
  return undefined;
}

function understood(
  { name, json }: WrittenCall,
  tools: ReadonlyMap<string, AnyTool>,
): { name: string; arguments: string } | undefined {
  const meant = resolveToolAlias(name, tools);
  const tool = meant && tools.get(meant.name);
  if (!meant || !tool) return undefined;
  const args = coerceArguments(tool, json, { rename: meant.rename, strict: true });
  return args === undefined ? undefined : { name: meant.name, arguments: args };
}

function take<T>(values: Iterable<T>, most: number): T[] {
  const taken: T[] = [];
  for (const value of values) {
    taken.push(value);
    if (taken.length === most) break;
  }
  return taken;
}
