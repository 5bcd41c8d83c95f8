import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { noDocuments } from "../../src/core/changes/noDocuments.js";
import { TaskChanges, type UndoneFile } from "../../src/core/changes/taskChanges.js";
import { isUserError } from "../../src/core/errors.js";
import { type Job, jobNamed } from "../../src/core/jobs/documents/jobFolder.js";
import type { Task } from "../../src/core/jobs/documents/roadmap.js";
import { newestEntries } from "../../src/core/jobs/documents/workLog.js";
import { Jobs } from "../../src/core/jobs/jobs.js";
import { undoable } from "../../src/core/jobs/undoTask.js";
import type { JobServices } from "../../src/core/jobs/work/jobServices.js";
import { nightTasks } from "./nightModel.js";

/** The numbers of entries in the log after which a task is undone. */
export const undoAt = [0.3, 0.6, 0.9].map((part) => Math.floor(part * nightTasks.size));
/** So many entries are made before a task is undone whose own is among them. */
const settledAfter = nightTasks.size / 10;

/** A person who looks at the job while it runs: answers its questions, but for every other stuck task, and undoes tasks. */
export class Person {
  answered = 0;
  readonly undone: string[] = [];
  /** Tasks whose changes could not be undone. */
  readonly left: string[] = [];
  private readonly jobs: Jobs;
  private readonly watcher: FSWatcher;
  private acting: Promise<void> = Promise.resolve();
  private failure: unknown;

  constructor(
    root: string,
    private readonly world: JobServices,
  ) {
    this.jobs = new Jobs(world);
    this.watcher = watch(join(root, ".jixo"), () => {
      this.acting = this.acting
        .then(() => this.act())
        .catch((error: unknown) => {
          this.failure ??= error;
        });
    });
  }

  /** Does what there is to do. Throws what went wrong since the last look. */
  async look(): Promise<void> {
    await this.acting;
    if (this.failure !== undefined) throw this.failure as Error;
    await this.act();
  }

  close(): void {
    this.watcher.close();
  }

  private async act(): Promise<void> {
    const job = await jobNamed("night", this.world.files);
    for (const { id, question, answer } of job.file.clarifications) {
      if (answer !== undefined || !isToAnswer(question)) continue;
      // Who works the answer in may have taken it out of the file already.
      await this.jobs.answer(id, "Go on.").catch(unlessUserError);
      this.answered++;
    }
    const due = undoAt[this.undone.length];
    if (due === undefined || job.log.entries.length < due) return;
    const task = oldTask(job, [...this.undone, ...this.left]);
    if (task !== undefined) await this.undo(job, task);
  }

  private async undo(job: Job, { id }: Task): Promise<void> {
    const { files, experts } = this.world;
    const { signer, clock } = experts;
    const changes = new TaskChanges(
      { files, signer, documents: noDocuments, clock },
      ".rooroo/tasks",
    );
    const undone: UndoneFile[] = [];
    for (const session of undoable(job, id).sessions) {
      undone.push(...(await changes.undo(session, () => Promise.resolve(true))));
    }
    await this.jobs.setTaskBack("night", id, undone);
    // What a killed runner left half done is not undone: nobody can tell whose it is.
    const isUndone = undone.some(({ type }) => type === "removed");
    (isUndone ? this.undone : this.left).push(id);
  }
}

/** Returns whether the person answers: all questions but those about every other stuck task. */
function isToAnswer(question: string): boolean {
  const id = /^Task ([\d.]+\d) was tried/.exec(question)?.[1];
  const stuck = [...nightTasks].filter(([, kind]) => kind === "Stick").map(([task]) => task);
  return id === undefined || stuck.indexOf(id) % 2 === 0;
}

/** Returns a done task whose entry is some way down in the log. */
function oldTask({ log }: Job, but: readonly string[]): Task | undefined {
  const newest = newestEntries(log.tasks, log);
  return log.tasks.find((task) => {
    const entry = newest.get(task)?.entry;
    const isOld = entry !== undefined && log.entries.indexOf(entry) >= settledAfter;
    return isOld && task.status === "Completed" && task.title === "Write" && !but.includes(task.id);
  });
}

function unlessUserError(error: unknown): void {
  if (!isUserError(error)) throw error;
}
