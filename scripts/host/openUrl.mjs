import { pathToFileURL } from "node:url";

/**
 * The address that opens a window of the browser-based VS Code.
 *
 * @param {{ url: string, token: string }} server
 * @param {object} what
 * @param {string} [what.folder] A folder or a `.code-workspace` file; none: an empty window.
 * @param {string} [what.extensionDevelopmentPath]
 * @param {string} [what.extensionTestsPath]
 * @returns {string}
 */
export function openUrl(server, { folder, extensionDevelopmentPath, extensionTestsPath }) {
  const { host } = new URL(server.url);
  const remote = (/** @type {string} */ path) =>
    `vscode-remote://${host}${pathToFileURL(path).pathname}`;
  /** @type {[string, string][]} */
  const payload = [["skipWelcome", "true"]];
  if (extensionDevelopmentPath !== undefined) {
    payload.push(["extensionDevelopmentPath", remote(extensionDevelopmentPath)]);
  }
  if (extensionTestsPath !== undefined) {
    payload.push(["extensionTestsPath", remote(extensionTestsPath)]);
  }
  const query = new URLSearchParams({ tkn: server.token });
  if (folder === undefined) query.set("ew", "true");
  else query.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
  query.set("payload", JSON.stringify(payload));
  return `${server.url}/?${query}`;
}
