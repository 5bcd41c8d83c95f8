import assert from "node:assert/strict";
import fc from "fast-check";
import { makeChart } from "../../../../src/core/charts/makeChart.js";
import { chartRequest } from "../../../../src/core/charts/chartRequest.js";
import { tableOf } from "../../../../src/core/charts/readTable.js";

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
const refusal = (request: object, rows: Rows = [{ a: "p", n: 1 }]) => {
  try {
    chartOf(request, rows);
  } catch (error) {
    assert.equal((error as Error).name, "UserError", String(error));
    return (error as Error).message;
  }
  return assert.fail("it was drawn");
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
    assert.match(
      refusal({ ...bars, x: nominal("b") }),
      /no column "b"\. The columns are "a", "n"\./,
    );
    assert.match(refusal({ ...bars, x: nominal("toString") }), /no column "toString"/);
    assert.match(refusal(bars, [{ a: "p", n: "many" }]), /quantitative, but row 1 has "many"/);
    assert.match(refusal({ ...bars, x: temporal("a") }), /temporal, but row 1 has "p".*2025-03-31/);
    assert.match(refusal(bars, [{ a: "p", n: null }]), /No row has a value in every column/);
  });

  it("draws nothing that would mislead", () => {
    const bars = { mark: "bar", x: nominal("a"), y: quantitative("n") };
    const twice = [
      { a: "p", n: 1 },
      { a: "p", n: 2 },
    ];
    assert.match(refusal(bars, twice), /Several rows have a p, .*"aggregate"/);
    const many = (length: number, n = 1) => Array.from({ length }, (_, at) => ({ a: `a${at}`, n }));
    assert.match(refusal({ ...bars, mark: "arc" }, many(9)), /pie of 9 slices/);
    assert.match(refusal({ ...bars, mark: "arc" }, many(2, -1)), /negative size/);
    const parts = { ...bars, mark: "area", color: nominal("a") };
    assert.match(refusal(parts, many(2, -1)), /cannot be negative/);
    assert.match(refusal(bars, many(401)), /401 names do not fit/);
    const points = { mark: "point", x: quantitative("n"), y: quantitative("n") };
    assert.match(refusal(points, many(5001)), /5001 points.*5000 at most.*Aggregate/);
    assert.match(refusal({ ...points, color: nominal("a") }, many(9)), /9 colors apart/);
    assert.match(refusal({ ...bars, language: "no such" }), /no language/);
  });

  it("says what fits together", () => {
    const [a, n] = [nominal("a"), quantitative("n")];
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ mark: "bar", x: a, y: a }, /Bars need one quantitative axis/],
      [{ mark: "bar", x: n, y: n }, /Bars need one quantitative axis/],
      [{ mark: "line", x: a, y: a }, /y of a line/],
      [{ mark: "arc", x: n, y: n }, /An arc's x/],
      [{ mark: "arc", x: a, y: n, color: a }, /leave color out/],
      [{ mark: "heatmap", x: a, y: a }, /needs a quantitative color/],
      [{ mark: "heatmap", x: a, y: n, color: n }, /name its cells/],
      [{ mark: "point", x: a, y: a }, /Points need/],
      [{ mark: "bar", x: a, y: n, color: n }, /Only a heatmap/],
      [{ mark: "area", x: a, y: n, stack: "grouped" }, /choose the mark line/],
      [{ mark: "bar", x: a, y: { type: "quantitative" } }, /Name a field/],
      [{ mark: "bar", x: nominal("a", { bin: true }), y: n }, /quantitative field can have bins/],
      [{ mark: "bar", x: nominal("a", { unit: "day" }), y: n }, /temporal field has a unit/],
      [{ mark: "bar", x: nominal("a", { aggregate: "max" }), y: n }, /aggregated is quantitative/],
    ];
    for (const [request, words] of cases) assert.match(refusal(request), words);
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
