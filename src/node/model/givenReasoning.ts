import * as z from "zod";
import type { KeptReasoning, ModelMessage, ToolCall } from "../../core/ports/messages.js";
import { keptReasoning, wireCallId } from "./wireMessages.js";

/** Fields by the names that servers give them. */
export type Fields = Readonly<Record<string, unknown>>;

/** What came with a tool call beside its id, name and arguments. */
export interface CallExtras {
  readonly fields: Fields;
  /** Of the object `function` in it. */
  readonly functionFields: Fields;
}

export const noExtras: CallExtras = { fields: {}, functionFields: {} };

/** The fields of a call that are no extras, and those of its `function`. */
const callFields = ["index", "id", "type", "function"];
const functionFields = ["name", "arguments"];

/**
 * Matches the fields of a message that servers want back: `reasoning_content` (DeepSeek, Moonshot, Z.ai), `reasoning` and
 * `reasoning_details` (OpenRouter), `thinking_blocks` and `provider_specific_fields` (LiteLLM), `extra_content` (Gemini).
 * Fields of other names are not sent, because some servers refuse a message with fields that they do not know.
 */
const isOfReasoning = /reason|think|thought|signature|^extra_content$|^provider_specific_fields$/i;

const fields = z.record(z.string(), z.unknown()).default({});
const without = (known: readonly string[]) => fields.transform((all) => otherFields(all, known));

/**
 * What a server of Chat Completions gives with an assistant message to get it back; a transcript's lines are read from
 * the disk. By call id: Gemini signs its calls (`extra_content.google.thought_signature`,
 * https://ai.google.dev/gemini-api/docs/thought-signatures), and LiteLLM puts that signature into the id itself.
 */
const givenBack = z.object({
  fields: fields.transform(reasoningFields),
  calls: z
    .record(
      z.string(),
      z.object({ fields: without(callFields), functionFields: without(functionFields) }),
    )
    .default({}),
});

export type GivenBack = z.infer<typeof givenBack>;

/** The most characters of a reply's reasoning that are kept: a model that thinks long writes some 100,000 tokens. */
const longestReasoning = 1_000_000;

/** Keys of texts that come in pieces, in the parts of a list such as `reasoning_details`. */
const textKeys: ReadonlySet<string> = new Set(["text", "summary", "thinking", "data", "reasoning"]);

/** Collects what a streamed reply gives to get it back. */
export class GivenReasoning {
  private fields: Record<string, unknown> = {};

  /** Adds a chunk's `delta`, or the `message` of a server that does not stream. */
  add(delta: object): void {
    for (const [name, value] of Object.entries(reasoningFields(delta))) {
      const before = this.fields[name];
      this.fields[name] =
        typeof before === "string" && typeof value === "string"
          ? before + value
          : joined(before, value);
    }
  }

  /**
   * Returns what is kept of a reply with these calls; `undefined` if there is nothing to give back.
   *
   * @param extras what came with each call, by its id
   */
  finish(
    model: string,
    calls: readonly ToolCall[],
    extras: ReadonlyMap<string, CallExtras>,
  ): KeptReasoning | undefined {
    const given = calls.flatMap(({ id }) => {
      const own = extras.get(id) ?? noExtras;
      const isPlain = Object.keys({ ...own.fields, ...own.functionFields }).length === 0;
      // An id that other servers refuse may be a part of what this one wants back.
      return isPlain && wireCallId(id) === id ? [] : [[id, own] as const];
    });
    // DeepSeek wants texts of reasoning back with calls, in all later requests, and needs none of the others:
    // https://api-docs.deepseek.com/guides/thinking_mode. Its older models refuse those.
    const entries = Object.entries(this.fields);
    const wanted = entries.filter(([, value]) => calls.length > 0 || typeof value !== "string");
    if (given.length === 0 && wanted.length === 0) return undefined;
    const items = [{ fields: Object.fromEntries(wanted), calls: Object.fromEntries(given) }];
    if (JSON.stringify(items).length > longestReasoning) return undefined;
    return { api: "chat", model, items };
  }
}

/** Returns what a message's own server wants back with it; `undefined` if it came from another model, or gave nothing. */
export function givenBy(
  message: Extract<ModelMessage, { role: "assistant" }>,
  model: string,
): GivenBack | undefined {
  const [item] = keptReasoning(message, "chat", model);
  if (item === undefined) return undefined;
  const read = givenBack.safeParse(item);
  return read.success ? read.data : undefined;
}

/** Returns what comes with a piece of a call beside its id, name and arguments, joined with what came before. */
export function callExtras(before: CallExtras, piece: object, ofFunction: object): CallExtras {
  return {
    fields: joined(before.fields, otherFields(piece, callFields)) as Fields,
    functionFields: joined(
      before.functionFields,
      otherFields(ofFunction, functionFields),
    ) as Fields,
  };
}

function reasoningFields(all: object): Fields {
  const entries = Object.entries(all);
  return Object.fromEntries(
    entries.filter(([name, value]) => isOfReasoning.test(name) && !isNothing(value)),
  );
}

function otherFields(all: object, known: readonly string[]): Fields {
  const entries = Object.entries(all);
  return Object.fromEntries(
    entries.filter(([name, value]) => !known.includes(name) && !isNothing(value)),
  );
}

/** Joins what came of a field with what comes now: lists go on, objects are merged, and of the rest the last counts. */
function joined(before: unknown, now: unknown): unknown {
  if (isNothing(before)) return now;
  if (isNothing(now)) return before;
  if (Array.isArray(before) && Array.isArray(now)) return joinedParts(before, now);
  if (isObject(before) && isObject(now)) {
    const merged: Record<string, unknown> = { ...before };
    for (const [key, value] of Object.entries(now)) merged[key] = joined(merged[key], value);
    return merged;
  }
  return now;
}

/** Joins the pieces of a list's parts: a piece has the type and the number of its part, and no other id. */
function joinedParts(before: readonly unknown[], now: readonly unknown[]): unknown[] {
  const parts = [...before];
  for (const piece of now) {
    const last = parts.at(-1);
    if (!isObject(piece) || !isObject(last) || !isPieceOf(last, piece)) {
      parts.push(piece);
      continue;
    }
    const part: Record<string, unknown> = { ...last };
    for (const [key, value] of Object.entries(piece)) {
      const text = part[key];
      const isText = textKeys.has(key) && typeof text === "string" && typeof value === "string";
      part[key] = isText ? text + value : joined(text, value);
    }
    parts[parts.length - 1] = part;
  }
  return parts;
}

function isPieceOf(part: Fields, piece: Fields): boolean {
  const isSame = (key: string) => isNothing(piece[key]) || piece[key] === part[key];
  // What is encrypted comes whole.
  const isWhole = typeof piece["data"] === "string";
  return !isWhole && part["type"] === piece["type"] && isSame("index") && isSame("id");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
