import type { AnyTool } from "../../tool.js";
import { coerceArguments } from "../coerceArguments.js";
import { resolveToolAlias } from "../resolveToolAlias.js";
import { readCalls, type TextStyle, type WrittenCall } from "./style.js";
import { styles } from "./styles.js";

export interface TextCalls {
  /** The text before the calls. */
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/**
 * Finds the calls that a model wrote into its text instead of using the server's tool calls. Returns
 * `undefined` unless all of them are certain: they end the text, name offered tools with arguments that fit,
 * and are not an example within an explanation.
 */
export function textCalls(
  text: string,
  tools: ReadonlyMap<string, AnyTool>,
): TextCalls | undefined {
  const isTool = (name: string): boolean => resolveToolAlias(name, tools) !== undefined;
  const ending = endingOf(text.trim());
  if (ending === undefined) return undefined;
  for (const style of styles) {
    const begun = beginning(ending, style);
    if (begun === undefined) continue;
    const written = readCalls(begun.from, style, isTool);
    if (written === undefined) continue;
    const calls = written.map((call) => checkedCall(call, tools));
    if (!calls.every((call) => call !== undefined)) continue;
    const isMarked = style.isMarked || ending.isMarked;
    return isMeant(begun.before, isMarked) ? { text: begun.before, calls } : undefined;
  }
  return undefined;
}

/** The part of a text that may end in calls: all of it, or the content of the one fence that ends it. */
interface Ending {
  readonly text: string;
  /** The text before the fence; `undefined` if there is no fence. */
  readonly beforeFence?: string;
  /** Whether the fence's label says that it holds calls. */
  readonly isMarked: boolean;
}

/** Returns `undefined` if the text ends in a fence that holds no calls. */
function endingOf(text: string): Ending | undefined {
  const marks = text.match(/^[ \t]*```/gm) ?? [];
  const fence =
    marks.length === 2 ? /(?:^|\n)[ \t]*```([^\n`]*)\n([^]*?)\n[ \t]*```$/.exec(text) : null;
  if (fence === null) return { text, isMarked: false };
  const beforeFence = text.slice(0, fence.index).trimEnd();
  const label = fence[1]?.trim() ?? "";
  const content = fence[2]?.trim() ?? "";
  const [, name] = /^(?:tool|tool_call|function)[ :]+([\w.-]+)$/.exec(label) ?? [];
  if (name !== undefined) return { text: `${name} ${content}`, beforeFence, isMarked: true };
  const isMarked = /^tool(?:_?(?:call|calls|code|use))?$/i.test(label);
  const mayHoldCalls = isMarked || /^(?:json5?|jsonc|xml|html)?$/i.test(label);
  return mayHoldCalls ? { text: content, beforeFence, isMarked } : undefined;
}

/** Returns the text before the first call of a style, and the text from there on. */
function beginning(
  { text, beforeFence }: Ending,
  { begin }: TextStyle,
): { readonly before: string; readonly from: string } | undefined {
  const match = begin.exec(text);
  if (match === null) return undefined;
  if (beforeFence !== undefined) {
    return match.index === 0 ? { before: beforeFence, from: text } : undefined;
  }
  const at = match.index + (match[1]?.length ?? 0);
  const before = text.slice(0, at);
  // Calls within a fence that is still open are shown, not meant.
  const isShown = (before.match(/^[ \t]*```/gm) ?? []).length % 2 === 1;
  return isShown ? undefined : { before: before.trimEnd(), from: text.slice(at) };
}

/** Returns a call by its tool's own name and with arguments that fit; `undefined` if that is uncertain. */
function checkedCall(
  { name, json }: WrittenCall,
  tools: ReadonlyMap<string, AnyTool>,
): { name: string; arguments: string } | undefined {
  const resolved = resolveToolAlias(name, tools);
  const tool = resolved && tools.get(resolved.name);
  if (!resolved || !tool) return undefined;
  const args = coerceArguments(tool, json, { rename: resolved.rename, strict: true });
  return args === undefined ? undefined : { name: resolved.name, arguments: args };
}

/** Words that, right before a call, mean that the text only shows what a call looks or looked like. */
const showing =
  /\b(?:like (?:this|so|that|these)|looks|would|could|might|instead of|you|here|following|do(?:es)? not|don't|doesn't|didn't|never|cannot|can't|won't|was|were|called|failed|wrong|invalid|previous(?:ly)?|earlier|above|tried|said|wrote|written|writes|emits?|outputs?|prints?|returns?|shows?|explain|describe|demonstrate|illustrate|document|quote|mention|answer|imagine|suppose|format|notation|usage)\b/i;

/** Words that mean the same further up in the text, too. */
const example = /\b(?:examples?|e\.g|for instance|such as|syntax|placeholder)\b|如下|例如/i;

/** Words that announce an action. */
const announcement =
  /\b(?:I(?:'|’)ll|I will|I(?:'|’)m going to|I am going to|I need to|I want to|I(?:'|’)d like to|let me|let(?:'|’)s|next|now|first|then|reading|checking|looking|writing|creating|editing|running|searching|listing|calling|start(?:ing)? (?:by|with))\b/i;

/**
 * Returns whether calls at the end of a text are meant as calls, judging by what stands before them: the
 * sentence right before announces an action, and none introduces an example.
 *
 * @param isMarked whether the calls use marks that nobody writes without meaning a call
 */
function isMeant(before: string, isMarked: boolean): boolean {
  const trimmed = before.trim();
  if (trimmed === "") return true;
  if (/[?`"'([<>|*#_~=-]$/.test(trimmed) || example.test(trimmed.slice(-400))) return false;
  const sentence = trimmed.split(/[.!?]\s+|\n+/).at(-1) ?? "";
  if (showing.test(sentence)) return false;
  // A call after a colon may be an example.
  return announcement.test(sentence) || (isMarked && !trimmed.endsWith(":"));
}
