import * as vscode from "vscode";
import * as z from "zod";
import { messageOf } from "../core/errors.js";

/** Work that goes on by itself in the next window. */
interface Resumable {
  /** No other work of the list has it. */
  readonly name: string;
}

/**
 * Says, across crashes, which long work this editor does in a workspace, and how. As a `WorkMark`, it
 * lies out of the workspace's own reach, and is a file.
 */
export class ResumeList<T extends Resumable> {
  private readonly file: vscode.Uri | undefined;
  private last: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    storage: vscode.Uri | undefined,
    private readonly log: vscode.LogOutputChannel,
    fileName: string,
    private readonly schema: z.ZodType<T>,
  ) {
    this.file = storage && vscode.Uri.joinPath(storage, fileName);
  }

  /** None where nothing is noted, or nothing that can be read. */
  async read(): Promise<readonly T[]> {
    await this.last;
    return this.load();
  }

  /**
   * Notes how work is done, or, for `undefined`, that it is not any more; in the order of the calls.
   * Never rejects: without it the work is not gone on with.
   */
  set(name: string, work: T | undefined): Promise<void> {
    this.last = this.last.then(async () => {
      const { file } = this;
      if (file === undefined) return;
      const others = (await this.load()).filter((one) => one.name !== name);
      const all = work === undefined ? others : [...others, work];
      try {
        if (all.length === 0) await vscode.workspace.fs.delete(file);
        else
          await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(all)));
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return;
        this.log.warn(`It cannot be noted that ${name} goes on: ${messageOf(error)}`);
      }
    });
    return this.last;
  }

  private async load(): Promise<readonly T[]> {
    if (this.file === undefined) return [];
    try {
      const bytes = await vscode.workspace.fs.readFile(this.file);
      return z.array(this.schema).parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return [];
    }
  }
}
