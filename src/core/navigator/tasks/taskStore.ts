import pLimit from "p-limit";
import * as z from "zod";
import { IgnoredFiles } from "../../access/ignoredFiles.js";
import {
  findOwnDocument,
  type NamedFile,
  readNamedFile,
  readOwnDocument,
} from "../../access/namedFile.js";
import { isProtected } from "../../access/protectedFiles.js";
import { reviewedChangesSchema } from "../../conversation/input/reviewedChanges.js";
import { conversationIdPattern } from "../../conversation/store/conversationFile.js";
import { jsonFault } from "../../documents/jsonFault.js";
import { newerSchema } from "../../documents/newerSchema.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import { type Report, report } from "../../experts/report.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Clock, Signer } from "../../ports/system.js";
import { SignatureChain } from "../../provenance/signatureChain.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { formatSize } from "../../text/textFile.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, spoken, words } from "../../text/words.js";
import { wordsSchema } from "../../text/wordsSchema.js";
import type { UserRequest } from "./userRequest.js";

export const tasksFolder = ".rooroo/tasks";

/** Reads few tasks' folders at a time: each has some files open meanwhile. */
export const atATime = pLimit(32);

/** The most bytes of a context; a larger one is refused. */
const maxContext = 1_000_000;

/** A task's record, written when it is made and when it starts; it outlives the task's entry in the queue. */
const taskRecord = z.object({
  schema: z.literal(1),
  taskId: z.string(),
  parentTaskId: z.string().nullable(),
  planId: z.string().nullable(),
  mode: z.string(),
  goal: z.string(),
  /** The user's request, as in `UserRequest.text`. Absent if there was none, or an earlier version wrote this. */
  request: z.string().optional(),
  /** The images that came with the request. */
  images: z.array(z.object({ path: z.string(), name: z.string() })).optional(),
  createdAt: z.string(),
  /** The conversation in which the task was started. Absent: it is only queued, or from an earlier version. */
  conversation: z.string().regex(conversationIdPattern).optional(),
  /** The context file, if a line of the queue named another one than the `context.md` of the task's folder. */
  contextPath: z.string().optional(),
  /** The user asked for this one task: no other follows it by itself. */
  single: z.literal(true).optional(),
  /** A planner's task: the plan that it makes waits until the user starts it. */
  planWaits: z.literal(true).optional(),
  /** Whether the user asked that the task, or the plan that it makes, works in a worktree. Absent: the settings say. */
  isolated: z.boolean().optional(),
  /** The changes that the task reviews: its report has findings. Absent: it is no review. */
  review: reviewedChangesSchema.optional(),
  /** The user removed the task from the queue before it began, or took it back by a restore: no list shows it. */
  removed: z.literal(true).optional(),
  /** The questions that the task asked the user, with the answers; later tasks of the plan are told. */
  answers: z
    .array(z.object({ questionId: z.string(), question: z.string(), answer: z.string() }))
    .optional(),
});
export type TaskRecord = z.infer<typeof taskRecord>;

/** What the user asked for, as {@link UserRequest} has it. */
export type AskedFor = Pick<UserRequest, "text" | "images">;

type TaskAnswer = NonNullable<TaskRecord["answers"]>[number];

/** A question that waits for the user's answer. */
const taskQuestion = z.object({
  questionId: z.string(),
  /** The call whose result the answer is; `null` when the answer is a new message. */
  callId: z.string().nullable(),
  text: z.string(),
  suggestions: z.array(z.string()),
  /** The user has left the brainstorm: the question does not wait, and can still be answered. */
  closed: z.literal(true).optional(),
});
export type TaskQuestion = z.infer<typeof taskQuestion>;

const taskApproval = z.object({
  title: z.string(),
  /** What the title is made of. Absent: an earlier version has written the file, or it is no words of ours. */
  said: wordsSchema.optional().catch(undefined),
});
/** The action that a task waits for. */
export interface TaskApproval {
  readonly title: Said;
}

/** When the task's changes were undone, and the paths of those that were left alone. */
const taskUndone = z.object({ at: z.string(), left: z.array(z.string()) });
export type TaskUndone = z.infer<typeof taskUndone>;

/** The most bytes of a transcript's first line, which has the system prompt. */
const longestFirstLine = 1_000_000;

const planQueued = z.object({ schema: z.literal(1), tasks: z.array(z.string()) });

/** Files of a task's folder that are trusted or acted on, besides its transcript and changes. */
const stateFiles = ["report.json", "question.json", "approval.json", "plan-queued.json"] as const;

interface Found<T> {
  readonly value: T;
  /** Whether this installation signed the file. */
  readonly own: boolean;
  /** When the file was last changed: milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export function taskFolder(taskId: TaskId): string {
  return `${tasksFolder}/${taskId}`;
}

/**
 * The files of a task's folder. Those that keep its state are signed when they are written. Except for
 * the task's record, one that this installation did not write is read as absent; {@link foreignFiles}
 * names it.
 */
export class TaskStore {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly signer: Signer,
  ) {}

  contextPath(taskId: TaskId): string {
    return `${taskFolder(taskId)}/context.md`;
  }

  reportPath(taskId: TaskId): string {
    return `${taskFolder(taskId)}/report.json`;
  }

  transcriptPath(taskId: TaskId): string {
    return `${taskFolder(taskId)}/transcript.jsonl`;
  }

  /**
   * Creates the task's record and context where they are missing; an existing `context.md` stays as it
   * is, and none is made beside a context file of another path (R-ROO-2). The record, which has the goal,
   * comes first: a process that ends in between leaves a task that lists show.
   */
  async create(record: Omit<TaskRecord, "schema" | "createdAt">, context: string): Promise<void> {
    const { contextPath: named, ...fields } = record;
    const path = recordPath(record.taskId);
    const isOther = named !== undefined && named !== this.contextPath(record.taskId);
    const other = isOther ? { contextPath: named } : {};
    const createdAt = this.clock.now().toISOString();
    const text = this.#signed(path, { schema: 1, ...fields, createdAt, ...other });
    await this.files.createFile(path, text);
    if (!isOther) await this.createContext(record.taskId, context);
  }

  /** Creates the task's own `context.md`; one that is there already stays as it is (R-ROO-2). */
  async createContext(taskId: TaskId, content: string): Promise<void> {
    await this.files.createFile(this.contextPath(taskId), content);
  }

  /**
   * Records as what the task is started, which its line in the queue may have changed since the record was
   * made. Returns the record as it was; `undefined` if there is none. A record that this installation did not
   * write loses the user's words that it claims to have, because it is signed now.
   *
   * @param start `single`: whether no other task follows by itself; absent: as it was. `conversation`: where the
   *   task is started; one that has a conversation already stays in it
   */
  async recordStart(
    taskId: TaskId,
    start: {
      mode: string;
      goal: string;
      contextPath: string;
      single?: boolean | undefined;
      conversation?: ConversationId | undefined;
    },
  ): Promise<TaskRecord | undefined> {
    const found = await this.findRecord(taskId);
    if (found === undefined) return undefined;
    const before = found.own
      ? found.value
      : {
          ...found.value,
          request: undefined,
          images: undefined,
          answers: undefined,
          conversation: undefined,
        };
    const {
      contextPath: named = this.contextPath(taskId),
      single: was = false,
      removed,
      ...rest
    } = before;
    const { mode, goal, contextPath, single = was } = start;
    const conversation = rest.conversation ?? start.conversation;
    const isSame = mode === rest.mode && goal === rest.goal && contextPath === named;
    const isThere = conversation === rest.conversation;
    if (isSame && single === was && removed === undefined && isThere) return before;
    const other = contextPath === this.contextPath(taskId) ? {} : { contextPath };
    const where = conversation === undefined ? {} : { conversation };
    const record = { ...rest, mode, goal, ...other, ...(single ? { single } : {}), ...where };
    const path = recordPath(taskId);
    await this.files.replaceFile(path, this.#signed(path, record));
    return before;
  }

  /** Records that the user removed the task or took it back. Ignores a task that is not ours. */
  async markRemoved(taskId: TaskId): Promise<void> {
    const found = await this.findRecord(taskId);
    if (found?.own !== true) return;
    const path = recordPath(taskId);
    await this.files.replaceFile(path, this.#signed(path, { ...found.value, removed: true }));
  }

  /** Takes {@link markRemoved} back. */
  async markPresent(taskId: TaskId): Promise<void> {
    const found = await this.findRecord(taskId);
    if (found?.own !== true) return;
    const { removed, ...record } = found.value;
    if (removed === undefined) return;
    const path = recordPath(taskId);
    await this.files.replaceFile(path, this.#signed(path, record));
  }

  /**
   * Reads the task's record, also when this installation did not write it: it is a goal, and grants no
   * permission.
   */
  async readRecord(taskId: TaskId): Promise<TaskRecord | undefined> {
    return (await this.findRecord(taskId))?.value;
  }

  /** Returns whether there is a record, readable or not. */
  async hasRecord(taskId: TaskId): Promise<boolean> {
    return (await this.files.stat(recordPath(taskId))) !== undefined;
  }

  /** Reads the record as {@link readRecord} does; `own`: this installation made the task. */
  findRecord(taskId: TaskId): Promise<Found<TaskRecord> | undefined> {
    return this.#find(recordPath(taskId), taskRecord);
  }

  /** Returns the conversation in which a task of this installation was started. */
  async conversationOf(taskId: TaskId): Promise<ConversationId | undefined> {
    const found = await this.findRecord(taskId);
    return found?.own === true ? found.value.conversation : undefined;
  }

  /** Returns what the user asked for with a task that this installation made, as in `UserRequest`. */
  async requestOf(taskId: TaskId): Promise<AskedFor | undefined> {
    const found = await this.findRecord(taskId);
    const { request: text, images = [] } = found?.own === true ? found.value : {};
    return text === undefined ? undefined : { text, images };
  }

  /**
   * Returns whether the task has been worked on here: its transcript begins with a line of this
   * installation.
   */
  async hasOwnTranscript(taskId: TaskId): Promise<boolean> {
    const path = this.transcriptPath(taskId);
    const bytes = await this.files.readRange(path, 0, longestFirstLine).catch(() => undefined);
    const [first = ""] = new TextDecoder().decode(bytes).split("\n", 1);
    return new SignatureChain(path, this.signer).accept(first) === "next";
  }

  /**
   * Returns the paths of the task's state files, without transcript and changes, that this installation
   * did not write. Throws a {@link UserError} for one that cannot be read.
   */
  async foreignFiles(taskId: TaskId): Promise<string[]> {
    const foreign: string[] = [];
    for (const name of stateFiles) {
      const path = `${taskFolder(taskId)}/${name}`;
      const bytes = await readOwnDocument(path, this.files);
      if (bytes === undefined) continue;
      if (!isSigned(new TextDecoder().decode(bytes), path, this.signer)) foreign.push(path);
    }
    return foreign;
  }

  /** Keeps what the user was asked in a task and answers, for the tasks after it. */
  async recordAnswer(taskId: TaskId, given: TaskAnswer): Promise<void> {
    const found = await this.findRecord(taskId);
    if (found?.own !== true) return;
    const rest = (found.value.answers ?? []).filter(
      ({ questionId }) => questionId !== given.questionId,
    );
    const path = recordPath(taskId);
    const record = { ...found.value, answers: [...rest, given] };
    await this.files.replaceFile(path, this.#signed(path, record));
  }

  /** Returns what the user was asked in a task of this installation, and answered, in order. */
  async answersIn(taskId: TaskId): Promise<readonly TaskAnswer[]> {
    const found = await this.findRecord(taskId);
    return found?.own === true ? (found.value.answers ?? []) : [];
  }

  readReport(taskId: TaskId): Promise<Report | undefined> {
    return this.#read(this.reportPath(taskId), report);
  }

  /** Reads the report also when this installation did not write it. */
  findReport(taskId: TaskId): Promise<Found<Report> | undefined> {
    return this.#find(this.reportPath(taskId), report);
  }

  async writeReport(taskId: TaskId, value: Report): Promise<void> {
    const path = this.reportPath(taskId);
    await this.files.replaceFile(path, this.#signed(path, value));
  }

  readQuestion(taskId: TaskId): Promise<TaskQuestion | undefined> {
    return this.#read(questionPath(taskId), taskQuestion);
  }

  async writeQuestion(taskId: TaskId, value: TaskQuestion): Promise<void> {
    const path = questionPath(taskId);
    await this.files.replaceFile(path, this.#signed(path, value));
  }

  /**
   * Returns the path of the file that says which action needs approval; it exists only while the task
   * waits for that.
   */
  approvalPath(taskId: TaskId): string {
    return `${taskFolder(taskId)}/approval.json`;
  }

  async readApproval(taskId: TaskId): Promise<TaskApproval | undefined> {
    const read = await this.#read(this.approvalPath(taskId), taskApproval);
    if (read === undefined) return undefined;
    return { title: read.said ?? read.title };
  }

  async writeApproval(taskId: TaskId, title: Said): Promise<void> {
    const path = this.approvalPath(taskId);
    const said = typeof title === "string" ? {} : { said: title };
    await this.files.replaceFile(path, this.#signed(path, { title: spoken(title), ...said }));
  }

  async removeApproval(taskId: TaskId): Promise<void> {
    await this.files.removeFile(this.approvalPath(taskId));
  }

  /** Returns when the task's changes were undone; `undefined` if they were not, or the task ran afterwards. */
  readUndone(taskId: TaskId): Promise<TaskUndone | undefined> {
    return this.#read(undonePath(taskId), taskUndone);
  }

  async writeUndone(taskId: TaskId, value: TaskUndone): Promise<void> {
    const path = undonePath(taskId);
    await this.files.replaceFile(path, this.#signed(path, value));
  }

  async removeUndone(taskId: TaskId): Promise<void> {
    await this.files.removeFile(undonePath(taskId));
  }

  async removeQuestion(taskId: TaskId): Promise<void> {
    await this.files.removeFile(questionPath(taskId));
  }

  /** Returns whether all tasks of a planner's plan have been put into the queue. */
  async isPlanInstalled(taskId: TaskId): Promise<boolean> {
    return (await this.#read(planQueuedPath(taskId), planQueued)) !== undefined;
  }

  async markPlanInstalled(taskId: TaskId, subTaskIds: readonly string[]): Promise<void> {
    const path = planQueuedPath(taskId);
    await this.files.createFile(path, this.#signed(path, { schema: 1, tasks: subTaskIds }));
  }

  /**
   * Reads the context for an expert; `undefined` when there is none. A queue entry may name any path, so a
   * file that experts could not read without approval, that is protected, or that is too long, is refused with a {@link
   * UserError}.
   */
  async readContext(path: string): Promise<string | undefined> {
    const hidden = new IgnoredFiles(this.files).once();
    const found = await readNamedFile(path, this.files, maxContext, hidden);
    const isRefused = found.type === "text" && (await this.#isProtected(path));
    const file: NamedFile = isRefused ? { type: "refused", why: words("is protected") } : found;
    if (file.type === "missing") return undefined;
    if (file.type === "text" && file.size <= maxContext) return file.text;
    const why = file.type === "refused" ? file.why : `is longer than ${formatSize(maxContext)}`;
    throw new UserError(
      "contextRefused",
      'The context file {path} {reason}, so it is not given to an expert. Correct "context_file_path" in the task\'s line of the queue.',
      { path: visibleLine(path, 200), reason: why },
    );
  }

  /** Returns whether a file is protected, or one of Rooroo's own that is no expert's. */
  async #isProtected(path: string): Promise<boolean> {
    const { path: real } = await this.files.locate(path);
    return isProtected(real) && !/^\.rooroo\/(?:tasks|plans|brainstorming)\//.test(real);
  }

  #signed(path: string, value: object): string {
    return signJson(`${JSON.stringify(value, null, 2)}\n`, path, this.signer);
  }

  /** Reads a file as {@link #find} does; `undefined` also when this installation did not write it. */
  async #read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const found = await this.#find(path, schema);
    return found?.own === true ? found.value : undefined;
  }

  /**
   * Reads and validates a file. Throws a {@link UserError} that names the file when its content is
   * invalid.
   */
  async #find<T>(path: string, schema: z.ZodType<T>): Promise<Found<T> | undefined> {
    const found = await findOwnDocument(path, this.files);
    if (found === undefined) return undefined;
    const text = new TextDecoder().decode(found.bytes);
    const json = parseJson(text);
    const newer = json.ok ? newerSchema(json.value, path) : undefined;
    if (newer !== undefined) throw newer;
    const parsed = schema.safeParse(json.ok ? json.value : undefined);
    if (parsed.success) {
      const own = isSigned(text, path, this.signer);
      return { value: parsed.data, own, modifiedAt: found.modifiedAt };
    }
    throw new UserError(
      "taskFileInvalid",
      "{path} cannot be read: {problem}. Mend the file, or move it away to let the task run again.",
      {
        path,
        problem: json.ok
          ? words("it does not have the form of such a file")
          : words("it is not JSON ({place})", { place: jsonFault(text) }),
      },
    );
  }
}

/** Returns the fields of a task's record that say what the user asked for. */
export function recorded(asked: AskedFor | undefined): Pick<TaskRecord, "request" | "images"> {
  if (asked === undefined) return {};
  const { text: request, images } = asked;
  return images.length === 0 ? { request } : { request, images: [...images] };
}

/** Returns the content of a context that says no more than the goal. */
export function plainContext({ taskId, goal }: { taskId: TaskId; goal: string }): string {
  return `# ${taskId}\n\n## Goal\n\n${goal}\n`;
}

export function recordPath(taskId: TaskId): string {
  return `${taskFolder(taskId)}/task.json`;
}

function questionPath(taskId: TaskId): string {
  return `${taskFolder(taskId)}/question.json`;
}

function undonePath(taskId: TaskId): string {
  return `${taskFolder(taskId)}/undone.json`;
}

function planQueuedPath(taskId: TaskId): string {
  return `${taskFolder(taskId)}/plan-queued.json`;
}
