// Carries out a window's commands for a test that sees only its page: a person would use the command palette, which loses
// the race for the focus now and then.
const { randomBytes } = require("node:crypto");
const { mkdirSync, renameSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { join } = require("node:path");
const vscode = require("vscode");

/**
 * Listens on 127.0.0.1 for `POST { token, command, args }`, and runs the command; `{ file }` among the arguments is a file's
 * absolute path, of which it makes a Uri. The answer's head comes when the command has
 * begun, and its body, `{ result }` or `{ error }`, when it has ended: some last as long as the work that they start. Where
 * it listens, and for which folder, stands in a file of its process's id.
 *
 * @param {string} directory For that file.
 */
function openBridge(directory) {
  const token = randomBytes(16).toString("hex");
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const answer = carriedOut(JSON.parse(text), token);
    response.flushHeaders();
    response.end(JSON.stringify(await answer));
  });
  server.listen(0, "127.0.0.1", () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const { port } = server.address();
    const file = join(directory, `${process.pid}.json`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify({ port, token, folder, pid: process.pid }));
    renameSync(`${file}.new`, file);
  });
  return { dispose: () => server.close() };
}

exports.activate = (context) => {
  context.subscriptions.push(
    openBridge(process.env.ROOROO_TEST_BRIDGE),
    vscode.commands.registerCommand("rooroo-test.fileInFront", fileInFront),
  );
};

/** Returns the path of the file in the active tab as extensions see it, which is a moment after the window shows it. */
function fileInFront() {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return tab instanceof vscode.TabInputText ? tab.uri.fsPath : null;
}

/** @param {{ token: string, command: string, args: unknown[] }} asked @param {string} token */
async function carriedOut(asked, token) {
  if (asked.token !== token) return { error: "The token is wrong." };
  try {
    const args = asked.args.map((one) => (one?.file ? vscode.Uri.file(one.file) : one));
    const result = await vscode.commands.executeCommand(asked.command, ...args);
    return { result: isPlain(result) ? result : null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a result can be told as JSON. @param {unknown} result */
function isPlain(result) {
  return result === null || ["string", "number", "boolean"].includes(typeof result);
}
