import type * as vscode from "vscode";
import { messageOf } from "../../core/errors.js";
import type { FileSystem } from "../../core/ports.js";

const file = "working";

/**
 * Marks, across crashes, that this editor has work under way in a workspace. The mark lies in the
 * storage that VS Code gives the extension for the workspace, out of the workspace's own reach: a
 * folder that came from elsewhere could claim anything. It is written directly to disk because what
 * goes through the window is late or lost when the window goes: `workspaceState` by seconds,
 * `workspace.fs` now and then.
 */
export class WorkMark {
  private last: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    private readonly storage: FileSystem | undefined,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async isSet(): Promise<boolean> {
    await this.last;
    try {
      return (await this.storage?.stat(file)) !== undefined;
    } catch (error) {
      this.log.warn(`It cannot be seen whether work was cut off: ${messageOf(error)}`);
      return false;
    }
  }

  /**
   * Sets or removes the mark, in the order of the calls. Never throws: without the mark, work is
   * offered after a crash instead of resumed.
   */
  set(working: boolean): void {
    this.last = this.last.then(async () => {
      try {
        if (working) await this.storage?.createFile(file, "");
        else await this.storage?.removeFile(file);
      } catch (error) {
        this.log.warn(`It cannot be noted that work is under way: ${messageOf(error)}`);
      }
    });
  }
}
