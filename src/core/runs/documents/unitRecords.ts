import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { parseJson } from "../../documents/parseJson.js";
import { isUserError } from "../../errors.js";
import type { RunId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { isId } from "./runTables.js";

const unitRecord = z.object({
  /** When its agent began, and when it ended last, in ISO 8601. */
  from: z.string(),
  to: z.string(),
  workedMs: z.number(),
  /** The number of tokens. */
  tokens: z.number(),
  /** US dollars; absent if a price is not known. */
  costUsd: z.number().optional(),
  /** What it has changed. Absent: nothing. */
  changes: z.object({ files: z.int(), added: z.int(), removed: z.int() }).optional(),
  /** Set if these changes were undone. */
  isUndone: z.literal(true).optional(),
});

/** The work of one of a run's agents. */
export type UnitRecord = z.infer<typeof unitRecord>;

const document = z.object({ schema: z.literal(1), units: z.record(z.string(), unitRecord) });

/**
 * When each agent of a run worked, what that took and what it changed: one signed file for each run, which lists show.
 * No decision depends on it. Only who holds the run's lock changes it.
 */
export class UnitRecords {
  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
  ) {}

  /** Returns the records by the ids of the sessions; none if this installation did not write the file. */
  async read(runId: RunId): Promise<ReadonlyMap<TaskId, UnitRecord>> {
    if (!isId(runId)) return new Map();
    const path = pathOf(runId);
    const bytes = await readOwnDocument(path, this.files).catch((error: unknown) => {
      if (isUserError(error)) return undefined;
      throw error;
    });
    const text = new TextDecoder().decode(bytes);
    if (bytes === undefined || !isSigned(text, path, this.signer)) return new Map();
    const json = parseJson(text);
    const parsed = document.safeParse(json.ok ? json.value : undefined);
    return new Map(parsed.success ? Object.entries(parsed.data.units) : []);
  }

  /**
   * Writes the record of a session that has ended. Where it was resumed, it began when it began first, and the times that
   * it worked are added.
   */
  async put(runId: RunId, taskId: TaskId, record: UnitRecord): Promise<void> {
    const all = await this.read(runId);
    const { from = record.from, workedMs = 0 } = all.get(taskId) ?? {};
    const resumed = { ...record, from, workedMs: workedMs + record.workedMs };
    await this.#write(runId, new Map(all).set(taskId, resumed));
  }

  /** Records that the changes of sessions were undone. */
  async setUndone(runId: RunId, taskIds: readonly TaskId[]): Promise<void> {
    const all = new Map(await this.read(runId));
    for (const [taskId, record] of all) {
      if (taskIds.includes(taskId)) all.set(taskId, { ...record, isUndone: true });
    }
    await this.#write(runId, all);
  }

  async #write(runId: RunId, units: ReadonlyMap<TaskId, UnitRecord>): Promise<void> {
    const path = pathOf(runId);
    const json = JSON.stringify({ schema: 1, units: Object.fromEntries(units) }, null, 2);
    await this.files.replaceFile(path, signJson(`${json}\n`, path, this.signer));
  }
}

/** Returns the work of several agents together; `undefined` for none. Changes that were undone do not count. */
export function totalWork(records: readonly UnitRecord[]): UnitRecord | undefined {
  const [first, ...others] = records;
  if (first === undefined) return undefined;
  const changes = sumChanges(records);
  const isUndone = records.some((one) => one.isUndone) && changes === undefined;
  return {
    // Times of ISO 8601 in UTC are in order as texts.
    from: others.reduce((from, one) => (one.from < from ? one.from : from), first.from),
    to: others.reduce((to, one) => (one.to > to ? one.to : to), first.to),
    workedMs: records.reduce((sum, { workedMs }) => sum + workedMs, 0),
    tokens: records.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(records.every(({ costUsd }) => costUsd !== undefined)
      ? { costUsd: records.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) }
      : {}),
    ...(changes === undefined ? {} : { changes }),
    ...(isUndone ? { isUndone } : {}),
  };
}

function sumChanges(records: readonly UnitRecord[]): UnitRecord["changes"] {
  const counts = records.flatMap(({ changes, isUndone }) =>
    changes && !isUndone ? [changes] : [],
  );
  if (counts.length === 0) return undefined;
  const sum = (name: "files" | "added" | "removed") =>
    counts.reduce((total, one) => total + one[name], 0);
  return { files: sum("files"), added: sum("added"), removed: sum("removed") };
}

function pathOf(runId: RunId): string {
  return `.rooroo/runs/${runId}.json`;
}
