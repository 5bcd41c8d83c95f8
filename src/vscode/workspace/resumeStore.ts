import type * as vscode from "vscode";
import * as z from "zod/mini";
import { messageOf } from "../../core/errors.js";
import type { LongWork } from "../../core/ids.js";
import type { FileSystem } from "../../core/ports/files.js";

/** Work that the next window resumes by itself. */
export interface Resumable {
  /** Unique among the work of its kind. */
  readonly name: string;
}

/** Work of which nothing but its name has to be known to resume it. */
export const namedWork = z.object({ name: z.string() });

/** The name of each kind of work in the file. */
const names = { task: "tasks", job: "jobs", run: "runs" } as const satisfies Readonly<
  Record<"task" | LongWork["kind"], string>
>;

type Kind = keyof typeof names;

/** The work of one kind that is under way. */
export interface ResumeRecord<T extends Resumable> {
  /** Returns the recorded work; an empty list if nothing is recorded or the record cannot be read. */
  read(): Promise<readonly T[]>;
  /**
   * Records how work is done, or, for `undefined`, removes the work; in the order of the calls. Never
   * rejects: an error is logged, and the work is then not resumed.
   */
  set(name: string, work: T | undefined): Promise<void>;
}

const file = "under-way.json";

const works = z.array(z.unknown());

/** The work of each kind, as the file has it. */
const stored = z.partialRecord(z.enum(Object.values(names)), works);

type Stored = z.infer<typeof stored>;

/**
 * Stores, across crashes, which work this editor does in a workspace, and how. The file lies in the
 * storage that VS Code gives the extension for the workspace, out of the workspace's own reach: a folder
 * that came from elsewhere could claim anything. It is written directly to disk because what goes through
 * the window is late or lost when the window goes: `workspaceState` by seconds, `workspace.fs` now and
 * then.
 */
export class ResumeStore {
  private last: Promise<unknown> = Promise.resolve();

  /** @param storage the extension's storage folder for this workspace; it need not exist yet */
  constructor(
    private readonly storage: FileSystem | undefined,
    private readonly log: Pick<vscode.LogOutputChannel, "warn">,
  ) {}

  /** @param schema what is known of each work of this kind */
  record<T extends Resumable>(of: Kind, schema: z.ZodMiniType<T>): ResumeRecord<T> {
    const kind = names[of];
    const own = async (): Promise<{ all: Stored; own: readonly T[] }> => {
      const all = await this.load();
      try {
        return { all, own: z.array(schema).parse(all[kind] ?? []) };
      } catch (error) {
        this.warnUnreadable(error);
        return { all, own: [] };
      }
    };
    return {
      read: () => this.inTurn(async () => (await own()).own),
      set: (name, work) =>
        this.inTurn(async () => {
          const now = await own();
          const others = now.own.filter((one) => one.name !== name);
          try {
            await this.save({
              ...now.all,
              [kind]: work === undefined ? others : [...others, work],
            });
          } catch (error) {
            this.log.warn(`Cannot record that ${name} is under way: ${messageOf(error)}`);
          }
        }),
    };
  }

  /** Runs `access` when all calls before it have ended. It must not reject. */
  private inTurn<T>(access: () => Promise<T>): Promise<T> {
    const next = this.last.then(access);
    this.last = next;
    return next;
  }

  private async load(): Promise<Stored> {
    return (await this.parsed(file, stored)) ?? {};
  }

  private async save(all: Stored): Promise<void> {
    const isEmpty = Object.values(names).every((kind) => (all[kind] ?? []).length === 0);
    if (isEmpty) await this.storage?.removeFile(file);
    else await this.storage?.replaceFile(file, JSON.stringify(all));
  }

  /** Returns what a file has; `undefined` if there is none, or if it cannot be read. */
  private async parsed<T>(path: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
    try {
      const bytes = await this.storage?.readFile(path);
      if (bytes === undefined) return undefined;
      return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.warnUnreadable(error);
      return undefined;
    }
  }

  private warnUnreadable(error: unknown): void {
    this.log.warn(`Cannot read what was under way: ${messageOf(error)}`);
  }
}
