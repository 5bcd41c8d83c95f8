import * as vscode from "vscode";

const template = `{
  "mcpServers": {
  }
}
`;

/**
 * Opens the user's list of MCP servers for editing; where there is none, a new file that is written when the user
 * saves it.
 *
 * @param path the list's absolute path
 */
export async function openMcpServers(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  } catch {
    const document = await vscode.workspace.openTextDocument(uri.with({ scheme: "untitled" }));
    const editor = await vscode.window.showTextDocument(document);
    if (document.getText() !== "") return;
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), template);
    });
  }
}
