import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { compile } from "vega-lite";
import { type Chart, chartRows } from "../../src/core/charts/chart.js";
import { colorNames } from "../../src/core/charts/chartColors.js";
import { chartPage } from "../../src/core/charts/chartPage.js";
import { chartRequest } from "../../src/core/charts/chartRequest.js";
import { makeChart } from "../../src/core/charts/makeChart.js";
import { plainSvg } from "../../src/core/charts/plainSvg.js";
import { tableOf } from "../../src/core/charts/readTable.js";
import type { Charts } from "../../src/core/ports/charts.js";
import { vegaLiteSpec } from "../../src/node/charts/vegaLiteSpec.js";
import { WorkerCharts } from "../../src/node/charts/workerCharts.js";
import { PlainCharts } from "../fakes/plainCharts.js";
import { readPage } from "../fakes/readPage.js";

const never = new AbortController().signal;
const sly = `</text><script>alert(1)</script>"'&amp; {{x}} datum['x'] $\{x} \0 \u2028`;
const [a, n] = [{ type: "nominal" }, { type: "quantitative" }];
const request = {
  bar: { mark: "bar", x: { ...a, field: "name" }, y: { ...n, field: "n" } },
  lying: { mark: "bar", y: { ...a, field: "name" }, x: { ...n, field: "n" } },
  stacked: {
    mark: "bar",
    x: { ...a, field: "day" },
    y: { ...n, field: "n" },
    color: { ...a, field: "name" },
  },
  grouped: {
    mark: "bar",
    stack: "grouped",
    x: { ...a, field: "day" },
    y: { ...n, field: "n" },
    color: { ...a, field: "name" },
  },
  histogram: { mark: "bar", x: { ...n, field: "n", bin: true }, y: { ...n, aggregate: "count" } },
  line: {
    mark: "line",
    x: { type: "temporal", field: "day" },
    y: { ...n, field: "n" },
    color: { ...a, field: "name" },
  },
  area: {
    mark: "area",
    stack: "share",
    x: { type: "temporal", field: "day" },
    y: { ...n, field: "size" },
    color: { ...a, field: "name" },
  },
  point: {
    mark: "point",
    x: { ...n, field: "n" },
    y: { ...n, field: "size" },
    color: { ...a, field: "name" },
  },
  arc: { mark: "arc", x: { ...a, field: "name" }, y: { ...n, field: "size" } },
  heatmap: {
    mark: "heatmap",
    x: { type: "temporal", field: "day" },
    y: { ...a, field: "name" },
    color: { ...n, field: "n" },
  },
};
const rows = [
  { name: sly, day: "2025-01-01", n: -3, size: 3 },
  { name: "plain", day: "2025-01-02", n: 5e9, size: 1 },
  { name: "a name that takes a lot of room on any axis", day: "2025-01-04", n: 0.5, size: 2 },
];
/** Returns a request in which hostile text stands in every title. */
function titled(asked: object): object {
  const channels = Object.entries(asked).map(([name, value]: [string, unknown]) =>
    typeof value === "object" ? [name, { title: `${name} ${sly}`, ...value }] : [name, value],
  );
  return Object.fromEntries(channels) as object;
}

const charts = Object.entries(request).map(([name, asked]): [string, Chart] => [
  name,
  makeChart(chartRequest.parse({ ...titled(asked), language: "de" }), tableOf(rows, "rows")).chart,
]);

/** Defines the tests of what all {@link Charts} promise. */
function chartsContract(drawing: Charts): void {
  for (const [name, chart] of charts) {
    it(`draws a ${name}, whatever its data say`, async () => {
      const svg = plainSvg(await drawing.svg(chart, never));
      const page = readPage(
        chartPage({
          title: sly,
          description: sly,
          language: "de",
          svg,
          source: sly,
          ...chartRows(chart),
        }),
      );
      assert.deepEqual(page.problems, []);
      assert.ok(!page.tags.has("script"));
      assert.ok(page.texts("svg")[0]?.includes("alert(1)"), "the text is shown as it is");
    });
  }

  it("draws the same for the same", async () => {
    const [, chart] = charts[5]!;
    assert.equal(await drawing.svg(chart, never), await drawing.svg(chart, never));
  });

  it("stops when nobody wants the chart any more, and goes on with the next", async () => {
    const [[, chart], [, next]] = [charts[0]!, charts[5]!];
    const wanted = await drawing.svg(next, never);
    const reason = new Error("enough");
    const stop = new AbortController();
    const drawn = Promise.all([
      drawing.svg(chart, AbortSignal.abort(reason)),
      drawing.svg(chart, never),
    ]);
    await assert.rejects(drawn, reason);
    const late = drawing.svg(chart, stop.signal);
    stop.abort(reason);
    await assert.rejects(late, reason);
    assert.equal(await drawing.svg(next, never), wanted);
  });
}

describe("Charts", () => {
  describe("WorkerCharts, with Vega-Lite", () => {
    const drawing = new WorkerCharts();
    chartsContract(drawing);

    it("writes axes in the language of the chart, and shapes that say what they are", async () => {
      const svg = plainSvg(await drawing.svg(charts[1]![1], never));
      assert.match(svg, />5\s?Mrd\.</);
      assert.match(svg, /: plain&#xA;x [^<]*: 5\.000\.000\.000<\/title>/);
    });

    it("makes no formula of what people wrote", () => {
      const formulas = (value: unknown, name = ""): string[] => {
        if (typeof value === "string")
          return /^(signal|expr|test|update)$/.test(name) ? [value] : [];
        if (typeof value !== "object" || value === null) return [];
        return Object.entries(value).flatMap(([key, inner]) =>
          formulas(inner, Array.isArray(value) ? name : key),
        );
      };
      for (const [name, chart] of charts) {
        const all = formulas(compile(vegaLiteSpec(chart)).spec);
        assert.ok(all.length > 3, name);
        assert.deepEqual(
          all.filter((one) => one.includes("alert")),
          [],
          name,
        );
      }
    });

    it("has colors on both sides of zero only where numbers are on both", () => {
      const colorsOf = (...numbers: number[]) => {
        const table = numbers.map((n, index) => ({ name: "a", day: `2025-01-0${index + 1}`, n }));
        const asked = chartRequest.parse({ ...request.heatmap, language: "en" });
        const { chart } = makeChart(asked, tableOf(table, "rows"));
        const text = JSON.stringify(vegaLiteSpec(chart));
        return (["balance", "ramp"] as const).filter((palette) =>
          text.includes(JSON.stringify(colorNames(palette))),
        );
      };
      assert.deepEqual(colorsOf(-2, 3), ["balance"]);
      assert.deepEqual(colorsOf(-2, 0), ["ramp"]);
      assert.deepEqual(colorsOf(0, 3), ["ramp"]);
    });

    it("draws an area along its axis, in whatever order its rows are", async () => {
      const asked = { mark: "area", x: request.area.x, y: request.area.y };
      const svgOf = (ordered: typeof rows) =>
        drawing.svg(makeChart(chartRequest.parse(asked), tableOf(ordered, "rows")).chart, never);
      const [first, second, third] = rows.map((row) => [row]);
      assert.equal(await svgOf([third!, first!, second!].flat()), await svgOf(rows));
    });

    it("makes no code of texts: it draws where that is forbidden", async () => {
      const script = `
        const { WorkerCharts } = await import(process.argv[1]);
        const drawing = new WorkerCharts();
        for (const chart of JSON.parse(process.argv[2]))
          await drawing.svg(chart, new AbortController().signal);
        console.log("drawn");`;
      const file = new URL("../../src/node/charts/workerCharts.js", import.meta.url).href;
      const all = JSON.stringify(charts.map(([, chart]) => chart));
      const forbids = "--disallow-code-generation-from-strings";
      const args = [forbids, "--input-type=module", "--eval", script, file, all];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      assert.equal(stdout, "drawn\n");
    });

    it("never gives a chart that nobody wanted any more for the next one", async () => {
      const [[, chart], [, next]] = [charts[0]!, charts[5]!];
      const wanted = await drawing.svg(next, never);
      const stop = new AbortController();
      const late = drawing.svg(chart, stop.signal);
      // By then the thread has got it.
      await new Promise(setImmediate);
      stop.abort(new Error("enough"));
      await late.catch(() => undefined);
      assert.equal(await drawing.svg(next, never), wanted);
    });

    it("gives up what takes too long", async () => {
      const hasty = new WorkerCharts({ timeoutMs: 1, idleMs: 0 });
      await assert.rejects(hasty.svg(charts[0]![1], never), {
        code: "drawingTooSlow",
        params: { seconds: 0.001 },
      });
    });
  });
  describe("PlainCharts", () => {
    chartsContract(new PlainCharts());
  });
});
