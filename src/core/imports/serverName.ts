/** What the name of an MCP server may be, as a part of the names of its tools. */
const nameOfServer = /^[\w.@-]{1,40}$/;

/**
 * Returns the name by which an MCP server of any list is known here: a hyphen stands for each run of characters that names of
 * tools cannot have. `""` if it has no letter or digit.
 */
export function serverName(given: string): string {
  if (nameOfServer.test(given)) return given;
  const name = given
    .normalize("NFKC")
    .replace(/[^\w.@-]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return /\w/.test(name) ? name : "";
}
