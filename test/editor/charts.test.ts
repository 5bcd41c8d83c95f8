import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { chartRequest } from "../../src/core/charts/chartRequest.js";
import { makeChart } from "../../src/core/charts/makeChart.js";
import { plainSvg } from "../../src/core/charts/plainSvg.js";
import { tableOf } from "../../src/core/charts/readTable.js";
import { eventually, product } from "./product.js";

describe("charts in the editor", () => {
  const [a, n, t] = ["nominal", "quantitative", "temporal"].map((type) => ({ type }));
  const rows = [
    { name: "North", day: "2025-01-01", sold: 3 },
    { name: "South", day: "2025-01-02", sold: 5 },
  ];
  const requests = [
    { mark: "bar", x: { ...a, field: "name" }, y: { ...n, field: "sold" } },
    { mark: "bar", x: { ...n, field: "sold", bin: true }, y: { ...n, aggregate: "count" } },
    {
      mark: "line",
      x: { ...t, field: "day" },
      y: { ...n, field: "sold" },
      color: { ...a, field: "name" },
    },
    { mark: "area", x: { ...t, field: "day" }, y: { ...n, field: "sold" } },
    { mark: "point", x: { ...t, field: "day" }, y: { ...n, field: "sold" } },
    { mark: "arc", x: { ...a, field: "name" }, y: { ...n, field: "sold" } },
    {
      mark: "heatmap",
      x: { ...a, field: "name" },
      y: { ...t, field: "day" },
      color: { ...n, field: "sold" },
    },
  ];
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("are drawn by what is packed with the extension, every kind", async () => {
    const { charts } = (await (await product()).session.runtime()).dependencies.experts;
    assert.ok(charts);
    for (const request of requests) {
      const { chart } = makeChart(chartRequest.parse(request), tableOf(rows, "rows"));
      const svg = plainSvg(await charts.svg(chart, new AbortController().signal));
      assert.match(svg, request.mark === "area" ? /<path d="M0,/ : /<title>[^<]*(North|5)/);
    }
  });

  it("are shown as pages where a run wrote them, with their source one click away", async () => {
    const { session } = await product();
    const path = "outputs/run-1/sales.html";
    const uri = vscode.Uri.joinPath(session.folder, path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from("<!doctype html><h1>Sales</h1>"));
    const shown = () =>
      tabs().filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.includes("rooroo.page"),
      );
    await vscode.commands.executeCommand("rooroo.openChart", uri);
    await vscode.commands.executeCommand("rooroo.openChart", uri);
    await eventually(() => shown().length > 0 || undefined, "the page");
    assert.deepEqual(
      shown().map(({ label }) => label),
      ["sales.html"],
    );
    await vscode.commands.executeCommand("workbench.action.focusNextGroup");
    await eventually(async () => {
      await vscode.commands.executeCommand("rooroo.openPageSource");
      return vscode.window.activeTextEditor?.document.uri.path === uri.path || undefined;
    }, "the page's source");
    // As a link in the panel does.
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const { OpenDocuments } = await import("../../src/vscode/workspace/openDocuments.js");
    await new OpenDocuments(session).file(path);
    await eventually(() => shown().length === 1 || undefined, "the page, from a link");
  });
});
