import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface TaskState {
  readonly taskId: string;
  readonly goal: string;
  readonly context: string | undefined;
  readonly report: string | undefined;
  /** Of the report. */
  readonly status: string | undefined;
}

/** What is on disk, read without the product's help. */
export class WorkspaceState {
  private constructor(
    /** Those with a `task.json`. */
    readonly tasks: ReadonlyMap<string, TaskState>,
    /** Ids, head first. */
    readonly queue: readonly string[],
    /** What was being worked on. */
    readonly active: readonly string[],
    /** By path: the project's files, what was left by writes that were cut off not among them. */
    readonly project: Readonly<Record<string, string>>,
    /** By path: lines of queue, logs and transcripts that are not JSON. */
    readonly torn: Readonly<Record<string, string[]>>,
    readonly activity: readonly { event_type: string; task_id?: string; details: object }[],
  ) {}

  static async read(root: string): Promise<WorkspaceState> {
    const text = (path: string) => readFile(join(root, path), "utf8").catch(() => undefined);
    const names = (path: string) => readdir(join(root, path)).catch(() => []);
    const torn: Record<string, string[]> = {};
    const lines = async (path: string): Promise<unknown[]> =>
      ((await text(path)) ?? "").split("\n").flatMap((line) => {
        if (line === "") return [];
        try {
          return [JSON.parse(line) as unknown];
        } catch {
          (torn[path] ??= []).push(line);
          return [];
        }
      });

    const tasks = new Map<string, TaskState>();
    for (const taskId of await names(".rooroo/tasks")) {
      const folder = `.rooroo/tasks/${taskId}`;
      await lines(`${folder}/transcript.jsonl`);
      const record = await text(`${folder}/task.json`);
      if (record === undefined) continue;
      const report = await text(`${folder}/report.json`);
      tasks.set(taskId, {
        taskId,
        goal: (JSON.parse(record) as { goal: string }).goal,
        context: await text(`${folder}/context.md`),
        report,
        status:
          report === undefined ? undefined : (JSON.parse(report) as { status: string }).status,
      });
    }
    const queue = (await lines(".rooroo/queue.jsonl")) as { taskId: string }[];
    const activity = await lines(".rooroo/logs/activity.jsonl");
    for (const name of await names(".rooroo/conversations")) {
      await lines(`.rooroo/conversations/${name}`);
    }
    return new WorkspaceState(
      tasks,
      queue.map(({ taskId }) => taskId),
      (await names(".rooroo/locks"))
        .filter((name) => name.endsWith(".active"))
        .map((name) => name.slice(0, -".active".length)),
      await projectFiles(root),
      torn,
      activity as { event_type: string; task_id?: string; details: object }[],
    );
  }

  /** The number of times that each task was told to be Done. */
  get timesDone(): Map<string, number> {
    const times = new Map<string, number>();
    for (const { event_type, task_id = "", details } of this.activity) {
      if (event_type !== "EXPERT_REPORT_RECEIVED") continue;
      if ((details as { status?: string }).status !== "Done") continue;
      times.set(task_id, (times.get(task_id) ?? 0) + 1);
    }
    return times;
  }

  get isFinished(): boolean {
    const states = [...this.tasks.values()];
    return (
      states.length > 0 &&
      this.queue.length === 0 &&
      states.every(({ status }) => status === "Done")
    );
  }
}

async function projectFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || path.startsWith(".rooroo/")) continue;
    files[path] = await readFile(join(root, path), "utf8");
  }
  return files;
}
