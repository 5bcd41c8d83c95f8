import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { attachmentsSchema } from "../../conversation/input/attachment.js";
import { inputText } from "../../conversation/input/parseInput.js";
import { userActionSchema } from "../../conversation/input/userAction.js";
import { conversationIdPattern } from "../../conversation/store/conversationFile.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { HeldLock, Lock } from "../../ports/locks.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { type Beginning, requestedWorkSchema } from "../../work/requestedWork.js";
import { taskLock } from "../tasks/taskIds.js";
import type { TaskStore } from "../tasks/taskStore.js";

/** The files are beside the locks, because git ignores that folder. */
const folder = ".rooroo/locks";
const ending = ".request";
const idPattern = /^ROO#REQUEST_[0-9]{14}_[0-9A-F]{6}$/;

const givenSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("say"),
    text: z.string(),
    attachments: attachmentsSchema,
    expert: z.string().optional(),
    isolated: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("act"), action: userActionSchema }),
  z.object({
    kind: z.literal("answer"),
    taskId: z.string(),
    text: z.string(),
    attachments: attachmentsSchema,
  }),
  /** Long work that is asked for outside of a conversation, with what can be said of it there only. */
  ...requestedWorkSchema.options,
]);

/** What a person has asked for: typed, chosen by a button, or as the answer to a task's question. */
export type Given = z.infer<typeof givenSchema>;

const requestSchema = z.object({
  id: z.string().regex(idPattern),
  /** ISO 8601. */
  at: z.string(),
  conversation: z.string().regex(conversationIdPattern).optional(),
  given: givenSchema,
  /** The task or the run that it becomes, or became. */
  task: z.string().optional(),
  /** The task whose question it answers. */
  answers: z.string().optional(),
});

/** A request as it was written down when it was made. */
export type GivenRequest = z.infer<typeof requestSchema>;

/** A request that is being carried out here. */
export interface BegunRequest extends Beginning {
  /** Writes down that it answers a task's question. */
  answers(taskId: TaskId): Promise<void>;
}

/** The requests whose process has ended before they came to anything, and those that had become tasks by then. */
export interface Interrupted {
  readonly left: readonly GivenRequest[];
  readonly begun: readonly (GivenRequest & { readonly task: TaskId })[];
}

/** Returns whether an id is that of a request, and of no task. */
export function isRequestId(id: string): boolean {
  return idPattern.test(id);
}

/** Returns the ids of the requests that have files, whoever wrote these. */
export async function requestIds(files: FileSystem): Promise<string[]> {
  const names = (await files.readDirectory(folder)).map(({ name }) => name);
  const ids = names.filter((name) => name.endsWith(ending));
  return ids.map((name) => name.slice(0, -ending.length)).filter(isRequestId);
}

/** Returns what a person said, in one text: as they would have typed it. */
export function requestText({ given }: GivenRequest): string {
  switch (given.kind) {
    case "act":
      return inputText(given.action);
    case "run":
      return inputText({ action: "startRun", request: given.run.request });
    case "job":
      return inputText({ action: "runJob", name: given.job.name });
    case "say":
    case "answer":
      return given.text;
  }
}

/**
 * The requests that are being carried out, each in a signed file, which is the first that is written for it and goes when
 * the request has come to its end. A file without a process was interrupted: it is shown, and nobody begins it again but
 * a person.
 */
export class GivenRequests {
  #keepsFiles = false;

  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly signer: Signer,
  ) {}

  /** Keeps the files of requests that end from now on, because the process ends and not the request. */
  keep(): void {
    this.#keepsFiles = true;
  }

  /**
   * Writes down a request that begins, or begins again.
   *
   * @throws {UserError} if it is at work, perhaps in another process
   */
  async begin(request: GivenRequest): Promise<BegunRequest> {
    const { id } = request;
    let now = request;
    let isOver = false;
    const held = await this.#beginWith(request);
    const change = async (more: Partial<GivenRequest>): Promise<void> => {
      now = { ...now, ...more };
      await this.files.replaceFile(...this.#file(now));
    };
    const over = async (keepsFile: boolean): Promise<void> => {
      if (isOver) return;
      isOver = true;
      if (!keepsFile) await this.files.removeFile(pathOf(id));
      await held.release();
    };
    return {
      became: request.task,
      becomes: (task) => change({ task }),
      answers: (answers) => change({ answers }),
      end: () => over(this.#keepsFiles),
      leave: () => over(true),
    };
  }

  /** The file first: a process that ends before it has the lock has made the request all the same. */
  async #beginWith(request: GivenRequest): Promise<HeldLock> {
    await this.files.createFile(...this.#file(request));
    const lock = await this.lock.tryHold(taskLock(request.id));
    if ("held" in lock) return lock.held;
    throw new UserError("requestAtWork", "The request {id} is being carried out already.", {
      id: request.id,
    });
  }

  async find(id: string): Promise<GivenRequest | undefined> {
    return isRequestId(id) ? this.#read(id) : undefined;
  }

  async remove(id: string): Promise<void> {
    await this.files.removeFile(pathOf(id));
  }

  /** Returns what was interrupted, oldest first; forgets answers that had been taken by then. */
  async interrupted(store: TaskStore): Promise<Interrupted> {
    const left: GivenRequest[] = [];
    const begun: (GivenRequest & { readonly task: TaskId })[] = [];
    for (const id of await requestIds(this.files)) {
      const request = await this.find(id);
      if (request === undefined || (await this.lock.holder(taskLock(id))) !== undefined) continue;
      const { task, answers } = request;
      if (task !== undefined && (await store.hasRecord(task))) begun.push({ ...request, task });
      else if (answers === undefined || (await isOpen(answers, store))) left.push(request);
    }
    return { left, begun };
  }

  #file(request: GivenRequest): [path: string, content: string] {
    const path = pathOf(request.id);
    return [path, signJson(`${JSON.stringify(request)}\n`, path, this.signer)];
  }

  async #read(id: string): Promise<GivenRequest | undefined> {
    const path = pathOf(id);
    const bytes = await readOwnDocument(path, this.files).catch(() => undefined);
    const text = new TextDecoder().decode(bytes);
    if (bytes === undefined || !isSigned(text, path, this.signer)) return undefined;
    const json = parseJson(text);
    const found = requestSchema.safeParse(json.ok ? json.value : undefined).data;
    return found?.id === id ? found : undefined;
  }
}

/** Returns whether a task's question waits for an answer that is not written down in the task's record yet. */
async function isOpen(taskId: TaskId, store: TaskStore): Promise<boolean> {
  const question = await store.readQuestion(taskId).catch(() => undefined);
  if (question === undefined) return false;
  const answers = await store.answersIn(taskId);
  return !answers.some(({ questionId }) => questionId === question.questionId);
}

function pathOf(id: string): string {
  return `${folder}/${id}${ending}`;
}
