import * as z from "zod";
import type { Tool, ToolContext } from "../agent/tool.js";
import { chartRows } from "../charts/chart.js";
import { chartPage } from "../charts/chartPage.js";
import { chartRequest } from "../charts/chartRequest.js";
import { makeChart } from "../charts/makeChart.js";
import { plainSvg } from "../charts/plainSvg.js";
import { type ChartTable, readTable, tableOf } from "../charts/readTable.js";
import { UserError } from "../errors.js";
import type { Location } from "../ports/files.js";
import { decodeText, encodeText, formatSize } from "../text/textFile.js";
import { words } from "../text/words.js";
import { failed } from "./calls/failed.js";
import { readAction, resolveInside, resolvePath } from "./calls/resolvePath.js";
import { preparedWrite } from "./editing/preparedWrite.js";
import { currentBytes } from "./editing/textToEdit.js";

const maxBytes = 10_000_000;
const maxRows = 200_000;

const parameters = chartRequest.extend({
  path: z.string().describe("Of the page that is written, as workspace/sales.html"),
  title: z.string().min(1).max(200).describe("What the chart shows, best as a finding"),
  description: z
    .string()
    .min(1)
    .max(2000)
    .describe("A sentence or two, also for who cannot see it"),
  file: z.string().nullish().describe("Data: .csv, .tsv, .json, .jsonl or .md in the workspace"),
  table: z.int().min(1).nullish().describe("Of several in a Markdown file; default 1"),
  rows: z
    .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
    .nullish()
    .describe("The data itself, where there is no file of it"),
});
type Arguments = z.infer<typeof parameters>;

/** The tool that writes a page with a chart. The chart shows validated data; none of it is code. */
export const drawChart: Tool<Arguments> = {
  kind: "action",
  name: "draw_chart",
  description:
    "Draw a chart of a file's data, or of given rows, into an HTML page. You choose the kind that shows best what the data say.",
  parameters,
  access: "write",
  needs: "charts",
  title: ({ path }) => path,

  async prepare(args, context) {
    const { charts, files, signal } = context;
    if (charts === undefined)
      return failed("Nothing here can draw. Do without the chart, and say so.");
    const { path, title, description } = args;
    const resolved = await resolvePath(path, context.guard);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    if (!/\.html?$/i.test(location.path)) return failed(`${path} has to end in .html. Name it so.`);
    const stat = await files.stat(location);
    if (stat && stat.kind !== "file") return failed(`${path} is a folder. Name a file.`);
    const data = await dataOf(args, context);
    const { chart, left } = makeChart(args, data.table);
    const svg = plainSvg(await charts.svg(chart, signal));
    const page = chartPage({
      title,
      description,
      language: chart.language,
      svg,
      source: data.read?.path,
      ...chartRows(chart),
    });
    const { bytes: before, unsaved } = await currentBytes(location, context);
    const points = chart.points.length === 1 ? "1 point" : `${chart.points.length} points`;
    const without =
      left === 1
        ? " 1 row without a value was left out."
        : left === 0
          ? ""
          : ` ${left} rows without a value were left out.`;
    const done = `${before ? "Replaced" : "Created"} ${location.path}: a chart of ${points} from ${data.table.rows.length} rows.${without}`;
    const after = encodeText(page, "utf-8");
    const call = preparedWrite({ location, before, unsaved, after, done }, context);
    return {
      ...call,
      // A drawing is neither edited by hand nor read as text.
      editable: undefined,
      ...(data.read && {
        more: [readAction(words("Read {file}", { file: data.read.path }), data.read)],
      }),
      run: async (granted) => {
        // The agent has not seen the page, which code made.
        const { ok, content } = await call.run(granted);
        return { ok, content };
      },
    };
  },
};

async function dataOf(
  args: Arguments,
  context: ToolContext,
): Promise<{ readonly table: ChartTable; readonly read: Location | undefined }> {
  const { file = null, rows = null } = args;
  if ((file === null) === (rows === null)) {
    throw new UserError("fileOrRows", 'Give either "file", a file with the data, or "rows".');
  }
  if (file === null) return { table: tableOf(rows, '"rows"'), read: undefined };
  const resolved = await resolveInside(file, context.guard);
  if ("failure" in resolved)
    throw new UserError("chartFileRefused", "{reason}", { reason: resolved.failure.content });
  const { location } = resolved;
  const { path } = location;
  // A file whose reading needs approval is not drawn.
  if (location.secret) {
    throw new UserError(
      "chartFileSecret",
      "{path} looks like a file with keys or passwords, and is not drawn. Name another file.",
      { path },
    );
  }
  const stat = await context.files.stat(location);
  if (stat?.kind !== "file")
    throw new UserError("chartFileMissing", "There is no file {path}. Name one that exists.", {
      path: file,
    });
  if (stat.size > maxBytes) {
    throw new UserError(
      "chartFileTooBig",
      "{path} is too big to draw ({size}). Make a smaller one of it with a command.",
      { path: file, size: formatSize(stat.size) },
    );
  }
  const { bytes } = await currentBytes(location, context);
  const text = bytes && decodeText(bytes)?.text;
  if (text === undefined)
    throw new UserError("chartFileNotText", "{path} cannot be read as text. Name a file of text.", {
      path: file,
    });
  const read = readTable(text, path, args.table ?? 1);
  if (read.rows.length > maxRows) {
    throw new UserError(
      "tooManyRows",
      "{path} has {rows} rows; {most} is the most that is read. Draw a part of them.",
      {
        path: file,
        rows: read.rows.length,
        most: maxRows,
      },
    );
  }
  return { table: read, read: { path, inside: true } };
}
