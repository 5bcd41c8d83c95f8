import {
  CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  Parser,
  stringify,
} from "yaml";
import { UserError } from "../errors.js";
import { type Words, words } from "../text/words.js";
import type { DocumentProblem } from "./documentProblem.js";
import { type Change, TextLines } from "./textLines.js";
import { unsafeYaml } from "./unsafeYaml.js";
import { yamlFault } from "./yamlFault.js";

/**
 * Returns a text's front matter, both `---` included, and what comes after it. For front matter that need not be YAML;
 * {@link readFrontMatter} reads values.
 */
export function splitFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const lines = new TextLines(text);
  const end = closingRow(lines);
  const at = end === undefined ? 0 : lines.offset(end + 1);
  return { front: text.slice(0, at), body: text.slice(at).replace(/^\uFEFF/, "") };
}

/** Reads a document's front matter; never throws. What cannot be read has a problem, and no values. */
export function readFrontMatter(lines: TextLines): FrontMatter {
  const end = closingRow(lines);
  if (end === undefined) {
    const problems = isOpen(lines)
      ? [problem(0, words("The front matter has no end: a line of ---."))]
      : [];
    return new FrontMatter(lines, 0, undefined, problems);
  }
  const rows = Array.from({ length: end - 1 }, (_, index) => lines.row(index + 1));
  const text = rows.join("\n");
  // The parser compares every key with every other: many thousands of keys would take minutes.
  const isLong = text.length > 20_000;
  const tooMuch = isLong
    ? { line: 1, message: words("This is too long to be read.") }
    : unsafeYaml(text);
  if (tooMuch !== undefined) {
    return new FrontMatter(lines, end + 1, undefined, [problem(tooMuch.line, tooMuch.message)]);
  }
  const plain = parsed(text);
  const isPlain = plain.document.errors.length === 0;
  // People indent some keys by a space, by mistake: YAML reads such a key as part of the value before it.
  const aligned = () => rows.map((row) => row.replace(/^ {1,3}(?=[\w-]+\s*:)/, "")).join("\n");
  const other = isPlain ? plain : parsed(aligned());
  const yaml = other.document.errors.length === 0 ? other : plain;
  const { errors, contents } = yaml.document;
  const [error] = errors;
  if (error !== undefined) {
    const { line, col: column } = yaml.counter.linePos(error.pos[0]);
    const message = words("The front matter is not YAML in column {column}: {problem}.", {
      column,
      problem: yamlFault(error),
    });
    return new FrontMatter(lines, end + 1, undefined, [problem(line, message)]);
  }
  if (contents !== null && !isMap(contents)) {
    const noKeys = [problem(1, words("The front matter has no keys."))];
    return new FrontMatter(lines, end + 1, undefined, noKeys);
  }
  return new FrontMatter(lines, end + 1, yaml, []);
}

/** Options of the YAML library: a pair is written on one line, a text in quotes. */
const oneLine = {
  defaultStringType: "QUOTE_DOUBLE",
  defaultKeyType: "PLAIN",
  doubleQuotedMinMultiLineLength: Infinity,
  lineWidth: 0,
} as const;

/** What is wrong with a front matter; the document that it begins says which of its rules is broken. */
type FrontMatterProblem = Omit<DocumentProblem, "rule">;

/** YAML as the library reads it. */
interface Yaml {
  readonly text: string;
  readonly document: Document;
  /** The places of the text's lines. */
  readonly counter: LineCounter;
}

/** The YAML between two `---` at a document's beginning. */
export class FrontMatter {
  /**
   * @param rows the number of rows, both `---` included; 0 where there is no front matter
   * @param yaml the rows between the `---`, where they can be read; some may have lost spaces at their
   * beginning
   */
  constructor(
    private readonly lines: TextLines,
    readonly rows: number,
    private readonly yaml: Yaml | undefined,
    readonly problems: readonly FrontMatterProblem[],
  ) {}

  /** Returns the value of a key as YAML reads it, or `undefined` if there is none. */
  get(key: string): unknown {
    const found = this.#pair(key)?.value;
    if (!isNode(found) || this.yaml === undefined) return undefined;
    try {
      return found.toJS(this.yaml.document);
    } catch {
      // The value is an alias without a target, or one that expands to too much.
      return undefined;
    }
  }

  /** Returns the row of a key, or 0 if there is none. */
  rowOf(key: string): number {
    const range = this.#pair(key)?.key.range;
    return range ? this.#lineOf(range[0]) : 0;
  }

  /**
   * Sets a key to another value, in its place or as a new last key. A text is written in quotes.
   *
   * @throws {UserError} if the front matter cannot be edited
   */
  set(key: string, value: string | number): Change {
    if (this.problems.length > 0) throw unreadable();
    const line = stringify({ [key]: value }, oneLine).trimEnd();
    if (this.yaml === undefined) return this.lines.insert(0, ["---", line, "---", ""]);
    const { contents } = this.yaml.document;
    const pair = this.#pair(key);
    if (pair === undefined) {
      if (isMap(contents) && contents.flow === true) throw unreadable();
      const first = isMap(contents) ? contents.items[0]?.key : undefined;
      const row = isNode(first) ? this.#lineOf(first.range?.[0] ?? 0) : undefined;
      const indent = row === undefined ? "" : (/^ */.exec(this.lines.row(row))?.[0] ?? "");
      return this.lines.insert(this.rows - 1, [indent + line]);
    }
    if (!isNode(pair.value)) throw unreadable();
    // A line end lets the library write a value at the end as it does elsewhere.
    const text = `${this.yaml.text}\n`;
    const after = withValue(text, key, value);
    let from = 0;
    while (from < text.length && text[from] === after[from]) from++;
    const most = Math.min(text.length, after.length) - from;
    let same = 0;
    while (same < most && text.at(-1 - same) === after.at(-1 - same)) same++;
    const added = after.slice(from, after.length - same).replaceAll("\n", this.lines.lineEnd);
    return { start: this.#place(from), end: this.#place(text.length - same), text: added };
  }

  #pair(key: string) {
    const contents = this.yaml?.document.contents;
    const pairs = isMap(contents) ? contents.items : [];
    for (const { key: name, value } of pairs) {
      if (isScalar(name) && name.value === key) return { key: name, value };
    }
    return undefined;
  }

  /** Returns the document's row for an offset in the YAML, which begins below the first `---`. */
  #lineOf(offset: number): number {
    return this.yaml?.counter.linePos(offset).line ?? 0;
  }

  /** Returns the offset in the document for an offset in the YAML. */
  #place(offset: number): number {
    const { line, col } = this.yaml?.counter.linePos(offset) ?? { line: 1, col: 1 };
    const read = this.yaml?.text.split("\n")[line - 1] ?? "";
    const lost = this.lines.row(line).length - read.length;
    return this.lines.rowStart(line) + lost + col - 1;
  }
}

/** Returns whether a text begins like a front matter. */
function isOpen(lines: TextLines): boolean {
  return lines.count > 0 && lines.row(0).trimEnd() === "---";
}

/** Returns the row of the second `---`; `undefined` if there is no front matter, or if it has no end. */
function closingRow(lines: TextLines): number | undefined {
  if (!isOpen(lines)) return undefined;
  for (let row = 1; row < lines.count; row++) {
    if (/^(---|\.\.\.)\s*$/.test(lines.row(row))) return row;
  }
  return undefined;
}

function parsed(text: string): Yaml {
  const counter = new LineCounter();
  const options = { logLevel: "silent", lineCounter: counter, prettyErrors: false } as const;
  return { text, counter, document: parseDocument(text, options) };
}

/**
 * Returns YAML with another value of a key that it has. The library's tokens keep every other byte.
 *
 * @throws {UserError} if the key stands without a colon
 */
function withValue(text: string, key: string, value: string | number): string {
  const tokens = [...new Parser().parse(text)];
  const map = tokens.find((token) => token.type === "document")?.value;
  const inFlow = map?.type === "flow-collection";
  const items = inFlow || map?.type === "block-map" ? map.items : [];
  const item: CST.CollectionItem | undefined = items.find(
    (one: CST.CollectionItem) => CST.resolveAsScalar(one.key)?.value === key,
  );
  const type = typeof value === "string" ? "QUOTE_DOUBLE" : "PLAIN";
  const written = { type, inFlow, implicitKey: true } as const;
  const colon = item?.sep?.findIndex((token) => token.type === "map-value-ind") ?? -1;
  if (item?.value) CST.setScalarValue(item.value, String(value), { ...written, afterKey: true });
  else if (item?.sep && colon >= 0) {
    // What stands behind the colon is a comment or a line end: it follows the value.
    const end = item.sep.splice(colon + 1, Infinity);
    item.sep.push({ type: "space", offset: -1, indent: -1, source: " " });
    item.value = CST.createScalarToken(String(value), { ...written, indent: 0, end });
  } else throw unreadable();
  return tokens.map((token) => CST.stringify(token)).join("");
}

function problem(row: number, message: Words): FrontMatterProblem {
  return { row, message };
}

function unreadable(): UserError {
  return new UserError(
    "frontMatterUneditable",
    "The front matter cannot be edited as it is. Fix it by hand.",
  );
}
