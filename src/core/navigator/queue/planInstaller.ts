import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { QueueEntry } from "../../documents/queue.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import { expertWords } from "../../experts/expertWords.js";
import type { PlannedTask, Report } from "../../experts/report.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, words } from "../../text/words.js";
import { workspaceLink } from "../../text/workspaceLink.js";
import { filled, type Written, writtenLanguage } from "../../text/writtenLanguage.js";
import { announce, announcements } from "../tasks/announcements.js";
import { doNow, proceed } from "../tasks/nextSteps.js";
import { planIdOf, planPathOf, subTaskId } from "../tasks/taskIds.js";
import { type TaskStore, recorded } from "../tasks/taskStore.js";
import { contextText } from "../tasks/userRequest.js";
import type { QueueStore } from "./queueStore.js";

/** What a {@link PlanInstaller} uses. */
interface InstallerPorts {
  readonly files: FileSystem;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly experts: Pick<ExpertServices, "settings">;
}

/**
 * Turns a planner's report into tasks at the head of the queue. Their ids derive from the planner's
 * task, so installing the plan again after a crash adds only what is missing.
 */
export class PlanInstaller {
  constructor(private readonly dependencies: InstallerPorts) {}

  /** Installs the plan that a planner has reported, tells the user and logs it (R-ROO-10). */
  async add(plannerTaskId: TaskId, goal: string, report: Report): Promise<void> {
    const { publisher, activity } = this.dependencies;
    const count = report.queue_tasks_json_lines.length;
    await announce(this.dependencies, announcements.planAdded(plannerTaskId, count));
    publisher
      .about(plannerTaskId)
      .told(
        words("{count, plural, one {# task is planned.} other {# tasks are planned.}}", { count }),
      );
    const tasks = await this.install(plannerTaskId, goal, report);
    await activity.record({ type: "PLANNER_SUCCESS", taskId: plannerTaskId, details: { tasks } });
    publisher.tasksChanged();
    if (report.lost_tasks !== undefined) this.#tellLost(plannerTaskId, goal, report.lost_tasks);
  }

  /** Tells the user why a plan waits of which tasks could not be read, and what can be done about it. */
  #tellLost(plannerTaskId: TaskId, goal: string, lost: number): void {
    const anew = { action: "plan", goal, from: plannerTaskId } as const;
    this.dependencies.publisher
      .about(plannerTaskId)
      .notice(
        "warning",
        words(
          "The plan waits: {lost, plural, one {# of its tasks} other {# of its tasks}} could not be read. Start it without, or have it planned anew.",
          { lost },
        ),
        [proceed, { type: "action", label: words("Plan Anew"), action: anew }],
      );
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
    await announce(this.dependencies, announcements.plannerAdvises(plannerTaskId, report.message));
    const advice = report.advice_details;
    const expert = advice?.suggested_mode ?? "";
    const text = words("The planner advises: {message}", { message: report.message });
    if (advice === null || !["rooroo-developer", "rooroo-analyzer"].includes(expert)) {
      const refined = advice?.refined_goal ?? goal;
      const step = (label: Said, mode: string): DraftedStep => {
        return { type: "action", label, action: doNow(mode, refined, plannerTaskId) };
      };
      const ask =
        expert === ""
          ? words("It names no expert for it. What should happen next?")
          : words(
              "It suggests the {expert}, but only the developer and the analyzer start on a suggestion. What should happen next?",
              { expert: expertWords(visibleLine(expert, 100)) },
            );
      publisher.notice("info", joined(text, "\n\n", ask), [
        step(words("Change It"), "rooroo-developer"),
        step(words("Look Into It"), "rooroo-analyzer"),
      ]);
      return undefined;
    }
    publisher.notice("info", text);
    const context = `Advice of the planner (\`${plannerTaskId}\`): ${report.message}`;
    return { suggested_mode: expert, goal_for_expert: advice.refined_goal ?? goal, context };
  }

  /** Installs a plan and returns its tasks' ids, in plan order. */
  async install(plannerTaskId: string, goal: string, report: Report): Promise<string[]> {
    const { files, store, queue } = this.dependencies;
    const planId = planIdOf(plannerTaskId);
    const ids = report.queue_tasks_json_lines.map((_, index) =>
      subTaskId(plannerTaskId, index + 1),
    );
    if (await store.isPlanInstalled(plannerTaskId)) return ids;

    await files.createFile(planPathOf(planId), overview(planId, goal, report, ids));
    const entries = await this.#createTasks(plannerTaskId, goal, report, ids);
    const [first] = entries;
    // A plan that waits does so before its first task, as a planner may have it wait before any other. One of which a task
    // was lost may do harm without it.
    const waits = report.lost_tasks !== undefined || (await this.#waits(plannerTaskId));
    if (first !== undefined && waits) {
      entries[0] = { ...first, autoProceed: false };
    }
    await queue.putAtHead(entries);
    this.#publish(plannerTaskId, goal, report, ids, entries);
    await store.markPlanInstalled(plannerTaskId, ids);
    return ids;
  }

  /** Creates the folders of a plan's tasks. Returns the queue's entries for those that have not been reported on. */
  async #createTasks(
    plannerTaskId: TaskId,
    goal: string,
    report: Report,
    ids: readonly TaskId[],
  ): Promise<QueueEntry[]> {
    const { files, store } = this.dependencies;
    const planId = planIdOf(plannerTaskId);
    const request = await store.requestOf(plannerTaskId);
    const conversation = await store.conversationOf(plannerTaskId);
    const entries: QueueEntry[] = [];
    for (const [index, task] of report.queue_tasks_json_lines.entries()) {
      const taskId = ids[index] ?? "";
      const contextPath = store.contextPath(taskId);
      const written = await this.#written(task, contextPath);
      const context =
        written?.text ?? subTaskContext(taskId, task, planPathOf(planId), goal, request?.text);
      const common = {
        taskId,
        parentTaskId: plannerTaskId,
        planId,
        mode: task.suggested_mode,
        goal: task.goal_for_expert,
      };
      await store.create(
        {
          ...common,
          ...recorded(request),
          ...(conversation === undefined ? {} : { conversation }),
        },
        context,
      );
      if (written !== undefined) await files.removeFile(written.path);
      if ((await store.readReport(taskId)) !== undefined) continue;
      entries.push({ ...common, contextPath, autoProceed: task.auto_proceed_plan ?? true });
    }
    return entries;
  }

  /** Shows the plan in the conversation, with the tasks before which the queue stops. */
  #publish(
    taskId: TaskId,
    goal: string,
    report: Report,
    ids: readonly TaskId[],
    entries: readonly QueueEntry[],
  ): void {
    const held = new Set(entries.flatMap((one) => (one.autoProceed ? [] : [one.taskId])));
    this.dependencies.publisher.publish({
      type: "plan",
      planId: planIdOf(taskId),
      taskId,
      goal,
      overview: overviewText(report),
      tasks: report.queue_tasks_json_lines.map((task, index) => {
        const id = ids[index] ?? "";
        return {
          taskId: id,
          mode: task.suggested_mode,
          goal: task.goal_for_expert,
          ...(held.has(id) ? { is: "held" as const } : {}),
        };
      }),
    });
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

/** Returns the planner's overview of the plan; its message if it gave none. */
function overviewText({ plan_overview: text, message }: Report): string {
  const overview = text?.trim() ?? "";
  return overview === "" ? message : overview;
}

/** What code writes into a plan's overview, which is in the language of its goal. */
const planWords: Written<Record<"plan" | "goal" | "tasks" | "since", string>> = {
  en: {
    plan: "Plan {0}",
    goal: "Goal:",
    tasks: "Tasks as planned",
    since:
      "What became of them since, by your edits and by the work, is in the queue and on the plan's card.",
  },
  de: {
    plan: "Plan {0}",
    goal: "Ziel:",
    tasks: "Aufgaben, wie geplant",
    since:
      "Was seither daraus geworden ist, durch Ihre Änderungen und durch die Arbeit, steht in der Warteschlange und auf der Karte des Plans.",
  },
  es: {
    plan: "Plan {0}",
    goal: "Objetivo:",
    tasks: "Tareas según el plan",
    since:
      "Lo que ha sido de ellas desde entonces, por sus cambios y por el trabajo, está en la cola y en la tarjeta del plan.",
  },
  ja: {
    plan: "計画 {0}",
    goal: "目標:",
    tasks: "計画したタスク",
    since: "その後の変更や作業の結果は、キューと計画のカードにあります。",
  },
  zh: {
    plan: "计划 {0}",
    goal: "目标：",
    tasks: "计划的任务",
    since: "此后由于您的修改和工作进展而发生的变化，请查看队列和计划卡片。",
  },
};

function overview(planId: string, goal: string, report: Report, ids: readonly string[]): string {
  const rows = report.queue_tasks_json_lines.map(
    (task, index) =>
      `${index + 1}. \`${ids[index]}\` (${task.suggested_mode}): ${task.goal_for_expert}`,
  );
  const say = planWords[writtenLanguage(goal)];
  return `# ${filled(say.plan, planId)}

**${say.goal}** ${goal}

${overviewText(report)}

## ${say.tasks}

${say.since}

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
