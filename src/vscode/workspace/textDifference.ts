import * as vscode from "vscode";

/**
 * Returns the edit that turns a document into this text. Only the part that differs is replaced, so
 * that cursors and markers elsewhere stay where they are.
 */
export function textDifference(document: vscode.TextDocument, text: string) {
  const now = document.getText();
  const shorter = Math.min(now.length, text.length);
  let start = 0;
  while (start < shorter && now[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && now.at(-1 - end) === text.at(-1 - end)) end++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(now.length - end));
  // A document has no position between CR and LF.
  if (
    document.offsetAt(range.start) === start &&
    document.offsetAt(range.end) === now.length - end
  ) {
    return { range, newText: text.slice(start, text.length - end) };
  }
  const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(now.length));
  return { range: all, newText: text };
}
