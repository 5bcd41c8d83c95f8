import { UserError } from "../errors.js";
import type { Said } from "../text/words.js";
import { CannotEdit, editDocument } from "./editDocument.js";
import { type KeyedRow, type KeyedTable, readKeyedTable, type Values } from "./keyedTable.js";
import type { TableRow } from "./markdownTable.js";
import { cellText, readCell, writeCell } from "./tableCell.js";
import type { Change } from "./textLines.js";

export type TableEdit<Column extends string> =
  /** Adds a row at the table's end; columns that are left out are empty. */
  | { readonly type: "add"; readonly values: Readonly<Partial<Record<Column, string>>> }
  | {
      readonly type: "set";
      /** The row's id: its value in the column that names the rows. */
      readonly id: string;
      readonly values: Readonly<Partial<Record<Column, string>>>;
    };

/**
 * Returns the document after the edits, applied in order; see {@link editDocument}.
 *
 * @throws {UserError} if an edit is not legal, or the table has problems
 * @throws {CannotEdit} if the edits cannot be made in this document
 */
export function editKeyedTable<Column extends string>(
  before: KeyedTable<Column>,
  edits: readonly TableEdit<Column>[],
): KeyedTable<Column> {
  const wanted = edited(before, edits);
  const kept = before.rows.map(({ values }) => values);
  const changed = wanted.slice(0, kept.length);
  const added = wanted.slice(kept.length);
  if (added.length === 0 && changed.every((row, index) => row === kept[index])) return before;
  const changes = before.rows.flatMap((row, index) => cellChanges(row, changed[index], before));
  return editDocument(before.lines.text, [...changes, ...newRows(before, added)], {
    read: (text) => readKeyedTable(text, before.columns),
    isExpected: (after) => saysOnly(after, expectedRows(before, wanted)),
    refusal: () =>
      new CannotEdit(
        "tableUneditable",
        "The table cannot be edited in this place as it is. Fix it by hand.",
      ),
  });
}

/** Returns the rows' values after the edits, the new rows last. */
function edited<Column extends string>(
  { rows, columns, problems, places, table }: KeyedTable<Column>,
  edits: readonly TableEdit<Column>[],
): Values<Column>[] {
  const [key] = columns;
  const [trouble] = problems;
  if (trouble !== undefined) throw atLine(trouble.row, trouble.message);
  const wanted = rows.map(({ values }) => values);
  const at = new Map(wanted.map((values, index) => [values[key], index]));
  for (const edit of edits) {
    const given = Object.entries<string | undefined>(edit.values).map(
      ([column, text]) => [column as Column, cellText(text ?? "")] as const,
    );
    const homeless = given.find(([column]) => table !== undefined && !places.has(column));
    if (homeless !== undefined) throw new Error(`no column ${homeless[0]}`);
    const own = Object.fromEntries(given) as Partial<Record<Column, string>>;
    const id = edit.type === "set" ? edit.id : (own[key] ?? "");
    const index = at.get(id);
    if (edit.type === "add") {
      if (id === "" || index !== undefined)
        throw new UserError("rowExists", "{id} is in the table already. Give another id.", { id });
      const empty = Object.fromEntries(columns.map((column) => [column, ""]));
      at.set(id, wanted.push({ ...(empty as Values<Column>), ...own }) - 1);
      continue;
    }
    const row = index === undefined ? undefined : wanted[index];
    if (index === undefined || row === undefined)
      throw new UserError("rowUnknown", "The table has no {id}.", { id });
    const doubt = rows.find(({ values, problem }) => values[key] === id && problem !== undefined);
    if (doubt !== undefined) throw atLine(doubt.source.row, doubt.problem ?? "");
    if (given.some(([column, text]) => row[column] !== text)) wanted[index] = { ...row, ...own };
  }
  return wanted;
}

function atLine(row: number, message: Said): UserError {
  return new UserError("tableLineInvalid", "Line {line}: {problem} Mend the table by hand.", {
    line: row + 1,
    problem: message,
  });
}

function cellChanges<Column extends string>(
  { source, values }: KeyedRow<Column>,
  wanted: Values<Column> | undefined,
  { columns, places, lines, table }: KeyedTable<Column>,
): Change[] {
  if (wanted === undefined || wanted === values) return [];
  const texts = new Map(
    columns
      .filter((column) => wanted[column] !== values[column])
      .map((column) => [places.get(column) ?? 0, writeCell(wanted[column])]),
  );
  const { row, cells } = source;
  const changes = [...texts].flatMap(([place, text]) => {
    const cell = cells[place];
    if (cell === undefined) return [];
    const isFirst = place === 0 && !lines.row(row).trimStart().startsWith("|");
    const dashes = table?.delimiter.cells[place]?.source ?? "";
    const written = isFirst ? `| ${text} ` : inPlaceOf(cell.source, text, dashes);
    return [lines.inRow(row, cell.start, cell.end, written)];
  });
  const last = Math.max(...texts.keys());
  if (last < cells.length) return changes;
  const more = Array.from({ length: last + 1 - cells.length }, (_, index) => {
    return ` ${texts.get(cells.length + index) ?? ""} |`;
  });
  const line = lines.row(row).trimEnd();
  const isClosed = line.endsWith("|") && !line.endsWith("\\|");
  const tail = `${isClosed ? "" : " |"}${more.join("")}`;
  return [...changes, lines.inRow(row, line.length, line.length, tail)];
}

/**
 * Returns a cell's source with another text and the spaces that were around the old one. If the old source
 * was as wide as its column, so is the new one, as long as the text fits.
 */
function inPlaceOf(source: string, text: string, dashes: string): string {
  const isBlank = source.trim() === "";
  const before = isBlank || /^\s/.test(source) ? " " : "";
  const after = isBlank || /\s$/.test(source) ? " " : "";
  const isAligned = after !== "" && lengthOf(source) === lengthOf(dashes);
  const free = isAligned ? lengthOf(source) - lengthOf(before + text + after) : 0;
  const room = " ".repeat(Math.max(0, free));
  return /-:\s*$/.test(dashes) ? before + room + text + after : before + text + room + after;
}

/** Returns the change that adds rows to the table's end, and the table itself where there is none. */
function newRows<Column extends string>(
  { lines, table, columns, places }: KeyedTable<Column>,
  added: readonly Values<Column>[],
): Change[] {
  if (added.length === 0) return [];
  if (table === undefined) {
    const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
    const rows = added.map((values) => row(columns.map((column) => writeCell(values[column]))));
    const text = [row(columns), row(columns.map(() => ":---")), ...rows].join("");
    return [{ start: lines.text.length, end: lines.text.length, text }];
  }
  const { header, delimiter, rows } = table;
  const indent = /^\s*/.exec(lines.row(header.row))?.[0] ?? "";
  const written = added.map((values) => {
    const texts = new Map(columns.map((column) => [places.get(column), values[column]]));
    const cells = header.cells.map(({ source }, place) => {
      const dashes = delimiter.cells[place]?.source ?? "";
      const isAligned = lengthOf(source) === lengthOf(dashes);
      const blank = " ".repeat(isAligned ? lengthOf(dashes) : 0);
      return inPlaceOf(blank, writeCell(texts.get(place) ?? ""), dashes);
    });
    return `${indent}|${cells.join("|")}|`;
  });
  const last = rows.at(-1)?.row ?? delimiter.row;
  return [lines.insert(last + 1, written)];
}

/**
 * Returns the texts of all cells of each row as JSON, as they are to be read after the edits: those of the
 * table's other columns, too.
 */
function expectedRows<Column extends string>(
  { table, columns, places, rows }: KeyedTable<Column>,
  wanted: readonly Values<Column>[],
): string[] {
  const width = table?.header.cells.length ?? columns.length;
  return wanted.map((values, index) => {
    const texts = textsOf(rows[index]?.source.cells ?? [], width);
    for (const [at, column] of columns.entries()) texts[places.get(column) ?? at] = values[column];
    return JSON.stringify(texts);
  });
}

/** Returns whether a table has no problem and exactly these rows. */
function saysOnly<Column extends string>(
  { table, problems }: KeyedTable<Column>,
  expected: readonly string[],
): boolean {
  const width = table?.header.cells.length ?? 0;
  const found = (table?.rows ?? [])
    .map(({ cells }) => textsOf(cells, width))
    .filter((texts) => texts.some((text) => text !== ""))
    .map((texts) => JSON.stringify(texts));
  return (
    problems.length === 0 &&
    found.length === expected.length &&
    found.every((texts, index) => texts === expected[index])
  );
}

/** Returns the texts of a row's cells; `""` for the columns that the row leaves out. */
function textsOf(cells: TableRow["cells"], width: number): string[] {
  return Array.from({ length: width }, (_, at) => readCell(cells[at]?.source ?? ""));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
