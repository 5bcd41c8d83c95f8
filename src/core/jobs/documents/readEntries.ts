import { TextLines } from "../../documents/textLines.js";
import type { Block, ListItem } from "./block.js";
import { readOutline } from "./outline.js";
import {
  type Entry,
  type EntryContent,
  entryOf,
  type FieldName,
  fieldOf,
  readEntryHeading,
} from "./workLog.js";

/** The blocks of an entry. */
interface BegunEntry {
  readonly row: number;
  /** The heading's text. */
  readonly heading: string | undefined;
  readonly items: ListItem[];
}

/**
 * Reads the entries in the document's order. An entry without a heading begins with its role. What an entry says is
 * read when somebody asks for it.
 *
 * @param known the entries of an earlier state of the log: what has kept its text is not read again
 */
export function readEntries(
  blocks: readonly Block[],
  lines: TextLines,
  known: readonly Entry[],
): Entry[] {
  const begun = begunEntries(blocks, lines);
  const texts = begun.map((entry) => ownText(entry, lines));
  const kept = keptTexts(texts, known);
  return begun.map((entry, index) => {
    const { row, heading, items } = entry;
    const text = texts[index];
    if (text === undefined) {
      const read = heading === undefined ? undefined : readEntryHeading(heading);
      return entryOf({ row, heading: read, items }, lines);
    }
    // A part of a text keeps the whole of it in memory: of texts that differ a little, one is enough.
    const own = () => new EntryText(kept.size === 0 ? text : text.split("").join(""));
    return new ReadEntry(row, kept.get(index) ?? own());
  });
}

/** Returns whether two entries are known to say the same, because they have the same text. */
export function haveSameText(a: EntryContent, b: EntryContent | undefined): boolean {
  return a instanceof ReadEntry && b instanceof ReadEntry && a.text === b.text;
}

/** Divides the blocks of a Work Log into entries. */
function begunEntries(blocks: readonly Block[], lines: TextLines): BegunEntry[] {
  const level = blocks.find((block) => block.kind === "heading")?.level ?? 0;
  const begun: BegunEntry[] = [];
  /** Items of the last entry that may say a role. */
  let named: ListItem[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (block.level > level) continue;
      begun.push({ row: block.row, heading: block.text, items: [] });
      named = [];
    } else if (block.kind === "item") {
      // Marks and indentation are shorter.
      if (/role/i.test(lines.row(block.row).slice(0, 64))) {
        const isFirst = begun.length === 0 || named.some((item) => fieldOf(item) === "role");
        if (isFirst && fieldOf(block) === "role") {
          begun.push({ row: block.row, heading: undefined, items: [] });
          named = [];
        }
        named.push(block);
      }
      begun.at(-1)?.items.push(block);
    }
  }
  return begun;
}

/**
 * Returns the rows of an entry, from its heading to its last item, if they say all that the entry says: `undefined`
 * for an entry without a heading, or with others in between, which may be of another section.
 */
function ownText({ row, heading, items }: BegunEntry, lines: TextLines): string | undefined {
  if (heading === undefined) return undefined;
  const end = lines.rowEnd((items.at(-1)?.end ?? row + 1) - 1);
  const text = lines.text.slice(lines.rowStart(row), end);
  return /[\r\n] {0,3}#/.test(text) ? undefined : text;
}

/** Returns the known texts that are the same, by their new places: a log changes in few places at a time. */
function keptTexts(
  texts: readonly (string | undefined)[],
  known: readonly Entry[],
): Map<number, EntryText> {
  const kept = new Map<number, EntryText>();
  const isKept = (index: number, entry: Entry | undefined): boolean => {
    if (!(entry instanceof ReadEntry) || entry.text.text !== texts[index]) return false;
    kept.set(index, entry.text);
    return true;
  };
  let from = 0;
  while (from < texts.length && isKept(from, known[from])) from++;
  const added = texts.length - known.length;
  let to = texts.length;
  while (to > from && to - added > from && isKept(to - 1, known[to - 1 - added])) to--;
  return kept;
}

/** An entry's text, with rows from its heading on; parsed when it is first needed. */
class EntryText {
  #entry: Entry | undefined;

  constructor(readonly text: string) {}

  get entry(): Entry {
    return (this.#entry ??= this.#read());
  }

  #read(): Entry {
    const lines = new TextLines(this.text);
    const [heading, ...blocks] = readOutline(lines, 0).blocks;
    const items = blocks.filter((block) => block.kind === "item");
    const title = heading?.kind === "heading" ? heading.text : "";
    return entryOf({ row: 0, heading: readEntryHeading(title), items }, lines);
  }
}

class ReadEntry implements Entry {
  #fields: Entry["fields"] | undefined;

  constructor(
    readonly row: number,
    readonly text: EntryText,
  ) {}

  get heading(): Entry["heading"] {
    return this.text.entry.heading;
  }

  get role(): Entry["role"] {
    return this.text.entry.role;
  }

  get result(): Entry["result"] {
    return this.text.entry.result;
  }

  get fields(): Entry["fields"] {
    return (this.#fields ??= this.#placed());
  }

  #placed(): Entry["fields"] {
    const placed = new Map<FieldName, { readonly row: number; readonly value: string }>();
    for (const [name, { row, value }] of this.text.entry.fields) {
      placed.set(name, { row: this.row + row, value });
    }
    return placed;
  }
}
