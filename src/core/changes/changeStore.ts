import { removeLeftovers } from "../access/leftovers.js";
import { toJsonLine } from "../documents/jsonLines.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Clock, Signer } from "../ports/system.js";
import { isSigned, signJson } from "../provenance/signedJson.js";
import { folderOf } from "../text/pathParts.js";
import { sameBytes } from "../text/textFile.js";
import {
  applyChange,
  type ChangedFile,
  type ChangeLine,
  type FileState,
  parseChangeLog,
  type ReadChangeLog,
  stepsIn,
  undoneSince,
} from "./changeLog.js";

/** Bytes. Bigger files are not kept, so their changes cannot be undone. */
export const maxKept = 50_000_000;

type KeptState = Extract<FileState, { kind: "kept" }>;

/** A line without its schema and time. */
export type Entry = ChangeLine extends infer Line
  ? Line extends ChangeLine
    ? Omit<Line, "schema" | "at">
    : never
  : never;

/**
 * A task's changes in its folder `changes`: an append-only log and, beside it, the earlier contents of files,
 * each in a file of its own. An appended line is on disk when the promise resolves, and contents are on disk
 * before the lines that name them.
 */
export class ChangeStore {
  readonly folder: string;
  #changed: Map<string, ChangedFile> | undefined;
  /** The number of lines that {@link read} could use, and the line numbers of the others. */
  #found: Omit<ReadChangeLog, "lines"> & { readonly lines: number } = {
    lines: 0,
    unreadable: [],
    foreign: [],
    torn: 0,
  };
  #next = 0;
  /** Whether git has been told to ignore the folder. */
  #isIgnored = false;

  /** @param taskFolder as in `.rooroo/tasks/ID` */
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly signer: Signer,
    taskFolder: string,
  ) {
    this.folder = `${taskFolder}/changes`;
  }

  /**
   * Returns the changed files by path, in the order of their first changes.
   *
   * @throws {@link UserError} if the log is no regular file, or a newer version wrote it
   */
  async read(): Promise<ReadonlyMap<string, ChangedFile>> {
    if (this.#changed !== undefined) return this.#changed;
    const changed = new Map<string, ChangedFile>();
    const { lines, ...others } = await this.#lines();
    for (const one of lines) applyChange(changed, one);
    this.#found = { ...others, lines: lines.length };
    return (this.#changed = changed);
  }

  /**
   * Removes what writes of the changed files have left that were cut off: each is in the log before it begins.
   *
   * @param files those that the task changes
   */
  async removeLeftovers(files: FileSystem): Promise<void> {
    // A damaged log is reported by whoever reads the changes.
    const changed = await this.read().catch((error: unknown) => {
      if (error instanceof UserError) return undefined;
      throw error;
    });
    if (changed !== undefined)
      await removeLeftovers(new Set([...changed.keys()].map(folderOf)), files);
  }

  /**
   * Does the same as {@link stepsIn} with the log as it is now.
   *
   * @throws what {@link read} throws
   */
  async steps(): Promise<ReturnType<typeof stepsIn>> {
    return stepsIn((await this.#lines()).lines);
  }

  /**
   * Does the same as {@link undoneSince} with the log as it is now.
   *
   * @throws what {@link read} throws
   */
  async undoneSince(since: string): Promise<ChangedFile[]> {
    return undoneSince((await this.#lines()).lines, since);
  }

  async #lines(): Promise<ReadChangeLog> {
    const bytes = await this.#own(this.#log);
    if (bytes === undefined && (await this.files.stat(this.#log)) !== undefined) {
      throw new UserError(
        "changeLogUnreadable",
        "{log} is not a file that can be read, so it is not known what this task has changed. Move it away, or put its backup there.",
        { log: this.#log },
      );
    }
    return parseChangeLog(new TextDecoder().decode(bytes), this.#log, (line) =>
      isSigned(line, this.#log, this.signer),
    );
  }

  /**
   * Returns what is wrong with the log, in words for people; `undefined` if nothing is. {@link read} returns
   * what is left.
   *
   * @throws what {@link read} throws
   */
  async damage(): Promise<string | undefined> {
    await this.read();
    const { lines: count, unreadable, foreign, torn } = this.#found;
    const known = "What the readable lines tell of can be undone; other files stay as they are.";
    const [first] = unreadable;
    if (first !== undefined) {
      return `${linesNamed(unreadable)} of ${this.#log} cannot be read: the log is damaged. ${known}`;
    }
    if (foreign.length > 0) {
      return `${linesNamed(foreign)} of ${this.#log}: not written by this installation, or changed since, so nothing is undone by what they say. ${known} If they are yours, adopt the task first (\`rooroo adopt\`).`;
    }
    if (count + torn > 0) return undefined;
    const names = (await this.files.readDirectory(this.folder)).map(({ name }) => name);
    if (!names.some((name) => /^[1-9]\d*$/.test(name))) return undefined;
    return `${this.#log} is missing or empty, but what files were is kept beside it: nobody can tell which. Put the log's backup there to undo the changes.`;
  }

  async append(...entries: readonly Entry[]): Promise<void> {
    const changed = new Map(await this.read());
    const at = this.clock.now().toISOString();
    const lines = entries.map((entry): ChangeLine => ({ schema: 1, at, ...entry }));
    // The folder holds copies of project files, which may be secret and must not be shared.
    if (!this.#isIgnored) await this.files.createFile(`${this.folder}/.gitignore`, "*\n");
    this.#isIgnored = true;
    const signed = lines.map((line) => signJson(toJsonLine(line), this.#log, this.signer));
    await this.files.appendLines(this.#log, signed, { durable: true });
    for (const one of lines) applyChange(changed, one);
    this.#changed = changed;
  }

  /**
   * Keeps a file's content and returns its state.
   *
   * @param bytes the content; `undefined`: there is no such file
   * @param mode the file's permission bits
   */
  async keep(bytes: Uint8Array | undefined, mode?: number): Promise<FileState> {
    if (bytes === undefined) return { kind: "absent" };
    if (bytes.length > maxKept) return { kind: "unkept", why: "tooBig" };
    if (this.#next === 0) {
      const names = (await this.files.readDirectory(this.folder)).map(({ name }) => Number(name));
      this.#next = Math.max(0, ...names.filter(Number.isInteger)) + 1;
    }
    while (!(await this.files.createFile(`${this.folder}/${this.#next}`, bytes))) this.#next++;
    const content = String(this.#next++);
    const signature = this.signer.sign(`${this.folder}/${content}`, bytes);
    return { kind: "kept", content, signature, ...(mode === undefined ? {} : { mode }) };
  }

  /**
   * Returns the content of a state; `undefined` if the file was absent.
   *
   * @throws {@link UserError} if the content was not kept, or is not there any more
   */
  async content(state: FileState): Promise<Uint8Array | undefined> {
    if (state.kind === "absent") return undefined;
    const bytes = state.kind === "kept" ? await this.#kept(state) : undefined;
    if (bytes === undefined)
      throw new UserError(
        "contentLost",
        "The earlier content of the file was not kept, so it cannot be shown or restored.",
      );
    return bytes;
  }

  /** Returns whether a state has this content; `undefined` if the state's content was not kept. */
  async isIn(state: FileState, bytes: Uint8Array | undefined): Promise<boolean | undefined> {
    if (state.kind === "absent") return bytes === undefined;
    if (state.kind !== "kept") return undefined;
    const kept = await this.#kept(state);
    return kept !== undefined && bytes !== undefined && sameBytes(kept, bytes);
  }

  /** Deletes a content that is not needed any more, although old lines of the log still name it. */
  async drop(state: FileState): Promise<void> {
    if (state.kind === "kept") await this.files.removeFile(`${this.folder}/${state.content}`);
  }

  /** Reads a kept content; `undefined` when its file is gone or was exchanged. */
  async #kept({ content, signature }: KeptState): Promise<Uint8Array | undefined> {
    const path = `${this.folder}/${content}`;
    const bytes = await this.#own(path);
    if (bytes === undefined || signature === undefined) return bytes;
    return this.signer.sign(path, bytes) === signature ? bytes : undefined;
  }

  get #log(): string {
    return `${this.folder}/log.jsonl`;
  }

  /**
   * Reads a file of the store. A link in its place is refused: it may lead to content that must not be shown.
   *
   * @throws {@link UserError} for a link
   */
  async #own(path: string): Promise<Uint8Array | undefined> {
    if ((await this.files.locate(path)).path !== path) {
      throw new UserError(
        "changeFileLinked",
        "{path} leads somewhere else, so it is not read. Remove it.",
        { path },
      );
    }
    const stat = await this.files.stat(path);
    if (stat?.kind !== "file" || stat.size > maxKept) return undefined;
    return this.files.readFile(path);
  }
}

/** Names lines by their numbers, as in `Lines 3, 7`; at most 20 of them one by one. */
function linesNamed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 20).join(", ");
  const more = numbers.length > 20 ? ` and ${numbers.length - 20} more` : "";
  return numbers.length === 1 ? `Line ${shown}` : `Lines ${shown}${more}`;
}

/**
 * Returns whether a file is a record of the work and not the work, such as experts' notes and what code keeps
 * about tasks. Records are neither reviewed nor undone.
 */
export function isRecord(path: string): boolean {
  return /^\.rooroo\/(?!rules\/)/i.test(path);
}
