import type { Parts } from "./parts.js";
import type { PlanInstaller } from "./planInstaller.js";
import { drainLock, queueWork } from "./queueRunner.js";
import { planRecovery, type TaskFacts } from "./planRecovery.js";
import { taskLock } from "./taskIds.js";
import { taskFolder, tasksFolder } from "./taskStore.js";

/** What was going on when the last process ended. */
export interface Recovered {
  /** The task of a brainstorm that is still on. */
  readonly brainstorm: string | undefined;
  /** The queue was being worked on. */
  readonly queue: boolean;
  /** Tasks that ran outside the queue. */
  readonly tasks: readonly string[];
}

/** Carries out at the start what {@link planRecovery} decides from the files. */
export class Recovery {
  constructor(
    private readonly parts: Parts,
    private readonly installer: PlanInstaller,
  ) {}

  /**
   * Does nothing while somebody else works on the queue: what looks left behind is theirs. It does
   * not hold the queue's lock itself, because who wants to work on the queue just then would be sent
   * away; all that it does to the queue can be done twice.
   */
  async run(isShown: (questionId: string) => boolean, goOn: boolean): Promise<Recovered> {
    const { lock } = this.parts;
    return lock.exclusively("recovery", async () =>
      (await lock.holder(drainLock)) === undefined
        ? this.#settle(isShown, goOn)
        : { brainstorm: undefined, queue: false, tasks: [] },
    );
  }

  async #settle(isShown: (questionId: string) => boolean, goOn: boolean): Promise<Recovered> {
    const cutOff = await this.#cutOff();
    let queue = cutOff.includes(queueWork);
    const tasks: string[] = [];
    let brainstorm: string | undefined;
    for (const action of planRecovery(await this.#facts())) {
      const { taskId } = action;
      switch (action.type) {
        case "dequeue":
          await this.parts.queue.remove(taskId);
          await this.parts.activity.record({
            type: "TASK_DEQUEUED",
            taskId,
            details: { late: true },
          });
          this.parts.narrator.notice(
            "info",
            `Task \`${taskId}\` had ended when work was cut off; it was taken from the queue and not run again.`,
          );
          break;
        case "installPlan": {
          const [report, record] = [
            await this.parts.store.readReport(taskId),
            await this.parts.store.readRecord(taskId),
          ];
          if (report === undefined || record === undefined) break;
          const ids = await this.installer.install(taskId, record.goal, report);
          this.parts.narrator.notice(
            "info",
            `The plan of \`${taskId}\` was ready when work was cut off; its ${ids.length} tasks are queued now.`,
            [{ type: "say", label: "Proceed", text: "proceed" }],
          );
          queue = true;
          break;
        }
        case "offerResume":
          if (await this.#runsElsewhere(taskId)) break;
          if (cutOff.includes(taskId)) tasks.push(taskId);
          if (goOn && cutOff.includes(taskId)) break;
          this.parts.narrator.notice("warning", await this.#whyItWaits(taskId), [
            { type: "say", label: "Resume", text: `/resume ${taskId}` },
          ]);
          break;
        case "askAgain": {
          const question = await this.parts.store.readQuestion(taskId);
          const record = await this.parts.store.readRecord(taskId);
          if (question === undefined || record === undefined) break;
          if (record.mode === "rooroo-idea-sparker") brainstorm = taskId;
          if (isShown(question.questionId)) break;
          const { questionId, text, suggestions } = question;
          const { mode } = record;
          this.parts.narrator.tell({
            type: "question",
            questionId,
            taskId,
            mode,
            text,
            suggestions,
          });
          break;
        }
      }
    }
    await this.parts.active.clear(cutOff);
    return { brainstorm, queue, tasks };
  }

  /** What others work on right now is not cut off, and its marks are theirs. */
  async #cutOff(): Promise<string[]> {
    const names = await this.parts.active.cutOff();
    const theirs = await Promise.all(names.map((name) => this.#runsElsewhere(name)));
    return names.filter((_, index) => theirs[index] !== true);
  }

  /** @param name a task's, which has a lock of its own, queued or not, or the queue's */
  async #runsElsewhere(name: string): Promise<boolean> {
    const lock = name === queueWork ? drainLock : taskLock(name);
    return (await this.parts.lock.holder(lock)) !== undefined;
  }

  async #whyItWaits(taskId: string): Promise<string> {
    const approval = await this.parts.store.readApproval(taskId);
    return approval === undefined
      ? `Task \`${taskId}\` was interrupted.`
      : `Task \`${taskId}\` waits for your approval: ${approval.title}`;
  }

  async #facts(): Promise<TaskFacts[]> {
    const queued = new Set((await this.parts.queue.entries()).map(({ taskId }) => taskId));
    const folders = await this.parts.files.readDirectory(tasksFolder);
    return Promise.all(
      folders
        .filter(({ kind }) => kind === "folder")
        .map(async ({ name: taskId }) => {
          const entries = await this.parts.files.readDirectory(taskFolder(taskId));
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
    const report = await this.parts.store.readReport(taskId);
    return {
      status: report?.status,
      hasPlan: (report?.queue_tasks_json_lines.length ?? 0) > 0,
    };
  }
}
