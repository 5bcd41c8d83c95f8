import * as z from "zod";
import { newerSchema } from "../documents/newerSchema.js";
import { parseJson } from "../documents/parseJson.js";
import { UserError } from "../errors.js";
import { type Report, report } from "../experts/report.js";
import type { Clock, FileSystem } from "../ports.js";
import { HiddenFiles } from "../tools/hiddenFiles.js";
import { readNamedFile, readOwnDocument } from "../tools/namedFile.js";
import { formatSize } from "../tools/textFile.js";
import { visibleLine } from "../tools/visibleText.js";

export const tasksFolder = ".rooroo/tasks";

/** Bytes of a context; one that is larger is refused. */
const maxContext = 1_000_000;

/** What a task is, written once when it is made; it outlives the task's line in the queue. */
const taskRecord = z.object({
  schema: z.literal(1),
  taskId: z.string(),
  parentTaskId: z.string().nullable(),
  planId: z.string().nullable(),
  mode: z.string(),
  goal: z.string(),
  createdAt: z.string(),
});
export type TaskRecord = z.infer<typeof taskRecord>;

/** A question that waits for a person. */
const taskQuestion = z.object({
  questionId: z.string(),
  /** The call whose result the answer is; `null` when the answer is a new message. */
  callId: z.string().nullable(),
  text: z.string(),
  suggestions: z.array(z.string()),
});
export type TaskQuestion = z.infer<typeof taskQuestion>;

const taskApproval = z.object({ title: z.string() });
export type TaskApproval = z.infer<typeof taskApproval>;

export function taskFolder(taskId: string): string {
  return `${tasksFolder}/${taskId}`;
}

/** The files of a task's folder. */
export class TaskStore {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
  ) {}

  contextPath(taskId: string): string {
    return `${taskFolder(taskId)}/context.md`;
  }

  reportPath(taskId: string): string {
    return `${taskFolder(taskId)}/report.json`;
  }

  transcriptPath(taskId: string): string {
    return `${taskFolder(taskId)}/transcript.jsonl`;
  }

  /** Makes what is not there yet; a `context.md` that is there stays as it is (R-ROO-2). */
  async create(record: Omit<TaskRecord, "schema" | "createdAt">, context: string): Promise<void> {
    await this.files.createFile(this.contextPath(record.taskId), context);
    await this.files.createFile(
      `${taskFolder(record.taskId)}/task.json`,
      toJson({ schema: 1, ...record, createdAt: this.clock.now().toISOString() }),
    );
  }

  readRecord(taskId: string): Promise<TaskRecord | undefined> {
    return this.#read(`${taskFolder(taskId)}/task.json`, taskRecord);
  }

  readReport(taskId: string): Promise<Report | undefined> {
    return this.#read(this.reportPath(taskId), report);
  }

  async writeReport(taskId: string, value: Report): Promise<void> {
    await this.files.replaceFile(this.reportPath(taskId), toJson(value));
  }

  readQuestion(taskId: string): Promise<TaskQuestion | undefined> {
    return this.#read(`${taskFolder(taskId)}/question.json`, taskQuestion);
  }

  async writeQuestion(taskId: string, value: TaskQuestion): Promise<void> {
    await this.files.replaceFile(`${taskFolder(taskId)}/question.json`, toJson(value));
  }

  /** What a task would do that nobody could be asked about; there only while it waits for that. */
  approvalPath(taskId: string): string {
    return `${taskFolder(taskId)}/approval.json`;
  }

  readApproval(taskId: string): Promise<TaskApproval | undefined> {
    return this.#read(this.approvalPath(taskId), taskApproval);
  }

  async writeApproval(taskId: string, title: string): Promise<void> {
    await this.files.replaceFile(this.approvalPath(taskId), toJson({ title }));
  }

  async removeApproval(taskId: string): Promise<void> {
    await this.files.removeFile(this.approvalPath(taskId));
  }

  async removeQuestion(taskId: string): Promise<void> {
    await this.files.removeFile(`${taskFolder(taskId)}/question.json`);
  }

  /** Set when a plan's tasks are all in the queue. */
  async isPlanInstalled(taskId: string): Promise<boolean> {
    return (await this.files.stat(`${taskFolder(taskId)}/plan-queued.json`)) !== undefined;
  }

  async markPlanInstalled(taskId: string, subTaskIds: readonly string[]): Promise<void> {
    await this.files.createFile(
      `${taskFolder(taskId)}/plan-queued.json`,
      toJson({ schema: 1, tasks: subTaskIds }),
    );
  }

  /**
   * The context as an expert gets it; empty when there is none. A queue line may name any path, so a
   * file that experts could not read unasked, or that is too long, is refused with a {@link UserError}.
   */
  async readContext(path: string): Promise<string> {
    const hidden = new HiddenFiles(this.files).once();
    const file = await readNamedFile(path, this.files, maxContext, hidden);
    if (file.type === "missing") return "";
    if (file.type === "text" && file.size <= maxContext) return file.text;
    const why = file.type === "refused" ? file.why : `is longer than ${formatSize(maxContext)}`;
    throw new UserError(
      `The context file ${visibleLine(path, 200)} ${why}, so it is not given to an expert. Correct "context_file_path" in the task's line of the queue.`,
    );
  }

  /** Throws a {@link UserError} that names the file when its content is not what it should be. */
  async #read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const bytes = await readOwnDocument(path, this.files);
    if (bytes === undefined) return undefined;
    const json = parseJson(new TextDecoder().decode(bytes));
    const newer = json.ok ? newerSchema(json.value, path) : undefined;
    if (newer !== undefined) throw new UserError(newer);
    const parsed = schema.safeParse(json.ok ? json.value : undefined);
    if (parsed.success) return parsed.data;
    throw new UserError(
      `${path} cannot be read: ${json.ok ? (parsed.error.issues[0]?.message ?? "unknown form") : json.reason}. Mend the file, or move it away to let the task run again.`,
    );
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
