import * as vscode from "vscode";
import { messageOf } from "../core/errors.js";

/**
 * Says, across crashes, that this editor has work under way in a workspace. It lies in the storage
 * that VS Code gives us for the workspace, out of the workspace's own reach: a folder that came from
 * elsewhere could claim anything. It is a file because a browser keeps `workspaceState` only seconds
 * later.
 */
export class WorkMark {
  private readonly file: vscode.Uri | undefined;
  private last: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    storage: vscode.Uri | undefined,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.file = storage && vscode.Uri.joinPath(storage, "working");
  }

  async isSet(): Promise<boolean> {
    if (this.file === undefined) return false;
    await this.last;
    try {
      await vscode.workspace.fs.stat(this.file);
      return true;
    } catch {
      return false;
    }
  }

  /** In the order of the calls; without it work is offered after a crash instead of gone on with. */
  set(working: boolean): void {
    const { file } = this;
    if (file === undefined) return;
    this.last = this.last.then(async () => {
      try {
        if (working) await vscode.workspace.fs.writeFile(file, new Uint8Array());
        else await vscode.workspace.fs.delete(file);
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return;
        this.log.warn(`It cannot be noted that work is under way: ${messageOf(error)}`);
      }
    });
  }
}
