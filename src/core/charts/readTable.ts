import { dsvFormat } from "d3-dsv";
import * as z from "zod";
import { readTables } from "../documents/markdownTable.js";
import { readCell } from "../documents/tableCell.js";
import { TextLines } from "../documents/textLines.js";
import { UserError } from "../errors.js";

/** The value of a cell of data. */
export type ChartCell = string | number | boolean | null;

/** Data as read from its source, with named columns and the rows in order. */
export interface ChartTable {
  readonly columns: readonly string[];
  /** The rows; each has as many cells as there are columns. */
  readonly rows: readonly (readonly ChartCell[])[];
}

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const records = z.array(z.record(z.string(), cell)).min(1);
const lists = z.tuple([z.array(z.string()).min(1)]).rest(z.array(cell));

/**
 * Reads the table of a file, whose format its extension tells.
 *
 * @param which the 1-based number of the table in a Markdown file
 * @throws a {@link UserError} that says what is wrong with the file and what to give instead
 */
export function readTable(text: string, path: string, which: number): ChartTable {
  const whole = text.replace(/^\uFEFF/, "");
  switch (/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "") {
    case "csv":
    case "txt":
      return separated(whole, path, separatorOf(whole));
    case "tsv":
    case "tab":
      return separated(whole, path, "\t");
    case "json":
      return tableOf(parsed(whole, path), path);
    case "jsonl":
    case "ndjson":
      return tableOf(
        whole.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parsed(line, path)])),
        path,
      );
    case "md":
    case "markdown":
      return ofMarkdown(whole, path, which);
    default:
      throw new UserError(
        "notADataFile",
        "Data cannot be read from {path}. Name a .csv, .tsv, .json, .jsonl or .md file, or give the rows themselves.",
        { path },
      );
  }
}

/**
 * Makes a table from a list of records, or from a list of rows of which the first names the
 * columns.
 *
 * @throws a {@link UserError} when the data are neither
 */
export function tableOf(data: unknown, source: string): ChartTable {
  const named = records.safeParse(data);
  if (named.success) {
    const columns = [...new Set(named.data.flatMap((record) => Object.keys(record)))];
    const rows = named.data.map((record) =>
      columns.map((column) => (Object.hasOwn(record, column) ? (record[column] ?? null) : null)),
    );
    return { columns, rows };
  }
  const listed = lists.safeParse(data);
  if (listed.success) {
    const [columns, ...rows] = listed.data;
    return even(columns, rows, source);
  }
  throw new UserError(
    "notATable",
    "{source} has to be a list of objects, as in {example}, whose values are texts, numbers, true, false or null.",
    { source, example: '[{"month": "2025-01", "sales": 12}, …]' },
  );
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError("notJson", "{path} cannot be read as JSON: {problem}. Correct it.", {
      path,
      problem: error instanceof Error ? error.message : "",
    });
  }
}

function separated(text: string, path: string, separator: string): ChartTable {
  const all = dsvFormat(separator).parseRows(text);
  const [columns = [], ...rows] = all.filter((row) => row.some((one) => one.trim() !== ""));
  return even(columns, rows, path);
}

/**
 * Returns the separator that occurs most often outside of quotes in the first line, which names the
 * columns.
 */
function separatorOf(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const counts = [",", ";", "\t", "|"].map((one) => ({ one, count: line.split(one).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

function ofMarkdown(text: string, path: string, which: number): ChartTable {
  const lines = new TextLines(text);
  const { tables } = readTables(lines);
  const table = tables[which - 1];
  if (table === undefined) {
    throw tables.length === 0
      ? new UserError("noTable", "{path} has no table. Name a file that has one.", { path })
      : new UserError("tableUnknown", "{path} has {tables} tables, so there is no table {which}.", {
          path,
          tables: tables.length,
          which,
        });
  }
  const textsOf = ({ cells }: { readonly cells: readonly { readonly source: string }[] }) =>
    cells.map(({ source }) => readCell(source));
  return even(textsOf(table.header), table.rows.map(textsOf), path);
}

function even(
  names: readonly string[],
  rows: readonly (readonly ChartCell[])[],
  source: string,
): ChartTable {
  const columns = names.map((name) => name.trim().replace(/^(\*\*|__|`)(.*)\1$/, "$2"));
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new UserError(
      "columnTwice",
      "{source} has two columns {column}. Give each its own name.",
      { source, column: JSON.stringify(twice) },
    );
  }
  for (const [at, row] of rows.entries()) {
    if (row.length <= columns.length) continue;
    throw new UserError(
      "rowTooLong",
      "Row {row} of {source} has {cells} cells, but there are {columns} columns. Quote cells that hold separators.",
      { row: at + 1, source, cells: row.length, columns: columns.length },
    );
  }
  if (rows.length === 0)
    throw new UserError("tableEmpty", "{source} has no rows. Give it some.", { source });
  return { columns, rows: rows.map((row) => columns.map((_, at) => row[at] ?? null)) };
}
