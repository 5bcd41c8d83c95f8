import { matchAt, type Unit } from "./readUnits.js";

export interface FieldTags {
  /** Matches where a field begins; its first group is the name. */
  readonly open: RegExp;
  readonly close: (name: string) => string;
}

/**
 * Yields all ways to read a text as tagged fields and nothing else. A value may contain such tags itself, as
 * long as they are balanced.
 */
export function* taggedFields(
  body: string,
  { open, close }: FieldTags,
  at = 0,
): Generator<Readonly<Record<string, string>>> {
  const start = at + (/^\s*/.exec(body.slice(at))?.[0].length ?? 0);
  if (start === body.length) {
    yield {};
    return;
  }
  const [opening, name] = matchAt(open, body, start) ?? [];
  if (opening === undefined || name === undefined) return;
  const from = start + opening.length;
  const end = close(name);
  for (const found of places(body, end, from)) {
    if (!isBalanced(body.slice(from, found), name, { open, close })) continue;
    const value = fieldValue(name, body.slice(from, found));
    for (const rest of taggedFields(body, { open, close }, found + end.length)) {
      if (!Object.hasOwn(rest, name)) yield { [name]: value, ...rest };
    }
  }
}

function isBalanced(value: string, name: string, { open, close }: FieldTags): boolean {
  let depth = 0;
  const closing = close(name);
  for (let at = 0; at < value.length && depth >= 0; at++) {
    if (value.startsWith(closing, at)) depth--;
    else if (value.charAt(at) === "<") {
      const opened = matchAt(open, value, at);
      if (opened !== null && close(opened[1] ?? "") === closing) depth++;
    }
  }
  return depth === 0;
}

/**
 * Yields all ways to read `opening body closing` as one unit, wherever the closing tag is.
 *
 * @param from where the body begins
 */
export function* enclosed(
  text: string,
  from: number,
  closing: string,
  read: (body: string) => Iterable<Unit["calls"]>,
): Generator<Unit> {
  for (const end of places(text, closing, from)) {
    for (const calls of read(text.slice(from, end))) yield { calls, end: end + closing.length };
  }
}

/** How many closing tags are tried at most: a value might end at each. */
const mostPlaces = 50;

function* places(text: string, mark: string, from: number): Generator<number> {
  let at = text.indexOf(mark, from);
  for (let count = 0; at >= 0 && count < mostPlaces; count++) {
    yield at;
    at = text.indexOf(mark, at + mark.length);
  }
}

/** Fields whose text is written into files, or searched for in them, so that every space counts. */
const verbatim = new Set([
  "content",
  "contents",
  "diff",
  "old_text",
  "new_text",
  "old_string",
  "new_string",
  "old_str",
  "new_str",
]);

/** Returns a field's value without the line breaks between it and its tags, as Roo Code and Cline read it. */
function fieldValue(name: string, text: string): string {
  const cdata = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(text)?.[1];
  if (cdata !== undefined) return cdata;
  if (!verbatim.has(name)) return text.trim();
  return /^\r?\n/.test(text) ? text.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, "") : text;
}
