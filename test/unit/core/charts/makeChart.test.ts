import assert from "node:assert/strict";
import fc from "fast-check";
import { chartRequest } from "../../../../src/core/charts/chartRequest.js";
import { makeChart } from "../../../../src/core/charts/makeChart.js";
import { tableOf } from "../../../../src/core/charts/readTable.js";
import { UserError } from "../../../../src/core/errors.js";

type Rows = readonly Readonly<Record<string, string | number | null>>[];
const quantitative = (field: string, more: object = {}) => ({
  field,
  type: "quantitative",
  ...more,
});
const nominal = (field: string, more: object = {}) => ({ field, type: "nominal", ...more });
const temporal = (field: string, more: object = {}) => ({ field, type: "temporal", ...more });
const count = { type: "quantitative", aggregate: "count" };

const chartOf = (request: object, rows: Rows) =>
  makeChart(chartRequest.parse(request), tableOf(rows, "rows")).chart;
const places = (request: object, rows: Rows) =>
  chartOf(request, rows).points.map(({ x, y, color }) => [
    x,
    y,
    ...(color === undefined ? [] : [color]),
  ]);
const refusal = (
  request: object,
  rows: Rows = [{ a: "p", n: 1 }],
): Pick<UserError, "code" | "params"> => {
  try {
    chartOf(request, rows);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return { code: error.code, params: error.params };
  }
  return assert.fail("it was drawn");
};

const hasCode = (
  error: Pick<UserError, "code" | "params">,
  code: string,
  params: UserError["params"],
) => {
  assert.deepEqual([error.code, error.params], [code, params]);
};

describe("makeChart", () => {
  const sales = [
    { shop: "South", day: "2025-01-02", sold: 3 },
    { shop: "North", day: "2025-01-30", sold: 5 },
    { shop: "South", day: "2025-03-01", sold: 4 },
    { shop: "North", day: "2025-03-02", sold: null },
  ];

  it("puts rows together, the largest first", () => {
    const bars = { mark: "bar", x: nominal("shop"), y: quantitative("sold", { aggregate: "sum" }) };
    const chart = chartOf(bars, sales);
    assert.deepEqual(chart.x, {
      kind: "category",
      title: "shop",
      values: ["South", "North"],
      ordered: false,
    });
    assert.deepEqual(chart.y, { kind: "number", title: "Sum of sold" });
    assert.deepEqual(places(bars, sales), [
      ["South", 7],
      ["North", 5],
    ]);
    assert.deepEqual(
      chart.points.map(({ label }) => label),
      ["7", "5"],
    );
  });

  it("knows the usual aggregates", () => {
    const rows = [1, 2, 3, 10].map((n) => ({ a: "p", n }));
    const of = (aggregate: string) =>
      places({ mark: "bar", x: nominal("a"), y: quantitative("n", { aggregate }) }, rows)[0]?.[1];
    assert.deepEqual(
      ["count", "sum", "mean", "median", "min", "max"].map(of),
      [4, 16, 4, 2.5, 1, 10],
    );
  });

  it("leaves rows without a value out, and says how many", () => {
    const lines = { mark: "point", x: temporal("day"), y: quantitative("sold") };
    const { chart, left } = makeChart(chartRequest.parse(lines), tableOf(sales, "rows"));
    assert.deepEqual([chart.points.length, left], [3, 1]);
  });

  it("gives every month a place, also those without anything", () => {
    const bars = { mark: "bar", x: temporal("day", { unit: "month" }), y: count };
    const { x } = chartOf(bars, sales);
    assert.ok(x.kind === "category");
    assert.deepEqual(x.values, ["Jan 2025", "Feb 2025", "Mar 2025"]);
    assert.deepEqual(places(bars, sales), [
      ["Jan 2025", 2],
      ["Mar 2025", 2],
    ]);
  });

  it("keeps moments on a line as they are", () => {
    const line = {
      mark: "line",
      x: temporal("day"),
      y: quantitative("sold"),
      color: nominal("shop"),
    };
    const chart = chartOf({ ...line, language: "de" }, sales);
    assert.equal(chart.x.kind, "time");
    assert.deepEqual(chart.points[0], {
      x: Date.UTC(2025, 0, 2),
      y: 3,
      color: "South",
      texts: { x: "02.01.2025", y: "3", color: "South" },
    });
  });

  it("makes a histogram of bins of a round width", () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ n: n / 10 }));
    const chart = chartOf({ mark: "bar", x: quantitative("n", { bin: true }), y: count }, rows);
    assert.ok(chart.x.kind === "number");
    assert.equal(chart.x.step, 0.5);
    assert.deepEqual(chart.points[3]?.texts, { x: "1.5–2", y: "5" });
    assert.equal(
      chart.points.reduce((sum, { y }) => sum + Number(y), 0),
      100,
    );
  });

  it("lays bars down whose names are long", () => {
    const rows = Array.from({ length: 12 }, (_, n) => ({ a: `a name that is long ${n}`, n }));
    const chart = chartOf({ mark: "bar", x: nominal("a"), y: quantitative("n") }, rows);
    assert.deepEqual([chart.x.kind, chart.y.kind], ["number", "category"]);
    assert.deepEqual(chart.points[1]?.texts, { x: "1", y: "a name that is long 1" });
  });

  it("says which columns there are, and what a column has", () => {
    const bars = { mark: "bar", x: nominal("a"), y: quantitative("n") };
    hasCode(refusal({ ...bars, x: nominal("b") }), "columnUnknown", {
      column: '"b"',
      columns: '"a", "n"',
    });
    hasCode(refusal({ ...bars, x: nominal("toString") }), "columnUnknown", {
      column: '"toString"',
      columns: '"a", "n"',
    });
    hasCode(refusal(bars, [{ a: "p", n: "many" }]), "notQuantitative", {
      column: '"n"',
      cell: 'row 1 has "many"',
    });
    hasCode(refusal({ ...bars, x: temporal("a") }), "notTemporal", {
      column: '"a"',
      cell: 'row 1 has "p"',
    });
    assert.equal(refusal(bars, [{ a: "p", n: null }]).code, "chartEmpty");
  });

  it("draws nothing that would mislead", () => {
    const bars = { mark: "bar", x: nominal("a"), y: quantitative("n") };
    const twice = [
      { a: "p", n: 1 },
      { a: "p", n: 2 },
    ];
    hasCode(refusal(bars, twice), "rowsOverlap", { place: "a p" });
    const many = (length: number, n = 1) => Array.from({ length }, (_, at) => ({ a: `a${at}`, n }));
    hasCode(refusal({ ...bars, mark: "arc" }, many(9)), "tooManySlices", { slices: 9, most: 8 });
    assert.equal(refusal({ ...bars, mark: "arc" }, many(2, -1)).code, "negativeSlice");
    const parts = { ...bars, mark: "area", color: nominal("a") };
    assert.equal(refusal(parts, many(2, -1)).code, "negativePart");
    assert.equal(refusal(bars, many(401)).code, "tooManyNames");
    const points = { mark: "point", x: quantitative("n"), y: quantitative("n") };
    hasCode(refusal(points, many(5001)), "tooManyPoints", { points: 5001, most: 5000 });
    hasCode(refusal({ ...points, color: nominal("a") }, many(9)), "tooManyColors", {
      colors: 9,
      most: 8,
    });
    assert.equal(refusal({ ...bars, language: "no such" }).code, "languageUnknown");
  });

  it("says what fits together", () => {
    const [a, n] = [nominal("a"), quantitative("n")];
    const cases: readonly (readonly [object, string])[] = [
      [{ mark: "bar", x: a, y: a }, "barAxes"],
      [{ mark: "bar", x: n, y: n }, "barAxes"],
      [{ mark: "line", x: a, y: a }, "lineOrAreaY"],
      [{ mark: "line", x: { ...n, bin: true }, y: n }, "histogramMark"],
      [{ mark: "area", x: { ...n, bin: true }, y: n }, "histogramMark"],
      [{ mark: "arc", x: n, y: n }, "arcAxes"],
      [{ mark: "arc", x: a, y: n, color: a }, "arcColor"],
      [{ mark: "heatmap", x: a, y: a }, "heatmapColor"],
      [{ mark: "heatmap", x: a, y: n, color: n }, "heatmapAxes"],
      [{ mark: "point", x: a, y: a }, "pointAxes"],
      [{ mark: "bar", x: a, y: n, color: n }, "colorQuantity"],
      [{ mark: "area", x: a, y: n, stack: "grouped" }, "groupedAreas"],
      [{ mark: "bar", x: a, y: { type: "quantitative" } }, "fieldMissing"],
      [{ mark: "bar", x: nominal("a", { bin: true }), y: n }, "binType"],
      [{ mark: "bar", x: nominal("a", { unit: "day" }), y: n }, "unitType"],
      [{ mark: "bar", x: nominal("a", { aggregate: "max" }), y: n }, "aggregateType"],
    ];
    for (const [request, code] of cases) assert.equal(refusal(request).code, code);
  });

  it("throws nothing but words, whatever it is asked for", () => {
    const channel = fc.record(
      {
        field: fc.constantFrom("a", "n", "d", "none"),
        type: fc.constantFrom("quantitative", "temporal", "nominal", "ordinal"),
        aggregate: fc.constantFrom("count", "mean", null),
        unit: fc.constantFrom("month", "week", null),
        bin: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    );
    const request = fc.record(
      {
        mark: fc.constantFrom("bar", "line", "area", "point", "arc", "heatmap"),
        x: channel,
        y: channel,
        color: channel,
        stack: fc.constantFrom("stacked", "grouped", "share"),
        sort: fc.constantFrom("largest_first", "smallest_first", "name", "data"),
      },
      { requiredKeys: ["mark", "x", "y"] },
    );
    const row = fc.record({
      a: fc.oneof(fc.string(), fc.constant(null)),
      n: fc.oneof(fc.double(), fc.integer()),
      d: fc.constantFrom("2025-01-01", "2025-02", 2024, null),
    });
    fc.assert(
      fc.property(request, fc.array(row, { minLength: 1, maxLength: 20 }), (asked, rows) => {
        try {
          const { x, y, points } = chartOf(asked, rows);
          const fits = (field: typeof x, value: number | string) =>
            field.kind === "category"
              ? field.values.includes(String(value))
              : typeof value === "number";
          assert.ok(points.every((point) => fits(x, point.x) && fits(y, point.y)));
        } catch (error) {
          assert.equal((error as Error).name, "UserError", String((error as Error).stack));
        }
      }),
      { numRuns: 500 },
    );
  });
});
