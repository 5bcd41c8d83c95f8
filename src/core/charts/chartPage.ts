import { escapeHtml } from "../text/escapeHtml.js";
import { htmlPage, pageFont } from "../text/htmlPage.js";
import { colorStyles } from "./chartColors.js";

export interface ChartPage {
  readonly title: string;
  readonly description: string;
  /** The BCP 47 tag of the texts' language. */
  readonly language: string;
  /** The drawing as `plainSvg` returns it; it is not escaped. */
  readonly svg: string;
  readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
  /** The file that the data came from, such as `data/sales.csv`. */
  readonly source: string | undefined;
}

/** Further rows are left out of the page's table, so that it does not outgrow the chart. */
const mostRows = 1000;

/**
 * Returns the {@link htmlPage} of a chart. All text is escaped; only the drawing is inserted as it is.
 */
export function chartPage(page: ChartPage): string {
  const { title, description, language, svg, columns, rows, source } = page;
  const cell = (tag: string, text: string, at: number) =>
    `<${tag}${columns[at]?.isNumber ? ' class="n"' : ""}>${escapeHtml(text)}</${tag.split(" ", 1)[0] ?? ""}>`;
  const head = columns.map((column, at) => cell('th scope="col"', column.title, at)).join("");
  const listed = rows
    .slice(0, mostRows)
    .map((row) => `<tr>${row.map((text, at) => cell("td", text, at)).join("")}</tr>`);
  const left = rows.length - listed.length;
  const body = `<main>
<h1 id="title">${escapeHtml(title)}</h1>
<p id="description">${escapeHtml(description)}</p>
<figure>
${svg.replace(/^<svg/, '<svg role="img" aria-labelledby="title" aria-describedby="description"')}
</figure>
<details>
<summary lang="en">Data (${rows.length === 1 ? "1 row" : `${rows.length} rows`})</summary>
<div class="scroll" tabindex="0" role="region" aria-labelledby="title">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${listed.join("\n")}
</tbody>
</table>
</div>${left > 0 ? `\n<p lang="en">${left} more rows are drawn, and not listed.</p>` : ""}
</details>${source === undefined ? "" : `\n<footer><span lang="en">Source:</span> ${escapeHtml(source)}</footer>`}
</main>`;
  return htmlPage({ title, language, style, body });
}

const style = `body{${colorStyles()}}
main{max-width:820px;margin:0 auto}
p{margin:0;color:var(--muted);white-space:pre-line;overflow-wrap:anywhere}
figure{margin:20px 0}
svg{display:block;max-width:100%;height:auto;overflow:visible;font-family:${pageFont};font-variant-numeric:tabular-nums}
.scroll{max-height:60vh;overflow:auto;margin:8px 0}
th{position:sticky;top:0;background:var(--page)}
footer{margin-top:16px;font-size:13px;color:var(--muted);overflow-wrap:anywhere}
@media print{.scroll{max-height:none}figure{break-inside:avoid}}`;
