import { type Words, words } from "../text/words.js";
import { type MarkdownTable, readTables, type TableRow } from "./markdownTable.js";
import { readCell } from "./tableCell.js";
import { TextLines } from "./textLines.js";

/** A row's values by column. All columns are present; `""` if the row has no value. */
export type Values<Column extends string> = Readonly<Record<Column, string>>;

export interface KeyedRow<Column extends string> {
  readonly values: Values<Column>;
  readonly source: TableRow;
  /** The reason why the row's values cannot be trusted. */
  readonly problem?: Words;
}

/** A document whose table has a column that names its rows: the first of its columns. */
export interface KeyedTable<Column extends string> {
  readonly lines: TextLines;
  readonly columns: readonly [Column, ...Column[]];
  /** The table; `undefined` if the document is empty or has none. */
  readonly table: MarkdownTable | undefined;
  /** The index of each column in {@link table}; columns that the table does not have are absent. */
  readonly places: ReadonlyMap<Column, number>;
  /** The rows that are not empty, in order. */
  readonly rows: readonly KeyedRow<Column>[];
  /** The reasons why the table as a whole cannot be trusted. */
  readonly problems: readonly { readonly row: number; readonly message: Words }[];
}

/**
 * Reads a document's keyed table. Never throws; `text` may be anything. Columns may stand in any order, and
 * others between them.
 */
export function readKeyedTable<Column extends string>(
  text: string,
  columns: readonly [Column, ...Column[]],
): KeyedTable<Column> {
  const lines = new TextLines(text);
  const { tables, strays } = readTables(lines);
  const [key] = columns;
  const own = tables.filter((table) => namesOf(table).includes(key));
  const [table] = own;
  const base = { lines, columns };
  if (table === undefined) {
    const row = strays[0] ?? tables[0]?.header.row ?? 0;
    const problems = text.trim() === "" ? [] : [{ row, message: whyNone(key, lines, strays) }];
    return { ...base, table, places: new Map(), rows: [], problems };
  }
  const names = namesOf(table);
  const places = new Map(
    columns.flatMap((column) => (names.includes(column) ? [[column, names.indexOf(column)]] : [])),
  );
  const at = table.header.row;
  const missing = columns.filter((column) => !places.has(column));
  const twice = columns.filter((column) => names.filter((name) => name === column).length > 1);
  const problems = [
    ...missing.map((column) => ({
      row: at,
      message: words("There is no column {column}.", { column }),
    })),
    ...twice.map((column) => ({
      row: at,
      message: words("There are two columns {column}.", { column }),
    })),
    ...own.slice(1).map(({ header }) => {
      const message = words("Line {line} begins such a table, too; this one is not read.", {
        line: at + 1,
      });
      return { row: header.row, message };
    }),
    ...strays.map((row) => {
      const message = words(
        "This row is in no table: something above it, as an empty line, has ended it.",
      );
      return { row, message };
    }),
  ];
  return { ...base, table, places, rows: rowsOf(table, columns, places), problems };
}

function rowsOf<Column extends string>(
  { header, rows }: MarkdownTable,
  columns: readonly [Column, ...Column[]],
  places: ReadonlyMap<Column, number>,
): KeyedRow<Column>[] {
  const [key] = columns;
  const seen = new Map<string, number>();
  return rows.flatMap((source) => {
    const { row, cells } = source;
    if (cells.every(({ source: text }) => text.trim() === "")) return [];
    const texts = cells.map((cell) => readCell(cell.source));
    const valueOf = (column: Column) => texts[places.get(column) ?? Infinity] ?? "";
    const values = Object.fromEntries(columns.map((column) => [column, valueOf(column)]));
    const id = valueOf(key);
    const first = seen.get(id);
    seen.set(id, first ?? row);
    const most = header.cells.length;
    const problem =
      cells.length > most
        ? words(
            "This row has {cells} cells, the table {columns} columns. Write a pipe within a cell as {pipe}.",
            { cells: cells.length, columns: most, pipe: "\\|" },
          )
        : id === ""
          ? words("This row has no {column}.", { column: key })
          : first === undefined
            ? undefined
            : words("Line {line} is called {id}, too.", { line: first + 1, id });
    return [
      { values: values as Values<Column>, source, ...(problem === undefined ? {} : { problem }) },
    ];
  });
}

/** Returns the columns' names without a remark in parentheses: `status (ACTIVE, SUPERSEDED)` is `status`. */
function namesOf({ header }: MarkdownTable): string[] {
  return header.cells.map(({ source }) =>
    // No column of ours has a longer name.
    readCell(source.slice(0, 200))
      // Bounded: 200 characters.
      .replace(/\([^)]*\)$/, "")
      .replace(/[*`]/g, "")
      .trim()
      .toLowerCase(),
  );
}

function whyNone(key: string, lines: TextLines, strays: readonly number[]): Words {
  const [first] = strays;
  const dashes = first === undefined ? "" : lines.row(first + 1).trim();
  if (/^[-:| ]+$/.test(dashes) && dashes.includes("-")) {
    return words("The line of dashes below the header has not as many cells as the header.");
  }
  return words("There is no table with a column {column}.", { column: key });
}
