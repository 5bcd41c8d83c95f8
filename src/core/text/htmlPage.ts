import { escapeHtml } from "./escapeHtml.js";

/** A color for a light background, and its counterpart for a dark one. */
export type Shades = readonly [light: string, dark: string];

/** The colors of every page, by what is drawn with them. */
const inkShades = {
  text: ["#1f1f1f", "#e8e8e8"],
  muted: ["#5c5c5c", "#a8a8a8"],
  grid: ["#e3e3e3", "#3a3a3a"],
  page: ["#ffffff", "#1b1b1b"],
} as const satisfies Record<string, Shades>;

/** The same as CSS variables, which the page defines. */
export const inks = {
  text: "var(--text)",
  muted: "var(--muted)",
  grid: "var(--grid)",
  page: "var(--page)",
} as const satisfies Record<keyof typeof inkShades, string>;

/** Returns the CSS declaration of a color variable, with its light and its dark value. */
export function shadesStyle(name: string, [light, dark]: Shades): string {
  return `--${name}:light-dark(${light},${dark});`;
}

/** Returns the CSS declarations of the colors that every page has. */
export function inkStyles(): string {
  return Object.entries(inkShades)
    .map(([name, shades]) => shadesStyle(name, shades))
    .join("");
}

/** The fonts of pages, and of drawings in them. */
export const pageFont = `system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif`;

/**
 * Returns a self-contained HTML page: it has no script, loads nothing, and follows the reader's light or dark theme, also
 * in a webview of VS Code.
 *
 * @param page `style` and `body` are inserted as they are: texts in them must have been escaped
 */
export function htmlPage({
  title,
  language,
  style,
  body,
}: {
  readonly title: string;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly style: string;
  readonly body: string;
}): string {
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${frameStyle}
${style}
</style>
</head>
<body>
${body}
</body>
</html>
`;
  return html.replace(notOfPages, "\uFFFD");
}

/** Characters that HTML does not allow, whichever text they come from. */
const notOfPages = /[\0-\x08\v\f\r\x0E-\x1F\x7F-\x9F]|\p{Noncharacter_Code_Point}|\p{Surrogate}/gu;

const frameStyle = `:root{color-scheme:light dark}
body.vscode-dark,body.vscode-high-contrast{color-scheme:dark}
body.vscode-light,body.vscode-high-contrast-light{color-scheme:light}
body{${inkStyles()}margin:0;padding:24px;background:var(--page);color:var(--text);font:15px/1.5 ${pageFont}}
body.vscode-high-contrast{--text:var(--vscode-editor-foreground);--muted:var(--text);--page:var(--vscode-editor-background);--grid:#7a7a7a}
h1{font-size:22px;line-height:1.25;margin:0 0 6px;overflow-wrap:anywhere}
summary{cursor:pointer;width:fit-content;color:var(--muted)}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:4px 16px 4px 0;text-align:left;border-bottom:1px solid var(--grid);vertical-align:top;overflow-wrap:anywhere}
.n{text-align:right}
@media print{body{color-scheme:light;padding:0}}`;
