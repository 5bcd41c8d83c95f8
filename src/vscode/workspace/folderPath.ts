import type * as vscode from "vscode";

/** Returns a file's path in the folder; `undefined` for anything that is not a file of the folder. */
export function folderPath(folder: vscode.Uri, uri: vscode.Uri): string | undefined {
  const root = `${folder.path.replace(/\/$/, "")}/`;
  const isInside = uri.scheme === folder.scheme && uri.path.startsWith(root);
  return isInside ? uri.path.slice(root.length) : undefined;
}
