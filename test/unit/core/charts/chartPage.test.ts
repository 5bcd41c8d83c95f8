import assert from "node:assert/strict";
import fc from "fast-check";
import { chartRows } from "../../../../src/core/charts/chart.js";
import { chartPage } from "../../../../src/core/charts/chartPage.js";
import { chartRequest } from "../../../../src/core/charts/chartRequest.js";
import { makeChart } from "../../../../src/core/charts/makeChart.js";
import { plainSvg } from "../../../../src/core/charts/plainSvg.js";
import { isMissing } from "../../../../src/core/charts/readCells.js";
import { tableOf } from "../../../../src/core/charts/readTable.js";
import { PlainCharts } from "../../../fakes/plainCharts.js";
import { readPage } from "../../../fakes/readPage.js";

async function pageOf(title: string, column: string, names: readonly string[], source?: string) {
  const request = chartRequest.parse({
    mark: "point",
    x: { field: column, type: "nominal" },
    y: { type: "quantitative", field: `${column} `, title },
  });
  const rows = names.map((name, at) => ({ [column]: name, [`${column} `]: at }));
  const { chart } = makeChart(request, tableOf(rows, "rows"));
  const svg = plainSvg(await new PlainCharts().svg(chart, new AbortController().signal));
  return chartPage({
    title,
    description: `${title}.`,
    language: "en",
    svg,
    source,
    ...chartRows(chart),
  });
}

describe("chartPage", () => {
  it("says what it shows, for those who see and those who hear it", async () => {
    const page = readPage(await pageOf("Sales & more", "Shop", ["North", "South"], "data/s.csv"));
    assert.deepEqual(page.problems, []);
    assert.deepEqual(page.texts("h1"), ["Sales & more"]);
    assert.deepEqual(page.texts("p"), ["Sales & more."]);
    assert.deepEqual(page.attribute("svg", "role"), ["img"]);
    assert.deepEqual(page.attribute("svg", "aria-labelledby"), ["title"]);
    assert.deepEqual(page.texts("th"), ["Shop", "Sales & more"]);
    assert.deepEqual(page.texts("td"), ["North", "0", "South", "1"]);
    assert.deepEqual(page.texts("footer"), ["Source: data/s.csv"]);
    assert.deepEqual(page.attribute("html", "lang"), ["en"]);
  });

  it("may fetch and run nothing", async () => {
    const page = readPage(await pageOf("T", "c", ["a"]));
    const policy = page.attribute("meta", "content")[1];
    assert.equal(
      policy,
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
  });

  it("lists no more rows than anybody reads", async () => {
    const names = Array.from({ length: 1 }, () => "a");
    const one = await pageOf("T", "c", names);
    const svg = "<svg></svg>";
    const rows = Array.from({ length: 1200 }, (_, at) => [String(at)]);
    const columns = [{ title: "n", isNumber: true }];
    const page = readPage(
      chartPage({
        title: "T",
        description: "D",
        language: "en",
        svg,
        columns,
        rows,
        source: undefined,
      }),
    );
    assert.equal(page.texts("td").length, 1000);
    assert.match(page.texts("p")[1] ?? "", /^200 more rows/);
    assert.match(one, /Data \(1 row\)/);
  });

  it("is a page, and shows what it was given, whatever that says", async () => {
    const sly = fc.constantFrom(
      "<script>alert(1)</script>",
      "</title><script>",
      '"><img src=x onerror=alert(1)>',
      "]]>",
      "-->",
      "</style>",
      "</svg><script>",
      "javascript:x",
      "{{x}}",
      "${x}",
      "&lt;",
      "&#x3c;script>",
      "\u2028",
      "\0",
      "\uD800",
      "\u{FFFFE}",
      "<!--",
      "url(https://evil.test)",
      "https://evil.test/?d=",
      "constructor",
    );
    const text = fc
      .array(fc.oneof(sly, fc.string({ unit: "binary" }), fc.string()), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join("").slice(0, 90));
    // A row whose name is missing is not drawn, and a chart without rows is refused.
    const visible = text.filter(
      (one) => /[A-Za-z]{2}/.test(one) && !isMissing(one) && one.trim() !== "__proto__",
    );
    await fc.assert(
      fc.asyncProperty(
        visible,
        visible,
        fc.uniqueArray(visible, {
          minLength: 1,
          maxLength: 3,
          selector: (one) => one.replace(/\s+/g, " ").trim(),
        }),
        async (title, column, names) => {
          const html = await pageOf(title, column, names, column);
          const page = readPage(html);
          assert.deepEqual(page.problems, []);
          const allowed =
            "html head meta title style body main h1 p figure svg text path details summary div table thead tbody tr th td footer span";
          assert.deepEqual(
            [...page.tags].filter((tag) => !allowed.split(" ").includes(tag)),
            [],
          );
          const known =
            /^(lang|charset|http-equiv|content|name|id|role|aria-labelledby|aria-describedby|width|height|viewBox|fill|d|class|scope|tabindex)$/;
          assert.deepEqual(
            [...page.attributes].filter((name) => !known.test(name)),
            [],
          );
          assert.ok(page.values.every((value) => !/https?:/.test(value)));
          const shown = (given: string) =>
            given.replace(
              /[\0-\x08\v\f\r\x0E-\x1F\x7F-\x9F\uFDD0-\uFDEF]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu,
              "\uFFFD",
            );
          assert.deepEqual(page.texts("h1"), [shown(title)]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
