import * as vscode from "vscode";
import { FileError } from "../../core/errors.js";

/**
 * Reads a file by its URI. Resolves with `undefined` if it is larger than `most` bytes. Rejects as the editor does, and with a
 * {@link FileError} for what is no regular file: the editor would wait for the other end of a pipe.
 */
export async function readUri(uri: vscode.Uri, most: number): Promise<Uint8Array | undefined> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) {
    throw new FileError(
      "ENOTFILE",
      uri.path,
      "{path} is a device or a pipe, not a file. Name a file.",
      {
        path: uri.path,
      },
    );
  }
  return size > most ? undefined : vscode.workspace.fs.readFile(uri);
}
