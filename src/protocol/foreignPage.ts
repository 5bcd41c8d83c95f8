/**
 * Makes an HTML page from elsewhere safe to show in a webview: a content security policy before the page's
 * own content lets nothing of it run or be fetched. Elements that can do what no policy stops (redirect,
 * look up a host name) are disabled.
 */
export function foreignPage(html: string): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
  // Renames the elements: removing text could join the text around it to a new element.
  const tame = html.replace(/^\uFEFF/, "").replace(/<(?=(?:meta|link|base)\b)/gi, "<no-");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${tame}`;
}
