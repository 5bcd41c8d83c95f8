import assert from "node:assert/strict";
import type * as z from "zod";
import type { ToolContext } from "../../../../src/core/agent/tool.js";
import { UserError } from "../../../../src/core/errors.js";
import { spoken } from "../../../../src/core/text/words.js";
import { drawChart } from "../../../../src/core/tools/drawChart.js";
import { PlainCharts } from "../../../fakes/plainCharts.js";
import { readPage } from "../../../fakes/readPage.js";
import { ToolWorld } from "./toolWorld.js";

const sales = "Monat;Umsatz\n2025-01;1.234,5\n2025-02;2.000\n2025-03;\n";
const request: Omit<z.infer<typeof drawChart.parameters>, "file" | "rows"> = {
  path: "workspace/sales.html",
  title: "Sales rise",
  description: "By month.",
  mark: "line",
  x: { field: "Monat", type: "temporal" },
  y: { field: "Umsatz", type: "quantitative" },
};

describe("draw_chart", () => {
  const world = (files: Record<string, string> = {}, more: Partial<ToolContext> = {}) =>
    new ToolWorld(files, {}, { charts: new PlainCharts(), ...more });

  it("writes a page with a chart of a file's data", async () => {
    const tools = world({ "data/sales.csv": sales });
    const { seen, ...result } = await tools.use(drawChart, {
      ...request,
      file: "data/sales.csv",
      language: "de",
    });
    assert.equal(seen, undefined, "the agent has not seen the page");
    assert.deepEqual(result, {
      ok: true,
      content:
        "Created workspace/sales.html: a chart of 2 points from 3 rows. 1 row without a value was left out.",
    });
    const page = readPage(tools.files.text("workspace/sales.html")!);
    assert.deepEqual(page.texts("td"), ["Jan. 2025", "1.234,5", "Feb. 2025", "2.000"]);
    assert.deepEqual(page.texts("footer"), ["Source: data/sales.csv"]);
  });

  it("takes rows in the place of a file", async () => {
    const tools = world();
    const rows = [{ Monat: "2025-01", Umsatz: 3 }];
    assert.equal((await tools.use(drawChart, { ...request, rows })).ok, true);
    for (const data of [{}, { rows, file: "a.csv" }]) {
      await assert.rejects(tools.prepare(drawChart, { ...request, ...data }), {
        code: "fileOrRows",
      });
    }
  });

  it("asks with the page as it will be, and about the file that it reads", async () => {
    const tools = world({ "data/sales.csv": sales });
    const prepared = await tools.prepare(drawChart, { ...request, file: "data/sales.csv" });
    assert.ok(!("ok" in prepared));
    assert.ok(prepared.action?.access === "write");
    assert.match(spoken(prepared.action.preview.text), /\+<h1 id="title">Sales rise<\/h1>/);
    assert.deepEqual(
      prepared.more?.map(({ access, title }) => [access, spoken(title)]),
      [["read", "Read data/sales.csv"]],
    );
    assert.equal(prepared.editable, undefined);
    assert.equal(tools.files.text(request.path), undefined);
  });

  it("lets what it replaces be undone", async () => {
    const tools = world({ [request.path]: "before" });
    const rows = [{ Monat: "2025-01", Umsatz: 3 }];
    const result = await tools.use(drawChart, { ...request, rows });
    assert.match(result.content, /^Replaced/);
    assert.deepEqual([...(await tools.changes.read()).keys()], [request.path]);
  });

  it("reads no file that other tools would not read", async () => {
    const tools = world({ ".rooignore": "hidden/\n", "hidden/a.csv": sales, "keys/.env": sales });
    for (const [file, code] of [
      ["hidden/a.csv", "EHIDDEN"],
      ["keys/.env", "chartFileSecret"],
      ["/etc/hosts.csv", "chartFileRefused"],
      ["none.csv", "chartFileMissing"],
    ] as const) {
      await assert.rejects(
        tools.prepare(drawChart, { ...request, file }),
        (error) => error instanceof UserError && error.code === code,
      );
    }
  });

  it("writes pages only", async () => {
    const rows = [{ Monat: "2025-01", Umsatz: 3 }];
    const refusal = (path: string) => world().refusal(drawChart, { ...request, path, rows });
    assert.match(await refusal("workspace/sales.js"), /has to end in \.html/);
    const tools = new ToolWorld();
    assert.match(await tools.refusal(drawChart, { ...request, rows }), /Nothing here can draw/);
  });
});
