import type * as vscode from "vscode";
import * as z from "zod";
import { messageOf } from "../../core/errors.js";
import type { FileSystem } from "../../core/ports.js";

/** Work that the next window resumes by itself. */
export interface Resumable {
  /** Unique in the list. */
  readonly name: string;
}

/**
 * Stores, across crashes, which long work this editor does in a workspace, and how. Like a `WorkMark`,
 * it is a file out of the workspace's own reach.
 */
export class ResumeStore<T extends Resumable> {
  private last: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    private readonly storage: FileSystem | undefined,
    private readonly log: vscode.LogOutputChannel,
    private readonly file: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  /** Returns the stored work; an empty list if nothing is stored or the file cannot be read. */
  async read(): Promise<readonly T[]> {
    await this.last;
    return this.load();
  }

  /**
   * Stores how work is done, or, for `undefined`, removes the work; in the order of the calls. Never
   * rejects: an error is logged, and the work is then not resumed.
   */
  set(name: string, work: T | undefined): Promise<void> {
    this.last = this.last.then(async () => {
      const others = (await this.load()).filter((one) => one.name !== name);
      const all = work === undefined ? others : [...others, work];
      try {
        if (all.length === 0) await this.storage?.removeFile(this.file);
        else await this.storage?.replaceFile(this.file, JSON.stringify(all));
      } catch (error) {
        this.log.warn(`It cannot be noted that ${name} goes on: ${messageOf(error)}`);
      }
    });
    return this.last;
  }

  private async load(): Promise<readonly T[]> {
    try {
      const bytes = await this.storage?.readFile(this.file);
      if (bytes === undefined) return [];
      return z.array(this.schema).parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.log.warn(`It cannot be seen what was cut off: ${messageOf(error)}`);
      return [];
    }
  }
}
