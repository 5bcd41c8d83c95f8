import { editKeyedTable, type TableEdit } from "../documents/editKeyedTable.js";
import type { DocumentProblem } from "../documents/documentProblem.js";
import { decodeLossless } from "../documents/losslessText.js";
import { UserError } from "../errors.js";
import type { FileSystem, Lock } from "../ports.js";
import { readOwnDocument } from "../tools/namedFile.js";
import { LockedDocument } from "../work/lockedDocument.js";
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

/** Bytes that a table, or a text that belongs to a run, may have. */
const maxSize = 20_000_000;

/** A table as it is, with all that is wrong in it. */
export interface CheckedTable {
  readonly name: TableName;
  readonly path: string;
  readonly table: RunTable<TableName>;
  readonly problems: readonly DocumentProblem[];
}

/** A run as its files are. */
export interface RunRead {
  readonly state: RunState;
  /** Why its tables cannot be gone by, with the line; whoever mends it goes on. */
  readonly problem?: string;
  /** Those that are its own. */
  readonly tables: readonly CheckedTable[];
}

const all = Object.keys(runTables) as TableName[];

/** The files of runs, changed by operations on what they say now, alone among all processes. */
export class RunStore {
  constructor(
    readonly files: FileSystem,
    private readonly lock: Lock,
    readonly layout: RunLayout,
  ) {}

  /** @param shared the tables that all runs share, for who reads many runs at once */
  async read(runId: string, shared?: readonly CheckedTable[]): Promise<RunRead> {
    // What is no id is no part of a path either: of such a run only its row is looked at.
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
          // What is wrong with another run's row is not this one's business.
          return found === undefined || own(found.values) || found.values.run_id === "";
        }),
        ...strangers.map(({ source: { row }, values }) => {
          return { row, message: `The row is of ${values.run_id}, the table of ${runId}.` };
        }),
      ];
      const problem = first && `${path}:${first.row + 1}: ${first.message}`;
      return { name, rows: table.rows.map(({ values }) => values).filter(own), problem };
    });
    const problem = read.find((one) => one.problem !== undefined)?.problem;
    const rows = Object.fromEntries([
      ...all.map((name) => [name, []]),
      ...read.map((one) => [one.name, one.rows]),
    ]) as unknown as RunRows;
    if (!hasId) {
      const state = { runId, rows, hasProposal: false, isReported: false };
      return { state, tables, problem: problem ?? `${runId} is no id of a run.` };
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
    return { state, tables, ...(problem === undefined ? {} : { problem }) };
  }

  sharedTables(): Promise<CheckedTable[]> {
    return this.#checked(true, "");
  }

  #checked(shared: boolean, runId: string): Promise<CheckedTable[]> {
    const names = all.filter((name) => isShared(name) === shared);
    return Promise.all(
      names.map(async (name) => {
        const table = await this.table(name, runId);
        const path = this.layout.table(name, runId);
        return { name, path, table, problems: tableProblems(name, table) };
      }),
    );
  }

  /** Those that the person wanted changed, oldest first. */
  async earlierProposals(runId: string): Promise<string[]> {
    const texts: string[] = [];
    for (;;) {
      const text = await this.text(this.layout.earlierProposal(runId, texts.length + 1));
      if (text === "") return texts;
      texts.push(text);
    }
  }

  /** As the file is now; an empty one where there is none. */
  async table<Name extends TableName>(name: Name, runId: string): Promise<RunTable<Name>> {
    return readRunTable(name, await this.text(this.layout.table(name, runId)));
  }

  /** All rows, of a global table those of all runs. */
  async rows<Name extends TableName>(name: Name, runId = ""): Promise<RunRow<Name>[]> {
    return (await this.table(name, runId)).rows.map(({ values }) => values);
  }

  /** `""` where there is no such file. Throws a {@link UserError} for one that must not be read. */
  async text(path: string): Promise<string> {
    const bytes = await readOwnDocument(path, this.files, maxSize);
    return bytes === undefined ? "" : decodeLossless(bytes);
  }

  /** In their order; those that follow one another in one table at once. */
  async write(runId: string, edits: readonly RunEdit[]): Promise<void> {
    for (let at = 0; at < edits.length;) {
      const table = edits[at]?.table ?? "tasks";
      const end = edits.findIndex((one, index) => index > at && one.table !== table);
      const own = edits.slice(at, end < 0 ? edits.length : end);
      await this.change(table, runId, () => own.map(({ edit }) => edit as TableEdit<never>));
      at += own.length;
    }
  }

  /**
   * Lets `decide` say what is to be done to a table as it is, and writes that; see
   * {@link LockedDocument.change}.
   */
  change<Name extends TableName>(
    name: Name,
    runId: string,
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
    throw error instanceof UserError ? new UserError(`${path}: ${error.message}`) : error;
  }
}
