import { escapeHtml } from "../core/text/escapeHtml.js";

/** What the page lies on: its background is that one's. */
export type PanelSurface = "sideBar" | "editor";

export interface PanelPage {
  /** The page's scripts, in the order in which they run: the messages of its language, if it has any, come first. */
  readonly scriptUris: readonly string[];
  readonly styleUris: readonly string[];
  /** The stylesheet of the Codicons; their font is in the same folder. */
  readonly codiconUri: string;
  /** The webview's `cspSource`. */
  readonly cspSource: string;
  /** The nonce of the script, new for each page. */
  readonly nonce: string;
  /** A language tag, as in `vscode.env.language`. */
  readonly lang: string;
  readonly surface: PanelSurface;
}

/**
 * Returns the HTML page around the panel's script. Its policy lets scripts of this extension run and
 * nothing be fetched from elsewhere: no inline style or script, no remote image, font or connection.
 */
export function panelHtml(page: PanelPage): string {
  const source = page.cspSource;
  const policy = [
    "default-src 'none'",
    // The source allows the parts that the script imports when it first needs them.
    `script-src 'nonce-${page.nonce}' ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const styles = page.styleUris.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`);
  const scripts = page.scriptUris.map(
    (uri) =>
      `<script type="module" nonce="${escapeHtml(page.nonce)}" src="${escapeHtml(uri)}"></script>`,
  );
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.lang)}" data-surface="${page.surface}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>Rooroo Navigator</title>
<link rel="stylesheet" href="${escapeHtml(page.codiconUri)}" id="vscode-codicon-stylesheet">
${styles.join("\n")}
${scripts.join("\n")}
</head>
<body></body>
</html>
`;
}
