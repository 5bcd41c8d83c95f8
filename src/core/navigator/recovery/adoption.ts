import { conversationsFolder } from "../../conversation/store/conversationFile.js";
import { journalPath } from "../../conversation/store/journal.js";
import { parseJsonLine, toJsonLine } from "../../documents/jsonLines.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Clock, Signer } from "../../ports/system.js";
import { SignatureChain } from "../../provenance/signatureChain.js";
import { isSigned, signJson, withoutSignature } from "../../provenance/signedJson.js";
import { type Words, words } from "../../text/words.js";
import { taskLock } from "../tasks/taskIds.js";
import { taskFolder, tasksFolder } from "../tasks/taskStore.js";

interface Services {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly signer: Signer;
  readonly clock: Clock;
}

/** The result of an adoption. */
export interface Adopted {
  readonly taskIds: readonly TaskId[];
  /** The number of lines of the conversation that were adopted. */
  readonly messages: number;
}

/** Returns a sentence for the user that says what was adopted. */
export function adoptedWords({ taskIds, messages }: Adopted): Words {
  const tasks = taskIds.length;
  if (tasks === 0 && messages === 0) return words("There is nothing here to adopt.");
  return messages === 0
    ? words(
        "Adopted {tasks, plural, one {# task} other {# tasks}}. Resume what you want to continue.",
        { tasks },
      )
    : words(
        "Adopted {tasks, plural, one {# task} other {# tasks}} and {messages, plural, one {# message} other {# messages}} of the conversation. Resume what you want to continue.",
        { tasks, messages },
      );
}

const signedFiles = [
  "task.json",
  "report.json",
  "question.json",
  "approval.json",
  "plan-queued.json",
];
const jobsFolder = ".rooroo/jobs";
const runsFolder = ".rooroo/runs";

/**
 * Adopts what this installation did not write, after a person's confirmation: signs it unchanged, so
 * that it counts from now on. Each call that waits in an adopted transcript needs approval before it
 * runs.
 */
export class Adoption {
  constructor(private readonly services: Services) {}

  /**
   * Signs the files of one task, or of all tasks, the jobs' unfinished changes and the conversation.
   * Leaves out tasks that are being worked on.
   *
   * @param taskId one task; `undefined`: everything
   * @throws {@link UserError} when there is no such task, or another program changes a file meanwhile
   */
  async adopt(taskId: TaskId | undefined): Promise<Adopted> {
    const { files } = this.services;
    const folders = (await files.readDirectory(tasksFolder)).filter(
      ({ kind }) => kind === "folder",
    );
    const names = folders.map(({ name }) => name);
    if (taskId !== undefined && !names.includes(taskId)) {
      throw new UserError("taskUnknown", "There is no task {taskId} here.", { taskId });
    }
    const taskIds: TaskId[] = [];
    for (const name of taskId === undefined ? names : [taskId]) {
      if (await this.#adoptTask(name)) taskIds.push(name);
    }
    if (taskId !== undefined) return { taskIds, messages: 0 };
    for (const { name, kind } of await files.readDirectory(jobsFolder)) {
      if (kind !== "folder") continue;
      await this.#signFile(`${jobsFolder}/${name}/taken.json`);
      const folder = `${jobsFolder}/${name}/changes`;
      for (const change of await files.readDirectory(folder)) {
        await this.#signFile(`${folder}/${change.name}`);
      }
    }
    for (const { name } of await files.readDirectory(runsFolder)) {
      if (name.endsWith(".taken.json")) await this.#signFile(`${runsFolder}/${name}`);
    }
    return { taskIds, messages: await this.#adoptConversations() };
  }

  /** Signs the lines and titles of all conversations. Resolves with how many lines were foreign. */
  async #adoptConversations(): Promise<number> {
    let messages = await this.#signLines(journalPath);
    for (const { name, kind } of await this.services.files.readDirectory(conversationsFolder)) {
      const path = `${conversationsFolder}/${name}`;
      if (kind !== "file") continue;
      if (name.endsWith(".jsonl")) messages += await this.#signLines(path);
      else if (name.endsWith(".title.json")) await this.#signFile(path);
    }
    return messages;
  }

  /** Resolves with whether any of the task's files was not written by this installation. */
  async #adoptTask(taskId: TaskId): Promise<boolean> {
    const own = await this.services.lock.tryHold(taskLock(taskId));
    if ("holder" in own) return false;
    try {
      const folder = taskFolder(taskId);
      let found = await this.#adoptTranscript(`${folder}/transcript.jsonl`);
      for (const name of signedFiles) found = (await this.#signFile(`${folder}/${name}`)) || found;
      const changed = await this.#signLines(`${folder}/changes/log.jsonl`);
      return found || changed > 0;
    } finally {
      await own.held.release();
    }
  }

  /**
   * Signs the lines in their order and appends one that says that they were adopted. Resolves with
   * `false`, changing nothing, if no line is foreign.
   */
  async #adoptTranscript(path: string): Promise<boolean> {
    const { files, signer, clock } = this.services;
    const bytes = await files.readFile(path);
    if (bytes === undefined) return false;
    const lines = new TextDecoder().decode(bytes).split("\n");
    const known = new SignatureChain(path, signer);
    if (lines.every((line) => !isObject(line) || known.accept(line) !== "foreign")) return false;
    const chain = new SignatureChain(path, signer);
    const sign = (line: string): string => {
      const [signed = line] = chain.sign([withoutSignature(line)]);
      chain.accept(signed);
      return signed;
    };
    const at = clock.now().toISOString();
    const adopted = lines
      .filter((line) => line !== "")
      .map((line) => (isObject(line) ? sign(line) : line));
    const text = [...adopted, sign(toJsonLine({ type: "adopted", at })), ""].join("\n");
    await this.#replace(path, text, bytes);
    return true;
  }

  /** Signs each line by itself. Resolves with how many were not written by this installation. */
  async #signLines(path: string): Promise<number> {
    const { files, signer } = this.services;
    const bytes = await files.readFile(path);
    if (bytes === undefined) return 0;
    let signed = 0;
    const lines = new TextDecoder()
      .decode(bytes)
      .split("\n")
      .map((line) => {
        if (!isObject(line) || isSigned(line, path, signer)) return line;
        signed++;
        return signJson(withoutSignature(line), path, signer);
      });
    if (signed > 0) await this.#replace(path, lines.join("\n"), bytes);
    return signed;
  }

  async #signFile(path: string): Promise<boolean> {
    const { files, signer } = this.services;
    const bytes = await files.readFile(path);
    if (bytes === undefined) return false;
    const text = new TextDecoder().decode(bytes);
    const json = parseJson(text);
    const isEmpty = json.ok && Object.keys(json.value ?? {}).length === 0;
    if (!json.ok || isEmpty || isSigned(text, path, signer)) return false;
    await this.#replace(path, signJson(withoutSignature(text), path, signer), bytes);
    return true;
  }

  async #replace(path: string, text: string, expected: Uint8Array): Promise<void> {
    if (await this.services.files.replaceFile(path, text, { expected })) return;
    throw new UserError("fileBusy", "{path} is being changed by another program. Try again.", {
      path,
    });
  }
}

/** Returns whether a line can be signed; torn or damaged lines stay as they are. */
function isObject(line: string): boolean {
  if (!/^\{\s*"/.test(line)) return false;
  return parseJsonLine(line).ok;
}
