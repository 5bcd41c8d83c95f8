import { UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { tagged } from "../../text/tagged.js";
import { visibleLine } from "../../text/visibleText.js";
import type { QueueStore } from "../queue/queueStore.js";
import { planIdOf, planPathOf, planTaskIds } from "../tasks/taskIds.js";
import { answersText, taskOutcomeText } from "../tasks/taskOutcome.js";
import type { TaskStore, TaskRecord } from "../tasks/taskStore.js";

/** The most characters of a plan's overview, and of the goal of a task to come. */
const maxOverview = 4_000;
const maxGoal = 120;

/** What a plan and its tasks are read from. */
interface PlanSources {
  readonly store: TaskStore;
  readonly files: FileSystem;
  readonly queue: QueueStore;
  readonly experts: Pick<ExpertServices, "clock" | "signer">;
}

/**
 * Returns the plan that a task is a part of, as its expert is told of it: the planner's overview, what became of
 * the tasks before it, and what comes after it, so that it is not done twice. `undefined` for a task that is in no
 * plan of this installation.
 */
export async function planSoFar(
  taskId: TaskId,
  { planId, parentTaskId }: Pick<TaskRecord, "planId" | "parentTaskId">,
  dependencies: PlanSources,
): Promise<string | undefined> {
  if (planId === null || parentTaskId === null || planIdOf(parentTaskId) !== planId)
    return undefined;
  const report = await readable(dependencies.store.readReport(parentTaskId));
  if (report === undefined) return undefined;
  const tasks = await planTasks(parentTaskId, planId, dependencies);
  const own = tasks.findIndex((task) => task.taskId === taskId);
  if (own === -1) return undefined;
  const path = planPathOf(planId);
  const words = report.plan_overview?.trim() ? report.plan_overview.trim() : report.message;
  const overview =
    words.length > maxOverview
      ? `${words.slice(0, maxOverview)}\n(The rest is in ${path}.)`
      : words;
  const before = await Promise.all(
    tasks.slice(0, own).map(async ({ taskId: id, mode }, index) => {
      return `${index + 1}. ${mode} (${id}): ${await taskOutcomeText(id, dependencies)}`;
    }),
  );
  const after = tasks.slice(own + 1).map(({ mode, goal }, index) => {
    return `${own + 2 + index}. ${mode}: ${visibleLine(goal, maxGoal)}`;
  });
  const answers = await answersText(parentTaskId, dependencies);
  const lines = [
    `${overview}${answers}`,
    `Your task is number ${own + 1} of ${tasks.length}.`,
    ...(before.length === 0 ? [] : [`What became of the tasks before it:\n${before.join("\n")}`]),
    ...(after.length === 0 ? [] : [`Other experts do these after you:\n${after.join("\n")}`]),
  ];
  return tagged("plan", lines.join("\n\n"), path);
}

/**
 * Returns the plan's tasks as they are now, without those that the user removed: first those that have left the
 * queue, then the others in queue order.
 */
async function planTasks(
  plannerTaskId: TaskId,
  planId: string,
  { store, queue }: Pick<PlanSources, "store" | "queue">,
): Promise<{ taskId: TaskId; mode: string; goal: string }[]> {
  const queued = (await queue.entries()).filter((entry) => entry.planId === planId);
  const waiting = new Set(queued.map((entry) => entry.taskId));
  const ids = await planTaskIds(plannerTaskId, store);
  const left = await Promise.all(
    ids.filter((id) => !waiting.has(id)).map((id) => readable(store.readRecord(id))),
  );
  return [...left.flatMap((record) => (record && !record.removed ? [record] : [])), ...queued];
}

/** Returns what was read; `undefined` if the file is damaged. */
function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
}
