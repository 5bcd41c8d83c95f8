import * as vscode from "vscode";
import type { Attachment, ShownAttachment } from "../../core/conversation/input/attachment.js";
import { UserError } from "../../core/errors.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { judged, workspacePath } from "./attachedPlaces.js";
import type { CodePlace } from "./offeredActions.js";

/** The most characters of a selection that are attached. */
const maxSelection = 20_000;

/**
 * Returns what a menu's arguments name: files, folders, changes, or what is selected in the editor.
 *
 * @throws {UserError} if there is nothing that could be attached
 */
export async function namedAttachments(
  argument: unknown,
  more: unknown,
  { folder, files }: WorkspaceSession,
): Promise<ShownAttachment[]> {
  if (isGroup(argument)) return [{ attachment: { kind: "gitChanges" } }];
  const several: unknown[] = Array.isArray(more) ? more : [argument];
  const uris = several.map(uriOf).filter((uri) => uri !== undefined);
  const [only] = uris;
  const chosenText = selection(folder);
  const isActive = only?.toString() === vscode.window.activeTextEditor?.document.uri.toString();
  if (uris.length === 0 || (uris.length === 1 && isActive)) {
    if (chosenText !== undefined) return judged([chosenText], files);
  }
  const open = vscode.window.activeTextEditor?.document.uri;
  const chosen = uris.length > 0 ? uris : open === undefined ? [] : [open];
  const attachments = chosen.flatMap((uri): Attachment[] => {
    const path = workspacePath(folder, uri);
    return path === undefined ? [] : [{ kind: "file", path }];
  });
  if (attachments.length > 0) return judged(attachments, files);
  throw new UserError("nothingToAdd", "Open a file of the workspace, or select something in it.");
}

/** Returns what is selected in the editor in front; `undefined` if nothing is, or it is no file of the workspace. */
function selection(folder: vscode.Uri): Attachment | undefined {
  const editor = vscode.window.activeTextEditor;
  const path = editor && workspacePath(folder, editor.document.uri);
  if (editor === undefined || path === undefined || editor.selection.isEmpty) return undefined;
  return selected(editor.document, editor.selection, path);
}

function selected(document: vscode.TextDocument, range: vscode.Range, path: string): Attachment {
  const { start, end } = range;
  // A selection of whole lines ends at the beginning of the line after them.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const text = document.getText(range).slice(0, maxSelection);
  return { kind: "selection", path, from: start.line + 1, to: last, text };
}

/**
 * Returns what "this" is: the problem of a code action with its lines, the selection, or else the file.
 *
 * @throws {UserError} if there is nothing that could be attached
 */
export async function codeAttachments(
  argument: unknown,
  { folder }: WorkspaceSession,
): Promise<Attachment[]> {
  const place = codePlace(argument);
  const editor = vscode.window.activeTextEditor;
  const uri = place?.uri ?? editor?.document.uri;
  const path = uri && workspacePath(folder, uri);
  if (uri === undefined || path === undefined) {
    throw new UserError("nothingToAdd", "Open a file of the workspace, or select something in it.");
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const range = place?.range ?? editor?.selection;
  const lines = vscode.languages
    .getDiagnostics(uri)
    .filter((one) => range === undefined || one.range.intersection(range) !== undefined)
    .map((one) => one.range.start.line + 1);
  const problems = [...new Set(lines)]
    .slice(0, 5)
    .map((line): Attachment => ({ kind: "problems", path, line }));
  if (range !== undefined && !range.isEmpty && place === undefined) {
    return [selected(document, range, path), ...problems];
  }
  const line = range?.start.line ?? 0;
  const around: Attachment =
    problems.length === 0
      ? { kind: "file", path }
      : { kind: "file", path, from: Math.max(1, line - 9), to: line + 21 };
  return [around, ...problems];
}

function codePlace(argument: unknown): CodePlace | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { uri, range } = argument as Partial<CodePlace>;
  const isPlace = uri instanceof vscode.Uri && range instanceof vscode.Range;
  return isPlace ? { uri, range } : undefined;
}

function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (typeof argument !== "object" || argument === null) return undefined;
  const { resourceUri } = argument as { resourceUri?: unknown };
  return resourceUri instanceof vscode.Uri ? resourceUri : undefined;
}

function isGroup(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "resourceStates" in argument;
}
