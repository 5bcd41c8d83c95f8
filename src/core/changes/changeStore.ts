import { toJsonLine } from "../documents/jsonLines.js";
import { UserError } from "../errors.js";
import type { Clock, FileSystem } from "../ports.js";
import { sameBytes } from "../sameBytes.js";
import {
  applyChange,
  type ChangedFile,
  type ChangeLine,
  type FileState,
  parseChangeLog,
} from "./changeLog.js";

/** Bigger files are not kept, so their changes cannot be undone. */
export const maxKept = 50_000_000;

/** A line before it has its time. */
export type Entry = ChangeLine extends infer Line
  ? Line extends ChangeLine
    ? Omit<Line, "schema" | "at">
    : never
  : never;

/**
 * A task's changes in its folder `changes`: the log, appended to only, and beside it what files were,
 * each in a file of its own. Whatever is told to the log is on disk when the promise resolves, and
 * contents are there before the lines that name them.
 */
export class ChangeStore {
  readonly folder: string;
  #changed: Map<string, ChangedFile> | undefined;
  /** What {@link read} found: how many lines it could use, and the numbers of the others. */
  #found: { readonly lines: number; readonly unreadable: readonly number[] } | undefined;
  #next = 0;
  /** Git has been told to leave the folder alone. */
  #isIgnored = false;

  /** @param taskFolder as in `.rooroo/tasks/ID` */
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    taskFolder: string,
  ) {
    this.folder = `${taskFolder}/changes`;
  }

  /**
   * By path, in the order in which the files were first changed. Throws a {@link UserError} when the
   * log is no regular file, or a newer version wrote it.
   */
  async read(): Promise<ReadonlyMap<string, ChangedFile>> {
    if (this.#changed !== undefined) return this.#changed;
    const bytes = await this.#own(this.#log);
    if (bytes === undefined && (await this.files.stat(this.#log)) !== undefined) {
      throw new UserError(
        `${this.#log} is not a file that can be read, so nobody can tell what this task has changed. Move it away, or put its backup there.`,
      );
    }
    const changed = new Map<string, ChangedFile>();
    const { lines, unreadable } = parseChangeLog(new TextDecoder().decode(bytes), this.#log);
    for (const one of lines) applyChange(changed, one);
    this.#found = { lines: lines.length, unreadable };
    return (this.#changed = changed);
  }

  /**
   * Says in words for people what is wrong with the log, of which {@link read} gives what is left;
   * `undefined` when nothing is. Throws as {@link read} does.
   */
  async damage(): Promise<string | undefined> {
    await this.read();
    const { lines: count, unreadable } = this.#found ?? { lines: 0, unreadable: [] };
    const known = "What the readable lines tell of can be undone; other files stay as they are.";
    const [first] = unreadable;
    if (first !== undefined) {
      const shown = unreadable.slice(0, 20).join(", ");
      const more = unreadable.length > 20 ? ` and ${unreadable.length - 20} more` : "";
      const lines = unreadable.length === 1 ? `Line ${first}` : `Lines ${shown}${more}`;
      return `${lines} of ${this.#log} cannot be read: the log is damaged. ${known}`;
    }
    if (count > 0) return undefined;
    const names = (await this.files.readDirectory(this.folder)).map(({ name }) => name);
    if (!names.some((name) => /^[1-9]\d*$/.test(name))) return undefined;
    return `${this.#log} is missing or empty, but what files were is kept beside it: nobody can tell which. Put the log's backup there to undo the changes.`;
  }

  async append(...entries: readonly Entry[]): Promise<void> {
    const changed = new Map(await this.read());
    const at = this.clock.now().toISOString();
    const lines = entries.map((entry): ChangeLine => ({ schema: 1, at, ...entry }));
    // What was changed in the project may be secret, and is kept there: a copy is not to be shared.
    if (!this.#isIgnored) await this.files.createFile(`${this.folder}/.gitignore`, "*\n");
    this.#isIgnored = true;
    await this.files.appendLines(this.#log, lines.map(toJsonLine), {
      durable: true,
    });
    for (const one of lines) applyChange(changed, one);
    this.#changed = changed;
  }

  /** @param bytes `undefined`: there is no such file */
  async keep(bytes: Uint8Array | undefined, mode?: number): Promise<FileState> {
    if (bytes === undefined) return { kind: "absent" };
    if (bytes.length > maxKept) return { kind: "unkept" };
    if (this.#next === 0) {
      const names = (await this.files.readDirectory(this.folder)).map(({ name }) => Number(name));
      this.#next = Math.max(0, ...names.filter(Number.isInteger)) + 1;
    }
    while (!(await this.files.createFile(`${this.folder}/${this.#next}`, bytes))) this.#next++;
    const content = String(this.#next++);
    return { kind: "kept", content, ...(mode === undefined ? {} : { mode }) };
  }

  /**
   * The content of a state; `undefined` when it was absent. Throws a {@link UserError} when it was
   * not kept, or is not there any more.
   */
  async content(state: FileState): Promise<Uint8Array | undefined> {
    if (state.kind === "absent") return undefined;
    const bytes =
      state.kind === "kept" ? await this.#own(`${this.folder}/${state.content}`) : undefined;
    if (bytes === undefined) throw new UserError("What the file was is not known any more.");
    return bytes;
  }

  /** Whether these are a state's bytes; `undefined` where the state was not kept. */
  async isIn(state: FileState, bytes: Uint8Array | undefined): Promise<boolean | undefined> {
    if (state.kind === "absent") return bytes === undefined;
    if (state.kind !== "kept") return undefined;
    const kept = await this.#own(`${this.folder}/${state.content}`);
    return kept !== undefined && bytes !== undefined && sameBytes(kept, bytes);
  }

  /** Forgets a content that no line is read for any more. */
  async drop(state: FileState): Promise<void> {
    if (state.kind === "kept") await this.files.removeFile(`${this.folder}/${state.content}`);
  }

  get #log(): string {
    return `${this.folder}/log.jsonl`;
  }

  /** A link that somebody put in the place of a file of ours leads to what is not for us to show. */
  async #own(path: string): Promise<Uint8Array | undefined> {
    if ((await this.files.locate(path)).path !== path) {
      throw new UserError(`${path} leads somewhere else, so it is not read. Remove it.`);
    }
    const stat = await this.files.stat(path);
    if (stat?.kind !== "file" || stat.size > maxKept) return undefined;
    return this.files.readFile(path);
  }
}
