import { escapeHtml } from "../text/escapeHtml.js";
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
 * Returns a self-contained HTML page for a chart: it has no script, loads nothing, and follows the
 * reader's light or dark theme. All text is escaped; only the drawing is inserted as it is.
 */
export function chartPage(page: ChartPage): string {
  const { title, description, language, svg, columns, rows, source } = page;
  const cell = (tag: string, text: string, at: number) =>
    `<${tag}${columns[at]?.isNumber ? ' class="n"' : ""}>${escapeHtml(text)}</${tag.split(" ", 1)[0] ?? ""}>`;
  const head = columns.map((column, at) => cell('th scope="col"', column.title, at)).join("");
  const body = rows
    .slice(0, mostRows)
    .map((row) => `<tr>${row.map((text, at) => cell("td", text, at)).join("")}</tr>`);
  const left = rows.length - body.length;
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
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
${body.join("\n")}
</tbody>
</table>
</div>${left > 0 ? `\n<p lang="en">${left} more rows are drawn, and not listed.</p>` : ""}
</details>${source === undefined ? "" : `\n<footer><span lang="en">Source:</span> ${escapeHtml(source)}</footer>`}
</main>
</body>
</html>
`;
  return html.replace(notOfPages, "\uFFFD");
}

/** Characters that HTML does not allow, whichever text they come from. */
const notOfPages = /[\0-\x08\v\f\r\x0E-\x1F\x7F-\x9F]|\p{Noncharacter_Code_Point}|\p{Surrogate}/gu;

const style = `:root{color-scheme:light dark}
body.vscode-dark,body.vscode-high-contrast{color-scheme:dark}
body.vscode-light,body.vscode-high-contrast-light{color-scheme:light}
body{${colorStyles()}margin:0;padding:24px;background:var(--page);color:var(--text);font:15px/1.5 system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:820px;margin:0 auto}
h1{font-size:22px;line-height:1.25;margin:0 0 6px;overflow-wrap:anywhere}
p{margin:0;color:var(--muted);white-space:pre-line;overflow-wrap:anywhere}
figure{margin:20px 0}
svg{display:block;max-width:100%;height:auto;overflow:visible;font-family:system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;font-variant-numeric:tabular-nums}
summary{cursor:pointer;width:fit-content;color:var(--muted)}
.scroll{max-height:60vh;overflow:auto;margin:8px 0}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:4px 16px 4px 0;text-align:left;border-bottom:1px solid var(--grid);vertical-align:top;overflow-wrap:anywhere}
th{position:sticky;top:0;background:var(--page)}
.n{text-align:right}
footer{margin-top:16px;font-size:13px;color:var(--muted);overflow-wrap:anywhere}
@media print{body{color-scheme:light;padding:0}.scroll{max-height:none}figure{break-inside:avoid}}`;
