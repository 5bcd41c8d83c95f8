import type * as vscode from "vscode";
import * as z from "zod";
import { messageOf } from "../../core/errors.js";
import type { FileSystem } from "../../core/ports.js";

/** Work that the next window resumes by itself. */
export interface Resumable {
  /** Unique in the list. */
  readonly name: string;
}

/** Work of which nothing but its name has to be known to resume it. */
export const namedWork = z.object({ name: z.string() });

/**
 * Stores, across crashes, which work this editor does in a workspace, and how. The file lies in the
 * storage that VS Code gives the extension for the workspace, out of the workspace's own reach: a folder
 * that came from elsewhere could claim anything. It is written directly to disk because what goes through
 * the window is late or lost when the window goes: `workspaceState` by seconds, `workspace.fs` now and
 * then.
 */
export class ResumeStore<T extends Resumable> {
  private last: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    private readonly storage: FileSystem | undefined,
    private readonly log: Pick<vscode.LogOutputChannel, "warn">,
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
        this.log.warn(`Cannot record that ${name} is under way: ${messageOf(error)}`);
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
      this.log.warn(`Cannot read what was under way: ${messageOf(error)}`);
      return [];
    }
  }
}
