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
  return function* (text, at, groups): Generator<Reading> {
    const tags = tagsOf(groups);
    const { name = "" } = groups;
    for (const found of places(text, tags.end, at)) {
      const end = found + tags.end.length;
      for (const json of argumentsIn(text.slice(at, found), tags)) {
        yield { calls: [{ name, json }], end };
      }
    }
  };
}

function* argumentsIn(body: string, tags: Tags): Generator<string> {
  const json = body.trim();
  if (json.startsWith("{")) {
    // What follows a whole value is another call.
    if ((jsonValueEnd(json, 0) ?? json.length) === json.length) yield json;
    return;
  }
  // A list of one file, as newer versions of Roo Code have it.
  const args = /^\s*<args>\s*(?:<file>([^]*)<\/file>|([^]*))\s*<\/args>\s*$/.exec(body);
  for (const fields of readFields(args?.[1] ?? args?.[2] ?? body, tags)) {
    yield JSON.stringify(fields);
  }
}

/** Yields all ways to read a text, from an offset to its end, as tagged arguments and nothing else. */
function* readFields(
  body: string,
  tags: Tags,
  at = 0,
): Generator<Readonly<Record<string, string>>> {
  const start = at + (matchAt(/\s*/, body, at)?.[0].length ?? 0);
  if (start === body.length) {
    yield {};
    return;
  }
  const [opening, name] = matchAt(tags.open, body, start) ?? [];
  if (opening === undefined || name === undefined) return;
  const from = start + opening.length;
  const close = tags.close(name);
  for (const end of places(body, close, from)) {
    const text = body.slice(from, end);
    if (!isBalanced(text, close, tags)) continue;
    for (const rest of readFields(body, tags, end + close.length)) {
      if (!Object.hasOwn(rest, name)) yield { [name]: fieldValue(name, text), ...rest };
    }
  }
}

/** Returns whether every tag that ends an argument with `close` has its opening tag in the value. */
function isBalanced(value: string, close: string, tags: Tags): boolean {
  let depth = 0;
  for (let at = 0; at < value.length && depth >= 0; at++) {
    if (value.startsWith(close, at)) depth--;
    else if (value.charAt(at) === "<") {
      const opened = matchAt(tags.open, value, at);
      if (opened !== null && tags.close(opened[1] ?? "") === close) depth++;
    }
  }
  return depth === 0;
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
export function* attributeArguments(
  text: string,
  at: number,
  { name = "" }: Groups,
): Generator<Reading> {
  const [tag, attributes = ""] = matchAt(/((?:\s+\w+="[^"<>]*")+)\s*\/>/, text, at) ?? [];
  if (tag === undefined) return;
  const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)];
  const given = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]));
  yield { calls: [{ name, json: JSON.stringify(given) }], end: at + tag.length };
}
