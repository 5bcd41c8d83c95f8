import { jsonFault } from "../documents/jsonFault.js";
import { jsonValueEnd } from "../documents/jsonValueEnd.js";
import { parseJson } from "../documents/parseJson.js";
import { type Words, words } from "../text/words.js";
import type { EnvelopeProblem } from "./rules.js";

export type Extracted =
  /** `recovered`: the JSON was in a fence or in prose. */
  | { readonly ok: true; readonly value: unknown; readonly recovered: boolean }
  | { readonly ok: false; readonly problem: EnvelopeProblem };

/** The most places where an object could begin that are tried; prose has few braces. */
const placesTried = 50;
const deepest = 100;

/**
 * R-ENV-17: Reads the one JSON value of a reply, or the one envelope in a fence or in prose. JSON is
 * read strictly; broken JSON is not repaired.
 */
export function extractJson(reply: string): Extracted {
  const text = withoutThoughts(reply).trim();
  if (nestsTooDeeply(text)) {
    return failed(
      "R-ENV-17/too-deep",
      words("is nested more than {deepest} levels deep", { deepest }),
    );
  }
  const whole = parseJson(text);
  if (whole.ok) return { ...whole, recovered: false };
  const { found, broken } = objectsIn(text);
  const envelopes = found.filter((value) => "message" in value);
  // An object inside a broken envelope must not be mistaken for the whole.
  const [first] = envelopes.length > 0 || broken !== undefined ? envelopes : found;
  if (envelopes.length > 1) {
    return failed(
      "R-ENV-1/one-object",
      words("holds {count} envelopes; send one, and wait for what comes back", {
        count: envelopes.length,
      }),
    );
  }
  if (first !== undefined) return { ok: true, value: first, recovered: true };
  return failed(
    "R-ENV-17/not-json",
    words("is not JSON ({place}); send one JSON object and nothing else", {
      place: jsonFault(broken ?? text),
    }),
  );
}

function failed(rule: EnvelopeProblem["rule"], message: Words): Extracted {
  return { ok: false, problem: { rule, path: "", message } };
}

/** Matches the beginning of an envelope. */
const beginsEnvelope = /\{\s*"(?:message|plan|command)"\s*:/y;

/**
 * Returns the outermost JSON objects in a text, in order. Returns none when the text begins with a
 * broken object: an object inside it must not be mistaken for the whole.
 *
 * @returns `broken` the first envelope that is no JSON, at its lines and columns, with nothing before it
 */
function objectsIn(text: string): { found: object[]; broken?: string } {
  const found: object[] = [];
  let broken: string | undefined;
  let tried = 0;
  for (let at = text.indexOf("{"); at >= 0 && tried < placesTried; tried++) {
    const end = jsonValueEnd(text, at);
    const parsed = end === undefined ? undefined : parseJson(text.slice(at, end));
    if (end !== undefined && parsed?.ok === true) {
      found.push(parsed.value as object);
      at = text.indexOf("{", end);
      continue;
    }
    if (at === 0) return { found: [] };
    beginsEnvelope.lastIndex = at;
    if (beginsEnvelope.test(text)) {
      broken ??= text.slice(0, at).replace(/[^\n]/g, " ") + text.slice(at, end);
    }
    at = text.indexOf("{", at + 1);
  }
  return { found, ...(broken !== undefined && { broken }) };
}

/**
 * Returns whether the text is nested too deeply for the functions that walk the value: they recurse, and
 * must not run out of stack.
 */
function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = depth > 0;
    else if (character === "{" || character === "[") {
      if (++depth > deepest) return true;
    } else if (character === "}" || character === "]") depth = Math.max(0, depth - 1);
  }
  return false;
}

/** Removes reasoning that has an end. */
function withoutThoughts(reply: string): string {
  // One without an end goes to the end of the text, which is not looked through again.
  return reply.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, (found) =>
    /<\/think(?:ing)?>$/i.test(found) ? "" : found,
  );
}
