import { readChanges, type ReadChanges } from "../../changes/changeSummary.js";
import type { TaskId } from "../../ids.js";
import type { JobLog } from "../documents/jobLog.js";
import type { Task } from "../documents/roadmap.js";
import { type EntryUsage, readUsage } from "../documents/usageField.js";
import {
  type Entry,
  type FieldName,
  type Reason,
  reasonOf,
  type Result,
  type Role,
  sessionOf,
  taskOfEntries,
} from "../documents/workLog.js";
import type { RunnerView } from "./roadmapView.js";

/** A lifecycle of a job: an entry of its log, or a runner at work. What the log does not say is `null`. */
export interface LifecycleFacts {
  readonly role: Role | null;
  /** `null` also while a runner is at work. */
  readonly result: Result | null;
  readonly isAtWork: boolean;
  /** The reason why the work is not done, in the log's own words. */
  readonly reason: Reason | null;
  readonly objective: string;
  /** The summary, shortened if it is long. */
  readonly summary: string;
  /** The id of the roadmap's task that it was for; `null` for planners, and if the roadmap has no such task. */
  readonly task: string | null;
  /** Whether it is the record of a person's undo. */
  readonly isUndo: boolean;
  /** The lane in which it is drawn, from 1; `null` if its time is not known. */
  readonly lane: number | null;
  /** The runner's own name, if the log has it. */
  readonly runner: string | null;
  readonly session: TaskId | null;
  /** ISO 8601, in UTC. */
  readonly from: string | null;
  /** ISO 8601, in UTC; for a runner at work, now. */
  readonly to: string | null;
  readonly usage: EntryUsage;
  /** The files that it changed, and nobody has undone. */
  readonly changes: ReadChanges | null;
  /** What the user said to the runner while it worked; empty if nothing. */
  readonly said: string;
  /** The outcomes of the job's check and of the task's review; empty if there was none. */
  readonly check: string;
  readonly review: string;
  /** The 1-based line in the log; `null` for a runner at work. */
  readonly line: number | null;
}

const mostWords = 2_000;
const nothingUsed: EntryUsage = { ms: null, requests: null, tokens: null, cost: null };

/**
 * Returns all lifecycles of a job, the oldest first, and the runners at work last. This is the one place where entries
 * are read for figures.
 */
export function lifecycleFacts(
  log: JobLog,
  runners: readonly RunnerView[],
  now: Date,
): LifecycleFacts[] {
  const tasks = taskOfEntries(log);
  const ended = log.entries.map((entry) => entryFacts(entry, tasks.get(entry))).reverse();
  const atWork = runners.map((runner) => runnerFacts(runner, log, now));
  return inLanes([...withoutUndone(ended), ...atWork]);
}

/** Returns the lifecycles of each task, by the task's id, in their order; a person's undo is none. */
export function lifecyclesByTask(
  lifecycles: readonly LifecycleFacts[],
): ReadonlyMap<string, readonly LifecycleFacts[]> {
  const byTask = new Map<string, LifecycleFacts[]>();
  for (const one of lifecycles) {
    if (one.task === null || one.isUndo) continue;
    const known = byTask.get(one.task);
    if (known === undefined) byTask.set(one.task, [one]);
    else known.push(one);
  }
  return byTask;
}

function entryFacts(entry: Entry, task: Task | undefined): LifecycleFacts {
  const { role, result, heading, fields, row } = entry;
  const text = (name: FieldName) => fields.get(name)?.value ?? "";
  const reason = reasonOf(entry) ?? null;
  const usage = readUsage(text("usage"));
  const began = readTime(heading?.time ?? "");
  const iso = (time: number) => new Date(time).toISOString();
  return {
    role: role ?? null,
    result: result ?? null,
    isAtWork: false,
    reason,
    objective: text("objective").slice(0, mostWords),
    summary: text("summary").slice(0, mostWords),
    task: task?.id ?? null,
    isUndo: reason === "undone",
    lane: null,
    runner: heading?.runner ?? null,
    session: sessionOf(entry) ?? null,
    from: began === undefined ? null : iso(began),
    to: began === undefined || usage.ms === null ? null : iso(began + usage.ms),
    usage,
    changes: readChanges(text("changes")) ?? null,
    said: text("said").slice(0, mostWords),
    check: text("check").slice(0, mostWords),
    review: text("review").slice(0, mostWords),
    line: row + 1,
  };
}

function runnerFacts(runner: RunnerView, { tasks }: JobLog, now: Date): LifecycleFacts {
  const { role, objective, taskId, since } = runner;
  const began = readTime(since);
  const task = tasks.find((one) => one.status === "Locked" && one.runner === runner.runner);
  return {
    role,
    result: null,
    isAtWork: true,
    reason: null,
    objective,
    summary: "",
    task: task?.id ?? null,
    isUndo: false,
    lane: null,
    runner: runner.runner,
    session: taskId,
    from: began === undefined ? null : new Date(began).toISOString(),
    to: began === undefined ? null : now.toISOString(),
    usage: { ...nothingUsed, ms: began === undefined ? null : now.getTime() - began },
    changes: null,
    said: "",
    check: "",
    review: "",
    line: null,
  };
}

/** Years in which a job can have run: a date outside of them was not written by a clock. */
const [firstYear, lastYear] = [1990, 2200];

/**
 * Reads a time of ISO 8601 that names its zone. Returns milliseconds since 1970; `undefined` for any other text, since
 * a time without a zone could be any of twenty-four.
 */
function readTime(text: string): number | undefined {
  const isExact = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
  if (!isExact.test(text)) return undefined;
  const date = new Date(text.replace(" ", "T"));
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= lastYear ? date.getTime() : undefined;
}

/**
 * Returns the lifecycles without the changes that a person has undone since.
 *
 * @param lifecycles the oldest first
 */
function withoutUndone(lifecycles: readonly LifecycleFacts[]): LifecycleFacts[] {
  const undone = new Set<string>();
  return lifecycles
    .toReversed()
    .map((one) => {
      if (one.task === null) return one;
      if (one.isUndo) undone.add(one.task);
      return undone.has(one.task) ? { ...one, changes: null } : one;
    })
    .reverse();
}

/** Milliseconds by which two lifecycles of one runner may seem to overlap: the log has durations in whole seconds. */
const roundingMs = 1_000;

/** Returns the lifecycles, each in the first lane that is free when it begins. */
function inLanes(lifecycles: readonly LifecycleFacts[]): LifecycleFacts[] {
  /** The time at which each lane is free again, in milliseconds since the epoch. */
  const free: number[] = [];
  const lanes = new Map<LifecycleFacts, number>();
  const timed = lifecycles
    .filter(({ from, isUndo }) => from !== null && !isUndo)
    .map((one) => ({ one, began: Date.parse(one.from ?? "") }))
    .sort((a, b) => a.began - b.began);
  for (const { one, began } of timed) {
    const first = free.findIndex((time) => time <= began + roundingMs);
    const lane = first < 0 ? free.length : first;
    free[lane] = one.to === null ? began : Date.parse(one.to);
    lanes.set(one, lane + 1);
  }
  return lifecycles.map((one) => ({ ...one, lane: lanes.get(one) ?? null }));
}
