import { type Document, isMap, isNode, isScalar, parseDocument } from "yaml";
import { beyondReason } from "../../documents/beyondReason.js";
import { UserError } from "../../errors.js";
import type { DocumentProblem } from "../../documents/documentProblem.js";
import type { Change, TextLines } from "../../documents/textLines.js";

/** The YAML between two `---` at a document's beginning. Where there is none, {@link rows} is 0. */
export interface FrontMatter {
  /** The number of rows, both `---` included. */
  readonly rows: number;
  readonly problems: readonly DocumentProblem[];
  /** Returns the value of a key as YAML reads it, or `undefined` if there is none. */
  get(key: string): unknown;
  /** Returns the row of a key, or 0 if there is none. */
  rowOf(key: string): number;
  /**
   * Sets a key to another value, in its place or as a new last key.
   *
   * @param value as YAML writes it, on one line
   * @throws {UserError} if the front matter cannot be edited
   */
  set(key: string, value: string): Change;
}

/** Never throws. Front matter that cannot be read has a problem, and no values. */
export function readFrontMatter(lines: TextLines): FrontMatter {
  const end = closingRow(lines);
  if (end === undefined) return new NoFrontMatter(lines);
  const rows = Array.from({ length: end - 1 }, (_, index) => lines.row(index + 1));
  const text = rows.join("\n");
  // The parser compares every key with every other: many thousands of keys would take minutes.
  const isLong = text.length > 20_000;
  const tooMuch = isLong
    ? { line: 1, message: "This is too long to be read." }
    : beyondReason(text);
  if (tooMuch !== undefined) {
    const { line: row, message } = tooMuch;
    return new YamlFrontMatter(lines, end, undefined, [], [problem(row, message)]);
  }
  // People indent some keys by a space, by mistake: YAML reads such a key as part of the value before it.
  const plain = parsed(text);
  const aligned = rows.map((row) => row.replace(/^ {1,3}(?=[\w-]+\s*:)/, ""));
  const isPlain = plain.errors.length === 0;
  const other = isPlain ? plain : parsed(aligned.join("\n"));
  const document = other.errors.length === 0 ? other : plain;
  const used = document === plain ? rows : aligned;
  const problems = document.errors.slice(0, 1).map(({ pos, message }) => {
    const row = document === plain ? rowAt(rows, pos[0]) : 0;
    return problem(row + 1, `The front matter is not YAML: ${firstLine(message)}`);
  });
  const isOdd = document.contents !== null && !isMap(document.contents);
  if (problems.length === 0 && isOdd) problems.push(problem(1, "The front matter has no keys."));
  const isUsable = problems.length === 0;
  return new YamlFrontMatter(lines, end, isUsable ? document : undefined, used, problems);
}

/** The row of the second `---`. */
function closingRow(lines: TextLines): number | undefined {
  if (lines.count === 0 || lines.row(0).trimEnd() !== "---") return undefined;
  for (let row = 1; row < lines.count; row++) {
    if (/^(---|\.\.\.)\s*$/.test(lines.row(row))) return row;
  }
  return undefined;
}

function parsed(text: string): Document {
  return parseDocument(text, { logLevel: "silent" });
}

function problem(row: number, message: string): DocumentProblem {
  return { row, rule: "R-JIXO-28", message };
}

/** Returns the message without its position, which counts from another line. */
function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:$/, ".");
}

function rowAt(rows: readonly string[], offset: number): number {
  let rest = offset;
  const found = rows.findIndex((row) => (rest -= row.length + 1) < 0);
  return found < 0 ? Math.max(0, rows.length - 1) : found;
}

class NoFrontMatter implements FrontMatter {
  readonly rows = 0;
  readonly problems: readonly DocumentProblem[];

  constructor(private readonly lines: TextLines) {
    const isOpen = lines.count > 0 && lines.row(0).trimEnd() === "---";
    this.problems = isOpen ? [problem(0, "The front matter has no end: a line of ---.")] : [];
  }

  get(): undefined {
    return undefined;
  }

  rowOf(): number {
    return 0;
  }

  set(key: string, value: string): Change {
    if (this.problems.length > 0) throw unreadable();
    return this.lines.insert(0, ["---", `${key}: ${value}`, "---", ""]);
  }
}

class YamlFrontMatter implements FrontMatter {
  readonly rows: number;

  /** @param used the rows as they were parsed; some may have lost spaces at their beginning */
  constructor(
    private readonly lines: TextLines,
    private readonly end: number,
    private readonly document: Document | undefined,
    private readonly used: readonly string[],
    readonly problems: readonly DocumentProblem[],
  ) {
    this.rows = end + 1;
  }

  get(key: string): unknown {
    const found = this.pair(key)?.value;
    if (found === undefined || this.document === undefined) return undefined;
    try {
      return isNode(found) ? found.toJS(this.document) : undefined;
    } catch {
      // The value is an alias without a target, or one that expands to too much.
      return undefined;
    }
  }

  rowOf(key: string): number {
    const range = this.pair(key)?.key.range;
    return range ? rowAt(this.used, range[0]) + 1 : 0;
  }

  set(key: string, value: string): Change {
    if (this.document === undefined) throw unreadable();
    const pair = this.pair(key);
    if (pair === undefined) {
      const { contents } = this.document;
      if (isMap(contents) && contents.flow === true) throw unreadable();
      const first = isMap(contents) ? contents.items[0]?.key : undefined;
      const row = isNode(first) ? rowAt(this.used, first.range?.[0] ?? 0) : undefined;
      const indent = row === undefined ? "" : (/^ */.exec(this.lines.row(row + 1))?.[0] ?? "");
      return this.lines.insert(this.end, [`${indent}${key}: ${value}`]);
    }
    const keyEnd = pair.key.range?.[1];
    const range = isNode(pair.value) ? pair.value.range : undefined;
    if (keyEnd === undefined || !range) throw unreadable();
    const isEmpty = range[0] === range[1];
    const from = isEmpty ? this.afterColon(keyEnd) : this.place(range[0]);
    const to = isEmpty ? from : this.place(range[1]);
    const last = this.lines.text.slice(from, to);
    const lineEnd = /[\r\n]+$/.exec(last)?.[0] ?? "";
    return { start: from, end: to - lineEnd.length, text: isEmpty ? ` ${value}` : value };
  }

  private pair(key: string) {
    const contents = this.document?.contents;
    const pairs = isMap(contents) ? contents.items : [];
    for (const { key: name, value } of pairs) {
      if (isScalar(name) && name.value === key) return { key: name, value };
    }
    return undefined;
  }

  private afterColon(keyEnd: number): number {
    const at = this.place(keyEnd);
    return this.lines.text.indexOf(":", at) + 1;
  }

  /** Returns the offset in the document for an offset in the parsed text. */
  private place(offset: number): number {
    const row = rowAt(this.used, offset);
    const before = this.used.slice(0, row).reduce((sum, { length }) => sum + length + 1, 0);
    const moved = this.lines.row(row + 1).length - (this.used[row]?.length ?? 0);
    return this.lines.rowStart(row + 1) + moved + (offset - before);
  }
}

function unreadable(): UserError {
  return new UserError("The front matter cannot be edited as it is. Mend it by hand.");
}
