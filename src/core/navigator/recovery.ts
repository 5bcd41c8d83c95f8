import type { ActivityLog } from "../activity/activityLog.js";
import type { FileSystem, Lock } from "../ports.js";
import type { Narrator } from "./narrator.js";
import type { PlanInstaller } from "./planInstaller.js";
import { drainLock } from "./queueRunner.js";
import type { QueueStore } from "./queueStore.js";
import { planRecovery, type TaskFacts } from "./planRecovery.js";
import { taskLock } from "./taskIds.js";
import { taskFolder, tasksFolder, type TaskStore } from "./taskStore.js";

/** Carries out at the start what {@link planRecovery} decides from the files. */
export class Recovery {
  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly store: TaskStore,
    private readonly queue: QueueStore,
    private readonly installer: PlanInstaller,
    private readonly narrator: Narrator,
    private readonly activity: ActivityLog,
  ) {}

  /**
   * Does nothing while somebody else works on the queue: what looks left behind is theirs.
   *
   * @returns the task of a brainstorm that is still on
   */
  async run(isShown: (questionId: string) => boolean): Promise<string | undefined> {
    const lock = await this.lock.tryHold(drainLock);
    if ("holder" in lock) return undefined;
    try {
      return await this.#settle(isShown);
    } finally {
      await lock.held.release();
    }
  }

  async #settle(isShown: (questionId: string) => boolean): Promise<string | undefined> {
    let brainstorm: string | undefined;
    for (const action of planRecovery(await this.#facts())) {
      const { taskId } = action;
      switch (action.type) {
        case "dequeue":
          await this.queue.remove(taskId);
          await this.activity.record({ type: "TASK_DEQUEUED", taskId, details: { late: true } });
          this.narrator.notice(
            "info",
            `Task \`${taskId}\` had ended before the editor closed; it was taken from the queue and not run again.`,
          );
          break;
        case "installPlan": {
          const [report, record] = [
            await this.store.readReport(taskId),
            await this.store.readRecord(taskId),
          ];
          if (report === undefined || record === undefined) break;
          const ids = await this.installer.install(taskId, record.goal, report);
          this.narrator.notice(
            "info",
            `The plan of \`${taskId}\` was ready before the editor closed; its ${ids.length} tasks are queued now.`,
            [{ type: "say", label: "Proceed", text: "proceed" }],
          );
          break;
        }
        case "offerResume":
          // A task that was not queued runs without the queue's lock, perhaps elsewhere right now.
          if ((await this.lock.holder(taskLock(taskId))) !== undefined) break;
          this.narrator.notice("warning", `Task \`${taskId}\` was interrupted.`, [
            { type: "say", label: "Resume", text: `/resume ${taskId}` },
          ]);
          break;
        case "askAgain": {
          const question = await this.store.readQuestion(taskId);
          const record = await this.store.readRecord(taskId);
          if (question === undefined || record === undefined) break;
          if (record.mode === "rooroo-idea-sparker") brainstorm = taskId;
          if (isShown(question.questionId)) break;
          const { questionId, text, suggestions } = question;
          const { mode } = record;
          this.narrator.tell({ type: "question", questionId, taskId, mode, text, suggestions });
          break;
        }
      }
    }
    return brainstorm;
  }

  async #facts(): Promise<TaskFacts[]> {
    const queued = new Set((await this.queue.entries()).map(({ taskId }) => taskId));
    const folders = await this.files.readDirectory(tasksFolder);
    return Promise.all(
      folders
        .filter(({ kind }) => kind === "folder")
        .map(async ({ name: taskId }) => {
          const entries = await this.files.readDirectory(taskFolder(taskId));
          const names = new Set(entries.map(({ name }) => name));
          const has = (name: string): boolean => names.has(name);
          return {
            taskId,
            queued: queued.has(taskId),
            recorded: has("task.json"),
            started: has("transcript.jsonl"),
            question: has("question.json"),
            planQueued: has("plan-queued.json"),
            // Only what a decision can hang on is read.
            ...(has("report.json") && (queued.has(taskId) || !has("plan-queued.json"))
              ? await this.#reportFacts(taskId)
              : { status: has("report.json") ? ("Done" as const) : undefined, hasPlan: false }),
          };
        }),
    );
  }

  async #reportFacts(taskId: string): Promise<Pick<TaskFacts, "status" | "hasPlan">> {
    const report = await this.store.readReport(taskId);
    return {
      status: report?.status,
      hasPlan: (report?.queue_tasks_json_lines.length ?? 0) > 0,
    };
  }
}
