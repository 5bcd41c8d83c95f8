import assert from "node:assert/strict";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { editKeyedTable, type TableEdit } from "../../../../src/core/documents/editKeyedTable.js";
import { readKeyedTable } from "../../../../src/core/documents/keyedTable.js";
import { readTables } from "../../../../src/core/documents/markdownTable.js";
import { cellText, readCell, writeCell } from "../../../../src/core/documents/tableCell.js";
import { TextLines } from "../../../../src/core/documents/textLines.js";
import { UserError } from "../../../../src/core/errors.js";
import { spoken } from "../../../../src/core/text/words.js";

const columns = ["id", "goal", "status"] as const;
type Column = (typeof columns)[number];
type Edit = TableEdit<Column>;

const read = (text: string) => readKeyedTable<Column>(text, columns);
const edited = (text: string, ...edits: Edit[]) => editKeyedTable(read(text), edits).lines.text;
const set = (id: string, values: Edit["values"]): Edit => ({ type: "set", id, values });
const add = (values: Edit["values"]): Edit => ({ type: "add", values });
const valuesOf = (text: string) => read(text).rows.map(({ values }) => Object.values(values));

const neat = `# Work

| id  | goal        |  status |
| :-- | ----------- | ------: |
| A   | Look        | PENDING |
| B   | Build \\| go |         |

Notes | by | hand
`;

/** What is likely to break a table, or to be taken for a part of it. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "|",
        "\\",
        "\\|",
        "\\_",
        "`",
        "``",
        "<br>",
        "<br/>",
        "&lt;br>",
        "&amp;",
        "&#124;",
        "&#92;",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        " ",
        "\t",
        "---",
        "| --- |",
        "- [ ] x",
        "# h",
        "> q",
        "$&",
        "```",
        "<!--",
        "-->",
        "\0",
        "\u2028",
        "\u{1F600}",
        "\uD800",
        "\uFEFF",
        "&",
        "<",
        "br",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.constantFrom("word", "A", "PENDING", "说明"),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const anyRow = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(hostileText, { maxLength: 5 }), fc.boolean(), fc.constantFrom("", "  "))
      .map(([cells, closed, indent]) => {
        const row = cells.map((cell) => ` ${writeCell(cell)} `).join("|");
        return closed ? `${indent}|${row}|` : row;
      }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "| id | goal | status |",
      "| goal | id | mine |",
      "| :-- | --: | --- |",
      "|---|---|---|",
      "| A | x | PENDING |",
      "|B|y|z|",
      "| C | only",
      "",
      "text",
      "- | id |",
      "> | id | a |",
      "id | goal | status",
      "--|--|--",
      "\t| D | tab |",
      "    | E | code |",
      "```",
      "<div>",
    ),
  },
  { weight: 1, arbitrary: hostileText },
);

const start = "| id | goal | status |\n|:--|--|--|\n| A | x | PENDING |\n";
const anyText = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "\uFEFF", "# Title\n\n", ...Array<string>(6).fill(start)),
      fc.array(fc.tuple(anyRow, fc.constantFrom("\n", "\n", "\r\n", "\r")), { maxLength: 12 }),
      fc.constantFrom("", "| Z | last | PENDING |"),
    )
    .map(([begin, rows, end]) => begin + rows.flat().join("") + end),
  hostileText,
);

describe("tables with a key", () => {
  it("takes any text in a cell, and gives it back", () => {
    for (const text of [
      "a|b",
      "a_b\\_c\\\\_",
      "\\",
      "a\\|b",
      "`a|b`",
      "1\n2",
      "<br>",
      "&lt;br>",
      "&#124;",
      "\\\\|",
    ]) {
      assert.equal(readCell(writeCell(text)), text);
    }
    fc.assert(
      fc.property(hostileText, (text) => {
        const cell = writeCell(text);
        assert.equal(readCell(cell), cellText(text));
        assert.equal(cellText(cellText(text)), cellText(text));
        assert.doesNotMatch(cell, /[\r\n]|(^|[^\\])\||\\$/);
      }),
    );
  });

  it("sees the cells that Markdown sees", () => {
    const markdown = new MarkdownIt({ html: true });
    const seen = (text: string): (string | undefined)[][] => {
      const rows: string[][] = [];
      for (const { type, level, content } of markdown.parse(text.replace(/^\uFEFF/, ""), {})) {
        if (type === "tr_open" && level === 2) rows.push([]);
        else if (type === "inline" && level === 4) rows.at(-1)?.push(content);
      }
      return rows;
    };
    fc.assert(
      fc.property(anyText, (text) => {
        const own = readTables(new TextLines(text)).tables.flatMap(({ header, rows }) =>
          [header, ...rows].map(({ cells }) =>
            header.cells.map((_, at) =>
              (cells[at]?.source ?? "").trim().replaceAll("\\|", "|").replaceAll("\0", "\uFFFD"),
            ),
          ),
        );
        assert.deepEqual(own, seen(text));
      }),
    );
  });

  it("finds its columns in any order, with others between them and remarks behind them", () => {
    const text = "| Status (A, B) | owner | **id** | `goal` |\n|-|-|-|-|\n| A | me | 1 | x |\n";
    assert.deepEqual(valuesOf(text), [["1", "x", "A"]]);
    assert.equal(edited(text, set("1", { status: "B" })), text.replace("| A |", "| B |"));
    assert.equal(edited(text, add({ id: "2", status: "A" })), `${text}| A |  | 2 |  |\n`);
  });

  it("reads underscores that a formatter has escaped, and leaves them so", () => {
    const names = ["task_id", "path"] as const;
    const text = "| task\\_id | path |\n| --- | --- |\n| A\\_1 | a\\_b.md |\n| A\\_2 | c.md |\n";
    const table = readKeyedTable<(typeof names)[number]>(text, names);
    assert.deepEqual(table.rows[0]?.values, { task_id: "A_1", path: "a_b.md" });
    const after = editKeyedTable(table, [{ type: "set", id: "A_2", values: { path: "d_e.md" } }]);
    assert.equal(after.lines.text, text.replace("c.md", "d_e.md"));
  });

  it("keeps widths and alignment, and every other byte", () => {
    assert.deepEqual(valuesOf(neat), [
      ["A", "Look", "PENDING"],
      ["B", "Build | go", ""],
    ]);
    assert.equal(
      edited(neat, set("A", { status: "DONE" }), set("B", { goal: "Go" }), add({ id: "C" })),
      neat
        .replace("| PENDING |", "|    DONE |")
        .replace("Build \\| go |", "Go          |")
        .replace("|         |\n", "|         |\n| C   |             |         |\n"),
    );
    const crlf = neat.replaceAll("\n", "\r\n");
    assert.equal(
      edited(crlf, add({ id: "C", goal: "1\r\n2" })),
      crlf.replace("|         |\r\n", "|         |\r\n| C   | 1<br>2      |         |\r\n"),
    );
    const torn = "|id|goal|status|\n|-|-|-|\n|A|x|y|";
    assert.equal(
      edited(torn, set("A", { goal: "" }), add({ id: "B" })),
      `${torn.replace("x", "")}\n| B |  |  |`,
    );
    assert.equal(edited(neat, set("A", { goal: "Look" })), neat);
    assert.equal(edited(neat), neat);
  });

  it("fills cells that a row leaves out, and closes what is open", () => {
    const text = "id | goal | status\n--|--|--\nA\nB | x\n- | y\n";
    assert.equal(
      edited(text, set("A", { status: "S" }), set("B", { id: "# C", goal: "- z" })),
      "id | goal | status\n--|--|--\nA |  | S |\n| # C |- z\n- | y\n".replace("|- z", "| - z"),
    );
  });

  it("begins a document where there is none", () => {
    const text = edited("", add({ id: "A", goal: "x|y" }));
    assert.equal(text, "| id | goal | status |\n| :--- | :--- | :--- |\n| A | x\\|y |  |\n");
    assert.deepEqual(valuesOf(text), [["A", "x|y", ""]]);
  });

  it("passes over rows that say nothing, and knows which cannot be trusted", () => {
    const text = `| id | goal | status |\n|-|-|-|\n| | | |\n| A | x |\n| A | a|b | c |\n|  | y |\n`;
    const told = read(text).rows.map(({ source, problem }) => [
      source.row + 1,
      problem && spoken(problem),
    ]);
    assert.deepEqual(told, [
      [4, undefined],
      [5, "This row has 4 cells, the table 3 columns. Write a pipe within a cell as \\|."],
      [6, "This row has no id."],
    ]);
    assert.throws(() => edited(text, set("A", { goal: "z" })), {
      name: "UserError",
      code: "tableLineInvalid",
    });
    assert.throws(() => edited(text, set("Q", {})), { code: "rowUnknown", params: { id: "Q" } });
    assert.throws(() => edited(text, add({ id: "A" })), { code: "rowExists", params: { id: "A" } });
    assert.ok(edited(text, add({ id: "B" })).startsWith(text));
  });

  it("names what makes a document unusable, and leaves it alone", () => {
    const problems = (text: string) =>
      read(text).problems.map(({ row, message }) => `${row + 1} ${spoken(message)}`);
    const ended = "This row is in no table: something above it, as an empty line, has ended it.";
    assert.deepEqual(problems(`${neat}\n| C | x | y |\n`), [`10 ${ended}`]);
    assert.deepEqual(problems("| id | goal |\n|-|-|\n"), ["1 There is no column status."]);
    assert.deepEqual(problems("| id | goal | status | goal |\n|-|-|-|-|\n"), [
      "1 There are two columns goal.",
    ]);
    assert.deepEqual(problems("# Work\n\n| id | goal | status |\n|-|-|\n| A | x | y |\n"), [
      "3 The line of dashes below the header has not as many cells as the header.",
    ]);
    assert.deepEqual(problems("Some text.\n"), ["1 There is no table with a column id."]);
    assert.deepEqual(problems(`${neat}\n${neat}`), [
      "12 Line 3 begins such a table, too; this one is not read.",
    ]);
    assert.throws(() => edited("Some text.\n", add({ id: "A" })), UserError);
    // What would be read as code.
    assert.throws(() => edited("    ", add({ id: "A" })), { code: "tableUneditable" });
  });

  it("edits thousands of rows at once", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => add({ id: `R${index}`, goal: "x" }));
    const text = edited(neat, ...many);
    const sets = many.map(({ values }) => set(values.id ?? "", { status: "DONE" }));
    const done = read(edited(text, ...sets));
    assert.equal(done.rows.length, 2_002);
    assert.equal(done.rows.at(-1)?.values.status, "DONE");
    assert.ok(done.lines.text.endsWith("Notes | by | hand\n"));
  });

  it("takes no time for what somebody has made to take it", () => {
    const long = 200_000;
    const header = `| id | goal | status | ${"(".repeat(long)} |\n|-|-|-|-|\n`;
    for (const text of [
      `${header}| A | ${"<br ".repeat(long)} | ${"\\|".repeat(long)} | ${"&".repeat(long)} |\n`,
      `| id | goal | status |\n${" ".repeat(long)}x\n`,
      `| id | goal | status |\n|-|-|-|\n${"|".repeat(long)}\n${">".repeat(long)}\n`,
      `${"| ".repeat(long)}\n${"|-".repeat(long)}\n`,
    ]) {
      assert.equal(read(text).lines.text, text);
    }
    assert.deepEqual(
      valuesOf(edited(header, add({ id: "A", goal: "<br ".repeat(long) }))).length,
      1,
    );
  });

  it("edits any document as it is told, and nothing else, or refuses", () => {
    const edit = fc.oneof(
      fc.record({ at: fc.nat(20), column: fc.constantFrom(...columns), text: hostileText }),
      fc.record({ id: fc.oneof(hostileText, fc.constantFrom("A", "N1", "N2")), text: hostileText }),
    );
    let made = 0;
    fc.assert(
      fc.property(anyText, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, given) => {
        const before = read(text);
        assert.equal(before.lines.text, text);
        const model = before.rows.map(({ values }) => ({ ...values }));
        const edits = given.map((one): Edit => {
          if ("id" in one) {
            const [id, goal] = [cellText(one.id), cellText(one.text)];
            model.push({ id, goal, status: "" });
            return add({ id: one.id, goal: one.text });
          }
          const row = model[one.at % Math.max(1, model.length)] ?? {
            id: "-",
            goal: "",
            status: "",
          };
          const column = one.column === "id" ? "goal" : one.column;
          row[column] = cellText(one.text);
          return set(row.id, { [column]: one.text });
        });
        let after: ReturnType<typeof read>;
        try {
          after = editKeyedTable(before, edits);
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
          return;
        }
        made++;
        assert.deepEqual(
          after.rows.map(({ values }) => values),
          model,
        );
        const touched = new Set(edits.map((one) => (one.type === "set" ? one.id : "")));
        for (const row of before.rows) {
          const line = before.lines.row(row.source.row);
          if (!touched.has(row.values.id)) assert.ok(after.lines.text.includes(line));
        }
        if (before.table !== undefined) {
          const start = text.slice(0, before.lines.offset(before.table.delimiter.row));
          assert.ok(after.lines.text.startsWith(start));
        }
      }),
      { numRuns: 400 },
    );
    assert.ok(made > 50, `only ${made} edits were made`);
  });
});
