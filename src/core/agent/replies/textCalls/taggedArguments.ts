import { jsonValueEnd } from "../../../documents/jsonValueEnd.js";
import { type Groups, matchAt, type ReadArguments, type Reading } from "./style.js";

/** The tags around a call's arguments. */
export interface Tags {
  /** The tag that ends the call. */
  readonly end: string;
  /** Matches where an argument begins; its first group is the argument's name. */
  readonly open: RegExp;
  /** Returns the tag that ends an argument. */
  readonly close: (name: string) => string;
}

/**
 * Returns a reader of arguments that are tagged one by one, or that are one JSON object, up to the tag that
 * ends the call. A value may hold such tags itself, as long as they are balanced.
 *
 * @param tagsOf returns the tags of a call by what its opening has matched
 */
export function taggedArguments(tagsOf: (groups: Groups) => Tags): ReadArguments {
  return (text, at, groups) => {
    const tags = tagsOf(groups);
    const { name = "" } = groups;
    for (const found of places(text, tags.end, at)) {
      const json = argumentsIn(text.slice(at, found), tags);
      if (json === undefined) continue;
      // No later end would do: what follows the arguments would begin with the tag of this one.
      return { calls: [{ name, json }], end: found + tags.end.length };
    }
    return undefined;
  };
}

/** The most closing tags of one call that are tried: a value may hold the tag that would end the call. */
const mostPlaces = 50;

function* places(text: string, mark: string, from: number): Generator<number> {
  let at = text.indexOf(mark, from);
  for (let count = 0; at >= 0 && count < mostPlaces; count++) {
    yield at;
    at = text.indexOf(mark, at + mark.length);
  }
}

/** Returns the arguments that are all of a text, as JSON; `undefined` if it is anything else. */
function argumentsIn(body: string, tags: Tags): string | undefined {
  const trimmed = body.trim();
  if (trimmed.startsWith("{")) {
    return jsonValueEnd(trimmed, 0) === trimmed.length ? trimmed : undefined;
  }
  // A list of one file, as newer versions of Roo Code have it.
  const list = inside(trimmed, "args")?.trim();
  const fields = readFields(list === undefined ? body : (inside(list, "file") ?? list), tags);
  return fields && JSON.stringify(Object.fromEntries(fields));
}

/** Returns what a tag around a text contains; `undefined` if there is none. */
function inside(text: string, tag: string): string | undefined {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const isTagged = text.startsWith(open) && text.endsWith(close);
  return isTagged ? text.slice(open.length, -close.length) : undefined;
}

/** Returns the tagged arguments that are all of a text; `undefined` if it is anything else. */
function readFields(body: string, tags: Tags): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  const skip = (at: number): number => at + (matchAt(/\s*/y, body, at)?.[0].length ?? 0);
  for (let at = skip(0); at < body.length; at = skip(at)) {
    const [opening, name] = matchAt(tags.open, body, at) ?? [];
    if (opening === undefined || name === undefined || fields.has(name)) return undefined;
    const from = at + opening.length;
    const close = tags.close(name);
    const end = closing(body, from, close, tags);
    if (end === undefined) return undefined;
    fields.set(name, fieldValue(name, body.slice(from, end)));
    at = end + close.length;
  }
  return fields;
}

/**
 * Returns where the tag begins that ends an argument: its value may hold such tags itself, as long as each has
 * its opening tag there.
 */
function closing(body: string, from: number, close: string, tags: Tags): number | undefined {
  const opening = new RegExp(tags.open.source, "g");
  let depth = 0;
  let scanned = from;
  for (let at = body.indexOf(close, from); at >= 0; at = body.indexOf(close, scanned)) {
    for (const [, name = ""] of body.slice(scanned, at).matchAll(opening)) {
      if (tags.close(name) === close) depth++;
    }
    if (depth === 0) return at;
    depth--;
    scanned = at + close.length;
  }
  return undefined;
}

/** Arguments whose text is written into files, or searched for in them, so that every space counts. */
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

/** Returns a value without the line breaks between it and its tags, as Roo Code and Cline read it. */
function fieldValue(name: string, text: string): string {
  const cdata = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(text)?.[1];
  if (cdata !== undefined) return cdata;
  if (!verbatim.has(name)) return text.trim();
  return /^\r?\n/.test(text) ? text.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, "") : text;
}

/** Reads arguments that are attributes of a tag without content, up to the end of the tag. */
export function attributeArguments(
  text: string,
  at: number,
  { name = "" }: Groups,
): Reading | undefined {
  const [tag, attributes = ""] = matchAt(/((?:\s+\w+="[^"<>]*")+)\s*\/>/y, text, at) ?? [];
  if (tag === undefined) return undefined;
  const pairs = [...attributes.matchAll(/\s+(\w+)="([^"]*)"/gy)];
  const given = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]));
  return { calls: [{ name, json: JSON.stringify(given) }], end: at + tag.length };
}
