import { UserError } from "../errors.js";
import type { TaskId } from "../ids.js";
import { tagged } from "../text/tagged.js";
import { visibleLine } from "../text/visibleText.js";
import type { NavigatorDependencies } from "./navigatorDependencies.js";
import { planIdOf, planPathOf, subTaskId } from "./taskIds.js";
import type { TaskRecord } from "./taskStore.js";
import { answersText, whatBecame } from "./whatBecame.js";

/** The most characters of a plan's overview, and of the goal of a task to come. */
const maxOverview = 4_000;
const maxGoal = 120;

/**
 * Returns the plan that a task is a part of, as its expert is told of it: the planner's overview, what became of
 * the tasks before it, and what comes after it, so that it is not done twice. `undefined` for a task that is in no
 * plan of this installation.
 */
export async function planSoFar(
  taskId: TaskId,
  { planId, parentTaskId }: Pick<TaskRecord, "planId" | "parentTaskId">,
  parts: Pick<NavigatorDependencies, "store" | "files" | "experts">,
): Promise<string | undefined> {
  if (planId === null || parentTaskId === null || planIdOf(parentTaskId) !== planId)
    return undefined;
  const report = await parts.store.readReport(parentTaskId).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  const tasks = report?.queue_tasks_json_lines ?? [];
  const ids = tasks.map((_, index) => subTaskId(parentTaskId, index + 1));
  const own = ids.indexOf(taskId);
  if (report === undefined || own === -1) return undefined;
  const path = planPathOf(planId);
  const words = report.plan_overview?.trim() ? report.plan_overview.trim() : report.message;
  const overview =
    words.length > maxOverview
      ? `${words.slice(0, maxOverview)}\n(The rest is in ${path}.)`
      : words;
  const before = await Promise.all(
    ids.slice(0, own).map(async (id, index) => {
      const became = await whatBecame(id, parts);
      return `${index + 1}. ${tasks[index]?.suggested_mode ?? ""} (${id}): ${became}`;
    }),
  );
  const after = tasks
    .slice(own + 1)
    .map(({ suggested_mode: mode, goal_for_expert: goal }, index) => {
      return `${own + 2 + index}. ${mode}: ${visibleLine(goal, maxGoal)}`;
    });
  const answers = await answersText(parentTaskId, parts);
  const lines = [
    `${overview}${answers}`,
    `Your task is number ${own + 1} of ${tasks.length}.`,
    ...(before.length === 0 ? [] : [`What became of the tasks before it:\n${before.join("\n")}`]),
    ...(after.length === 0 ? [] : [`Other experts do these after you:\n${after.join("\n")}`]),
  ];
  return tagged("plan", lines.join("\n\n"), path);
}
