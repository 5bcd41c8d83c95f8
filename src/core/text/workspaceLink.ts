/**
 * Returns a Markdown link to a path of the workspace. `#` begins a fragment in a link, so it is percent-encoded
 * there, as are spaces and brackets (R-ROO-24).
 */
export function workspaceLink(path: string): string {
  const target = path.replace(/[\s#%()<>]/g, (character) => encodeURIComponent(character));
  const plain = target.replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${path.replace(/[[\]]/g, "\\$&")}](/${plain})`;
}
