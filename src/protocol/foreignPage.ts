/**
 * A page that somebody else wrote, as a webview may show it: with a policy of ours before anything
 * of its own, so that nothing of it runs and nothing is fetched. What no policy stops (a redirection,
 * a name that is looked up beforehand) is taken out of force.
 */
export function foreignPage(html: string): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
  // Another element's name each: what is taken away from a text may put something new together.
  const tame = html.replace(/^\uFEFF/, "").replace(/<(?=(?:meta|link|base)\b)/gi, "<no-");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${tame}`;
}
