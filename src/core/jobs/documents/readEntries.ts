import type { TextLines } from "../../documents/textLines.js";
import type { Block, ListItem } from "./block.js";
import { type Entry, entryOf, fieldOf, readEntryHeading } from "./workLog.js";

/** The blocks of an entry. */
interface BegunEntry {
  readonly row: number;
  /** The heading's text. */
  readonly heading: string | undefined;
  readonly items: ListItem[];
}

/** Reads the entries in the document's order. An entry without a heading begins with its role. */
export function readEntries(blocks: readonly Block[], lines: TextLines): Entry[] {
  return begunEntries(blocks).map(({ row, heading, items }) => {
    const read = heading === undefined ? undefined : readEntryHeading(heading);
    return entryOf({ row, heading: read, items }, lines);
  });
}

/** Divides the blocks of a Work Log into entries. */
function begunEntries(blocks: readonly Block[]): BegunEntry[] {
  const level = blocks.find((block) => block.kind === "heading")?.level ?? 0;
  const begun: BegunEntry[] = [];
  let hasRole = false;
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (block.level > level) continue;
      begun.push({ row: block.row, heading: block.text, items: [] });
      hasRole = false;
    } else if (block.kind === "item") {
      const isRole = fieldOf(block) === "role";
      if (isRole && (begun.length === 0 || hasRole)) {
        begun.push({ row: block.row, heading: undefined, items: [] });
      }
      hasRole ||= isRole;
      begun.at(-1)?.items.push(block);
    }
  }
  return begun;
}
