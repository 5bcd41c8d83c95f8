import { readOwnDocument } from "../../access/namedFile.js";
import type { DocumentProblem } from "../../documents/documentProblem.js";
import { editKeyedTable, type TableEdit } from "../../documents/editKeyedTable.js";
import { saidBy, UserError } from "../../errors.js";
import type { RunId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { joined } from "../../text/joined.js";
import { decodeLossless } from "../../text/losslessText.js";
import { type Said, words } from "../../text/words.js";
import { LockedDocument } from "../../work/lockedDocument.js";
import { activeInstructions, withdrawnInstructions } from "./activeInstructions.js";
import type { RunLayout } from "./runLayout.js";
import type { RunEdit, RunRows, RunState } from "./runState.js";
import {
  type ColumnOf,
  isId,
  isShared,
  readRunTable,
  type RunRow,
  type RunTable,
  runTables,
  type TableName,
} from "./runTables.js";
import { tableProblems } from "./tableProblems.js";

/** The most bytes of a table, or of another text of a run. */
const maxSize = 20_000_000;

/** A table as it is now, with all its problems. */
export interface CheckedTable {
  readonly name: TableName;
  readonly path: string;
  readonly table: RunTable<TableName>;
  readonly problems: readonly DocumentProblem[];
}

/** A run as read from its files. */
export interface RunRead {
  readonly state: RunState;
  /**
   * The problem that blocks the run, with path and line if it is in a table. Absent: the tables are valid.
   */
  readonly problem?: Said;
  /** The place of that problem, and its message without the place. Absent: it is in no table. */
  readonly origin?: { readonly path: string; readonly line: number; readonly message: Said };
  /** The run's own tables, without the shared ones. */
  readonly tables: readonly CheckedTable[];
}

const all = Object.keys(runTables) as TableName[];

/** Changes the files of runs, always starting from their present text, and locked against other processes. */
export class RunStore {
  constructor(
    readonly files: FileSystem,
    private readonly lock: Lock,
    readonly layout: RunLayout,
  ) {}

  /**
   * Reads a run from its files.
   *
   * @param shared the shared tables, for a caller that reads many runs at once
   */
  async read(runId: RunId, shared?: readonly CheckedTable[]): Promise<RunRead> {
    // A value that is no id must not become part of a path: then only the run's row is read.
    const hasId = isId(runId);
    const [given, tables] = await Promise.all([
      shared ?? this.sharedTables(),
      hasId ? this.#checked(false, runId) : [],
    ]);
    const looked = hasId
      ? [...given, ...tables]
      : given.filter(({ name }) => name === "process_runs");
    const own = (row: Readonly<Record<string, string>>) => row["run_id"] === runId;
    const read = looked.map(({ name, path, table, problems }) => {
      const strangers = isShared(name) ? [] : table.rows.filter(({ values }) => !own(values));
      const [first] = [
        ...problems.filter(({ row }) => {
          const found = table.rows.find(({ source }) => source.row === row);
          // Problems of another run's rows do not block this one.
          return found === undefined || own(found.values) || found.values.run_id === "";
        }),
        ...strangers.map(({ source: { row }, values }) => {
          const message = words("The row is of {row}, the table of {run}.", {
            row: values.run_id,
            run: runId,
          });
          return { row, message };
        }),
      ];
      const origin = first && { path, line: first.row + 1, message: first.message };
      return { name, rows: table.rows.map(({ values }) => values).filter(own), origin };
    });
    const origin = read.find((one) => one.origin !== undefined)?.origin;
    const problem = origin && joined(`${origin.path}:${origin.line}: `, origin.message);
    const blocked = { ...(problem && { problem }), ...(origin && { origin }) };
    const rows = Object.fromEntries([
      ...all.map((name) => [name, []]),
      ...read.map((one) => [one.name, one.rows]),
    ]) as unknown as RunRows;
    if (!hasId) {
      const state = { runId, rows, hasProposal: false, isReported: false };
      return { state, tables, problem: words("{runId} is no id of a run.", { runId }), ...blocked };
    }
    const [hasProposal, isReported] = await Promise.all(
      [this.layout.proposal(runId), this.layout.report(runId)].map(
        async (path) => (await this.files.stat(path)) !== undefined,
      ),
    );
    const state = {
      runId,
      rows,
      hasProposal: hasProposal === true,
      isReported: isReported === true,
    };
    return { state, tables, ...blocked };
  }

  sharedTables(): Promise<CheckedTable[]> {
    return this.#checked(true, "");
  }

  #checked(shared: boolean, runId: RunId): Promise<CheckedTable[]> {
    const names = all.filter((name) => isShared(name) === shared);
    return Promise.all(
      names.map(async (name) => {
        const table = await this.table(name, runId);
        const path = this.layout.table(name, runId);
        return { name, path, table, problems: tableProblems(name, table) };
      }),
    );
  }

  /** Returns the user's instructions that a run has to follow, whichever run they were confirmed for. */
  async activeInstructions(runId: RunId): Promise<RunRow<"user_instructions">[]> {
    const instructions = await this.rows("user_instructions");
    return activeInstructions(runId, instructions, await this.rows("process_runs"));
  }

  /** Has the table of instructions say that those of failed and cancelled runs hold no longer. */
  async withdrawInstructions(runId: RunId): Promise<void> {
    const runs = await this.rows("process_runs");
    await this.change("user_instructions", runId, ({ rows }) => {
      const known = rows.map(({ values }) => values);
      return withdrawnInstructions(known, runs);
    });
  }

  /** Returns the proposals that the user wanted changed, oldest first. */
  earlierProposals(runId: RunId): Promise<string[]> {
    return this.#numbered((number) => this.layout.earlierProposal(runId, number));
  }

  /** Returns the reports of failures after which the user had the run go on, oldest first. */
  earlierFailures(runId: RunId): Promise<string[]> {
    return this.#numbered((number) => this.layout.earlierFailure(runId, number));
  }

  /** @param pathOf returns the path of a text by its number, 1-based */
  async #numbered(pathOf: (number: number) => string): Promise<string[]> {
    const texts: string[] = [];
    for (;;) {
      const text = await this.text(pathOf(texts.length + 1));
      if (text === "") return texts;
      texts.push(text);
    }
  }

  /** Reads a table as it is now; an empty one if there is no file. */
  async table<Name extends TableName>(name: Name, runId: RunId): Promise<RunTable<Name>> {
    return readRunTable(name, await this.text(this.layout.table(name, runId)));
  }

  /** Returns all rows of a table; a shared table has those of all runs. */
  async rows<Name extends TableName>(name: Name, runId = ""): Promise<RunRow<Name>[]> {
    return (await this.table(name, runId)).rows.map(({ values }) => values);
  }

  /**
   * Returns a file's text, or `""` if there is no such file.
   *
   * @throws {UserError} for a file that must not be read
   */
  async text(path: string): Promise<string> {
    const bytes = await readOwnDocument(path, this.files, maxSize);
    return bytes === undefined ? "" : decodeLossless(bytes);
  }

  /** Writes the edits in order; consecutive edits of one table in one write. */
  async write(runId: RunId, edits: readonly RunEdit[]): Promise<void> {
    for (let at = 0; at < edits.length;) {
      const table = edits[at]?.table ?? "tasks";
      const end = edits.findIndex((one, index) => index > at && one.table !== table);
      const own = edits.slice(at, end < 0 ? edits.length : end);
      await this.change(table, runId, () => own.map(({ edit }) => edit as TableEdit<never>));
      at += own.length;
    }
  }

  /**
   * Lets `decide` return the edits of a table as it is now, and writes them; see {@link
   * LockedDocument.change}.
   */
  change<Name extends TableName>(
    name: Name,
    runId: RunId,
    decide: (table: RunTable<Name>) => readonly TableEdit<ColumnOf<Name>>[],
  ): Promise<void> {
    const path = this.layout.table(name, runId);
    const document = new LockedDocument(this.files, this.lock, {
      path,
      lock: "run-tables",
      most: maxSize,
    });
    return document.change((text) => {
      const table = readRunTable(name, text);
      return { text: edited(path, table, decide(table)).lines.text, result: undefined };
    });
  }
}

function edited<Name extends TableName>(
  path: string,
  table: RunTable<Name>,
  edits: readonly TableEdit<ColumnOf<Name>>[],
): RunTable<Name> {
  try {
    return editKeyedTable(table, edits);
  } catch (error) {
    throw error instanceof UserError
      ? new UserError("runTableUneditable", "{path}: {problem}", { path, problem: saidBy(error) })
      : error;
  }
}
