import { readLabelled } from "./labelled.js";
import type { Block, ListItem } from "./outline.js";
import type { TextLines } from "../../documents/textLines.js";

export const results = ["Succeeded", "Failed", "Pending", "Cancelled"] as const;
export type Result = (typeof results)[number];

export const roles = ["Planner", "Runner"] as const;
export type Role = (typeof roles)[number];

export interface EntryHeading {
  readonly number: number | undefined;
  /** The job's name, in the form of heading that has one. */
  readonly name: string | undefined;
  readonly time: string;
  /** The runner, in the form of heading that has one. */
  readonly runner: string | undefined;
}

const fieldNames = ["role", "objective", "result", "summary"] as const;
export type FieldName = (typeof fieldNames)[number];

/** The record of one lifecycle. Fields that are missing, or have unknown values, are `undefined`. */
export interface Entry {
  readonly row: number;
  /** `undefined` if the entry has no heading, or one that cannot be read. */
  readonly heading: EntryHeading | undefined;
  readonly role: Role | undefined;
  readonly result: Result | undefined;
  /** All fields of the entry, by name, trimmed. */
  readonly fields: ReadonlyMap<FieldName, { readonly row: number; readonly value: string }>;
}

/** Reads `Log 2 @Name (time)`, `Log-11 @ time for runner`, `Log @ time for runner`, `@Name (time)`. */
export function readEntryHeading(text: string): EntryHeading | undefined {
  const at = text.indexOf("@");
  if (at < 0) return undefined;
  const before = /^(?:log[\s#-]*(\d*))?$/i.exec(text.slice(0, at).trim());
  if (!before) return undefined;
  const number = before[1] ? Number(before[1]) : undefined;
  const rest = text.slice(at + 1).trim();
  const bracket = lastBracket(rest);
  if (bracket > 0) {
    const name = rest.slice(0, bracket).trim();
    return { number, name, time: rest.slice(bracket + 1, -1).trim(), runner: undefined };
  }
  const by = rest.lastIndexOf(" for ");
  if (by < 0) return undefined;
  const runner = rest.slice(by + 5).trim();
  return { number, name: undefined, time: rest.slice(0, by).trim(), runner };
}

/**
 * Returns the index of the bracket that the text's last character closes, or -1; names and times may contain
 * brackets.
 */
function lastBracket(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0 && text.endsWith(")"); at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) return at;
  }
  return -1;
}

/** Reads the entries in the document's order. An entry without a heading begins with its role. */
export function readEntries(blocks: readonly Block[], lines: TextLines): Entry[] {
  const level = blocks.find((block) => block.kind === "heading")?.level;
  const begun: { row: number; heading: EntryHeading | undefined; items: ListItem[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (block.level > (level ?? 0)) continue;
      begun.push({ row: block.row, heading: readEntryHeading(block.text), items: [] });
    } else if (block.kind === "item") {
      const hasRole = begun.at(-1)?.items.some((item) => fieldOf(item) === "role") ?? true;
      const begins = hasRole && fieldOf(block) === "role";
      if (begins) begun.push({ row: block.row, heading: undefined, items: [] });
      begun.at(-1)?.items.push(block);
    }
  }
  return begun.map(({ row, heading, items }) => {
    const fields = new Map<FieldName, { row: number; value: string }>();
    for (const item of items) {
      const name = fieldOf(item);
      if (name === undefined || fields.has(name)) continue;
      fields.set(name, { row: item.row, value: valueOf(item, lines) });
    }
    const role = known(roles, fields.get("role")?.value);
    return { row, heading, role, result: readResult(fields.get("result")?.value), fields };
  });
}

/** Which field of an entry an item is. */
export function fieldOf(item: ListItem): FieldName | undefined {
  const name = readLabelled(item.lines[0] ?? "")?.name;
  return fieldNames.find((field) => field === name);
}

/** Returns the text after the label, and the item's other lines without its indentation. */
function valueOf(item: ListItem, lines: TextLines): string {
  const found = readLabelled(item.lines[0] ?? "");
  const more = Array.from({ length: item.end - item.row - 1 }, (_, index) => {
    const row = lines.row(item.row + 1 + index);
    const indent = row.length - row.trimStart().length;
    return row.slice(Math.min(indent, item.column));
  });
  const first = lines.row(item.row).slice(item.column + (found?.behind ?? 0));
  return [first, ...more].join("\n").trim();
}

function readResult(given: string | undefined): Result | undefined {
  // Version 1 names a success like the task's status.
  return given?.toLowerCase() === "completed" ? "Succeeded" : known(results, given);
}

function known<T extends string>(all: readonly T[], given: string | undefined): T | undefined {
  return all.find((one) => one.toLowerCase() === given?.toLowerCase());
}
