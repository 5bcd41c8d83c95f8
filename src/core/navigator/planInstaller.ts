import type { NextStep } from "../conversation/events.js";
import type { QueueEntry } from "../documents/queue.js";
import type { PlannedTask, Report } from "../experts/report.js";
import type { NavigatorDependencies } from "./navigatorDependencies.js";
import { doNow } from "./nextSteps.js";
import { planIdOf, planPathOf, subTaskId } from "./taskIds.js";
import { recorded } from "./taskStore.js";
import { contextText } from "./userRequest.js";
import { workspaceLink } from "../text/workspaceLink.js";
import type { TaskId } from "../ids.js";

/**
 * Turns a planner's report into tasks at the head of the queue. Their ids derive from the planner's
 * task, so installing the plan again after a crash adds only what is missing.
 */
export class PlanInstaller {
  constructor(private readonly dependencies: NavigatorDependencies) {}

  /** Installs the plan that a planner has reported, tells the user and logs it (R-ROO-10). */
  async add(plannerTaskId: TaskId, goal: string, report: Report): Promise<void> {
    const { publisher, activity } = this.dependencies;
    const count = report.queue_tasks_json_lines.length;
    publisher.about(plannerTaskId).told(`Adding ${count} planned tasks to queue...`);
    const tasks = await this.install(plannerTaskId, goal, report);
    await activity.record({ type: "PLANNER_SUCCESS", taskId: plannerTaskId, details: { tasks } });
    publisher.tasksChanged();
  }

  /**
   * Tells the user what a planner advises and logs it (R-ROO-11). Returns the advised task; `undefined` if
   * the advice names no expert that can have it, and the user is offered what to do.
   */
  async tellAdvice(
    plannerTaskId: TaskId,
    goal: string,
    report: Report,
  ): Promise<PlannedTask | undefined> {
    const { activity } = this.dependencies;
    const publisher = this.dependencies.publisher.about(plannerTaskId);
    await activity.record({ type: "PLANNER_ADVICE_RECEIVED", taskId: plannerTaskId });
    const advice = report.advice_details;
    const expert = advice?.suggested_mode ?? "";
    const text = `Planner advises: ${report.message}`;
    if (advice === null || !["rooroo-developer", "rooroo-analyzer"].includes(expert)) {
      const refined = advice?.refined_goal ?? goal;
      const step = (label: string, mode: string): NextStep => {
        return { type: "action", label, action: doNow(mode, refined, plannerTaskId) };
      };
      publisher.notice("info", `${text}\n\nIt names no expert for it. What should happen next?`, [
        step("Change It", "rooroo-developer"),
        step("Look Into It", "rooroo-analyzer"),
      ]);
      return undefined;
    }
    publisher.notice("info", text);
    const context = `Advice of the planner (\`${plannerTaskId}\`): ${report.message}`;
    return { suggested_mode: expert, goal_for_expert: advice.refined_goal, context };
  }

  /** Installs a plan and returns its tasks' ids, in plan order. */
  async install(plannerTaskId: string, goal: string, report: Report): Promise<string[]> {
    const tasks = report.queue_tasks_json_lines;
    const planId = planIdOf(plannerTaskId);
    const planPath = planPathOf(planId);
    const ids = tasks.map((_, index) => subTaskId(plannerTaskId, index + 1));
    if (await this.dependencies.store.isPlanInstalled(plannerTaskId)) return ids;

    await this.dependencies.files.createFile(planPath, overview(planId, goal, report, ids));
    const request = await this.dependencies.store.requestOf(plannerTaskId);
    const conversation = await this.dependencies.store.conversationOf(plannerTaskId);
    const entries: QueueEntry[] = [];
    for (const [index, task] of tasks.entries()) {
      const taskId = ids[index] ?? "";
      const written = await this.#written(task, this.dependencies.store.contextPath(taskId));
      const context = written?.text ?? subTaskContext(taskId, task, planPath, goal, request?.text);
      await this.dependencies.store.create(
        {
          taskId,
          parentTaskId: plannerTaskId,
          planId,
          mode: task.suggested_mode,
          goal: task.goal_for_expert,
          ...recorded(request),
          ...(conversation === undefined ? {} : { conversation }),
        },
        context,
      );
      if (written !== undefined) await this.dependencies.files.removeFile(written.path);
      if ((await this.dependencies.store.readReport(taskId)) !== undefined) continue;
      entries.push({
        taskId,
        parentTaskId: plannerTaskId,
        mode: task.suggested_mode,
        contextPath: this.dependencies.store.contextPath(taskId),
        goal: task.goal_for_expert,
        planId,
        autoProceed: task.auto_proceed_plan ?? true,
      });
    }
    const [first] = entries;
    // A plan that waits does so before its first task, as a planner may have it wait before any other.
    if (first !== undefined && (await this.#waits(plannerTaskId))) {
      entries[0] = { ...first, autoProceed: false };
    }
    await this.dependencies.queue.putAtHead(entries);
    const held = new Set(entries.flatMap((one) => (one.autoProceed ? [] : [one.taskId])));
    const words = report.plan_overview?.trim() ?? "";
    this.dependencies.publisher.publish({
      type: "plan",
      planId,
      taskId: plannerTaskId,
      goal,
      overview: words === "" ? report.message : words,
      tasks: tasks.map(({ suggested_mode: mode, goal_for_expert: own }, index) => {
        const taskId = ids[index] ?? "";
        return { taskId, mode, goal: own, ...(held.has(taskId) ? { is: "held" as const } : {}) };
      }),
    });
    await this.dependencies.store.markPlanInstalled(plannerTaskId, ids);
    return ids;
  }

  async #waits(plannerTaskId: TaskId): Promise<boolean> {
    const record = await this.dependencies.store.findRecord(plannerTaskId);
    const asked = record?.own === true && record.value.planWaits === true;
    return asked || this.dependencies.experts.settings().startPlans === "wait";
  }

  /**
   * Reads a context that the planner wrote under an id that it made up; it is moved to the task's
   * folder.
   */
  async #written(
    task: PlannedTask,
    right: string,
  ): Promise<{ path: string; text: string } | undefined> {
    const path = task.context_file_path ?? "";
    if (path === right || !/^\.rooroo\/tasks\/[^/]+\/context\.md$/.test(path)) return undefined;
    const isAnotherTasks = await this.dependencies.files.stat(
      path.replace(/context\.md$/, "task.json"),
    );
    const text = await this.dependencies.store.readContext(path);
    return isAnotherTasks !== undefined || !text ? undefined : { path, text };
  }
}

function overview(planId: string, goal: string, report: Report, ids: readonly string[]): string {
  const rows = report.queue_tasks_json_lines.map(
    (task, index) =>
      `${index + 1}. \`${ids[index]}\` (${task.suggested_mode}): ${task.goal_for_expert}`,
  );
  const words = report.plan_overview?.trim() ?? "";
  return `# Plan ${planId}

**Goal:** ${goal}

${words === "" ? report.message : words}

## Tasks

${rows.join("\n")}
`;
}

function subTaskContext(
  taskId: TaskId,
  task: PlannedTask,
  planPath: string,
  planGoal: string,
  request: string | undefined,
): string {
  const own = task.context?.trim() ?? "";
  const plan = `Part of the plan ${workspaceLink(planPath)} for: ${planGoal}`;
  const context = [own, plan].filter((part) => part !== "").join("\n\n");
  return contextText({ taskId, goal: task.goal_for_expert, context, request, isPart: true });
}
