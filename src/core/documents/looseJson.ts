import json5 from "json5";

export type LooseJson =
  | { readonly ok: true; readonly value: unknown }
  /** What JSON itself says of the text. */
  | { readonly ok: false; readonly reason: string };

/**
 * Reads JSON as models write it, where the meaning is certain: inside a code fence or prose, after
 * `<think>` text, with trailing commas, single quotes or comments (JSON5). An end that is missing is
 * not made up.
 */
export function parseLooseJson(text: string): LooseJson {
  const bare = text.replaceAll(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, "").trim();
  let reason = "";
  for (const candidate of candidates(bare)) {
    try {
      return { ok: true, value: JSON.parse(candidate) as unknown };
    } catch (error) {
      reason ||= error instanceof Error ? error.message : String(error);
    }
    try {
      return { ok: true, value: json5.parse(candidate) };
    } catch {
      // The reason that JSON gave is the one to tell.
    }
  }
  return { ok: false, reason };
}

/**
 * The text itself; if it does not begin with the object, what is in its last fence, and what stands
 * between its outermost braces. An object that begins the text and is broken may hold fences and
 * objects of its own, which must not be taken for it.
 */
function* candidates(text: string): Generator<string> {
  yield text;
  if (text.startsWith("{")) return;
  const fenced = [...text.matchAll(/```(?:\w+)?\s*\n([\s\S]*?)\n?```/g)].at(-1)?.[1];
  if (fenced !== undefined) yield fenced.trim();
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start >= 0 && end > start) yield text.slice(start, end + 1);
}
