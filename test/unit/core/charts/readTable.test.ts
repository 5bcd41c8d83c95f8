import assert from "node:assert/strict";
import fc from "fast-check";
import { readTable, tableOf } from "../../../../src/core/charts/readTable.js";

describe("readTable", () => {
  it("reads what separates its cells by what the first line has most of", () => {
    const expected = {
      columns: ["a", "b"],
      rows: [
        ["1", "x,y"],
        ["2", ""],
      ],
    };
    assert.deepEqual(
      readTable('\uFEFFa,b\r\n1,"x,y"\r\n\r\n2,\r\n', "f.csv", 1).rows,
      expected.rows,
    );
    assert.deepEqual(readTable('a;"b"\n1;"x,y"\n2;', "f.csv", 1), expected);
    assert.deepEqual(readTable("a\tb\n1\tx,y\n2\t", "f.tsv", 1), expected);
  });

  it("reads JSON as records or lists, and a file of lines", () => {
    const rows = [
      [1, null],
      [2, true],
    ];
    const [columns, last] = [["a", "b"], { a: 2, b: true }];
    assert.deepEqual(readTable(JSON.stringify([{ a: 1 }, last]), "f.json", 1), { columns, rows });
    assert.deepEqual(readTable(JSON.stringify([columns, [1], [2, true]]), "f.json", 1), {
      columns,
      rows,
    });
    assert.deepEqual(readTable('{"a":1}\n\n{"a":2,"b":true}\n', "f.jsonl", 1), { columns, rows });
    assert.throws(() => readTable("{", "f.json", 1), { code: "notJson" });
    assert.throws(() => readTable('[{"a":{}}]', "f.json", 1), { code: "notATable" });
  });

  it("reads one of a Markdown file's tables", () => {
    const text = "# T\n\n| a |\n| - |\n| 1 |\n\ntext\n\n| x \\| y | b |\n|---|---|\n| `1` | 2 |\n";
    assert.deepEqual(readTable(text, "f.md", 2), { columns: ["x | y", "b"], rows: [["`1`", "2"]] });
    assert.throws(() => readTable(text, "f.md", 3), {
      code: "tableUnknown",
      params: { path: "f.md", tables: 2, which: 3 },
    });
  });

  it("says what is wrong with a table", () => {
    assert.throws(() => readTable("a,b\n1,2,3\n", "f.csv", 1), {
      code: "rowTooLong",
      params: { row: 1, source: "f.csv", cells: 3, columns: 2 },
    });
    assert.throws(() => readTable("a,a\n1,2\n", "f.csv", 1), {
      code: "columnTwice",
      params: { source: "f.csv", column: '"a"' },
    });
    assert.throws(() => readTable("a,b\n", "f.csv", 1), { code: "tableEmpty" });
    assert.throws(() => readTable("", "f.xlsx", 1), { code: "notADataFile" });
    assert.throws(() => tableOf([], '"rows"'), { code: "notATable" });
  });

  it("is not led by names that mean something to JavaScript", () => {
    const table = tableOf(JSON.parse('[{"__proto__": 1, "constructor": 2}, {"a": 3}]'), "x");
    assert.ok(table.columns.includes("constructor"));
    assert.deepEqual(table.rows[1]?.at(table.columns.indexOf("constructor")), null);
  });

  it("throws nothing but words, whatever a file says", () => {
    const endings = fc.constantFrom("csv", "tsv", "json", "jsonl", "md", "txt");
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string({
        unit: fc.constantFrom("a", "b", "|", "-", ",", ";", "\t", '"', "\n", "\r", " "),
      }),
    );
    fc.assert(
      fc.property(text, endings, (content, ending) => {
        try {
          const { columns, rows } = readTable(content, `f.${ending}`, 1);
          assert.ok(rows.every((row) => row.length === columns.length));
        } catch (error) {
          assert.equal((error as Error).name, "UserError");
        }
      }),
    );
  });
});
