import * as z from "zod";
import { readOwnDocument } from "../access/namedFile.js";
import { parseJson } from "../documents/parseJson.js";
import { taskIdPattern } from "../documents/queue.js";
import type { TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Clock, Ids, Signer } from "../ports/system.js";
import { isSigned, signJson } from "../provenance/signedJson.js";
import { KeyedQueue } from "../text/keyedQueue.js";
import type { Redactor } from "../text/redactor.js";
import type { Inbox, UserMessage } from "./inbox.js";

const pendingMessage = z.object({
  schema: z.literal(1),
  id: z.string(),
  /** ISO 8601; gives the order. */
  at: z.string(),
  text: z.string(),
  /** What came with the text, as in {@link UserMessage}. */
  attached: z.array(z.string()).optional(),
  images: z.array(z.object({ path: z.string(), name: z.string() })).optional(),
  isHandedOn: z.literal(true).optional(),
});

/** A message to an agent that has not been delivered yet. */
export interface PendingMessage extends UserMessage {
  readonly at: string;
}

interface PendingMessageParts {
  readonly files: FileSystem;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly redactor: Redactor;
}

const fileName = /^message-(u-[a-z0-9]+)\.json$/i;

/** Returns whether a file of this name in a session's folder holds a pending message. */
export function isMessageFile(name: string): boolean {
  return fileName.test(name);
}

/**
 * The messages that wait for agents at work, each in a signed file of its session's folder. A file that this
 * installation did not write is no message. Which messages were delivered is in the transcript: the file goes after
 * the transcript's line is written.
 */
export class PendingMessages {
  /** Messages of a session are not changed while they are delivered. */
  readonly #turns = new KeyedQueue();

  constructor(private readonly parts: PendingMessageParts) {}

  /** Adds a message for a session's agent; it is on disk when the promise resolves. */
  async add(
    sessionId: TaskId,
    given: Pick<UserMessage, "text" | "attached" | "images">,
  ): Promise<PendingMessage> {
    const at = this.parts.clock.now().toISOString();
    const message = { id: `u-${this.parts.ids.hex(12)}`, at, ...this.parts.redactor.each(given) };
    await this.parts.files.createFile(...this.#file(sessionId, message));
    return message;
  }

  /** Replaces a message's text. Returns `false` if the message has been delivered or removed. */
  change(sessionId: TaskId, id: string, text: string): Promise<boolean> {
    return this.#turns.run(sessionId, async () => {
      const before = await this.#read(sessionId, id);
      if (before === undefined) return false;
      const message = { ...before, text: this.parts.redactor.text(text) };
      return this.parts.files.replaceFile(...this.#file(sessionId, message));
    });
  }

  /** Removes a message and returns it; `undefined` if it has been delivered or removed. */
  remove(sessionId: TaskId, id: string): Promise<PendingMessage | undefined> {
    return this.#turns.run(sessionId, async () => {
      const found = await this.#read(sessionId, id);
      if (found !== undefined) await this.parts.files.removeFile(pathOf(sessionId, id));
      return found;
    });
  }

  /** Returns the messages that wait for a session's agent, oldest first. */
  async list(sessionId: TaskId): Promise<PendingMessage[]> {
    if (!taskIdPattern.test(sessionId)) return [];
    const names = (await this.parts.files.readDirectory(folderOf(sessionId))).map(
      ({ name }) => name,
    );
    const ids = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const read = await Promise.all(ids.map((id) => this.#read(sessionId, id)));
    const found = read.filter((message) => message !== undefined);
    return found.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  }

  /**
   * Hands the messages that a session's agent was not told on to another session's, which is about to begin or to be
   * resumed. A process that is killed meanwhile leaves a message in both folders; when the session is opened again,
   * this puts that right. Nobody else may hand on or deliver the first session's messages at the same time.
   */
  handOn(from: TaskId, to: TaskId): Promise<void> {
    return this.#turns.run(from, async () => {
      for (const message of await this.list(from)) {
        await this.parts.files.createFile(...this.#file(to, { ...message, isHandedOn: true }));
        await this.parts.files.removeFile(pathOf(from, message.id));
      }
    });
  }

  /** Returns the inbox of a session's agent. */
  inbox(sessionId: TaskId): Inbox {
    return {
      hasMessages: async () => (await this.list(sessionId)).length > 0,
      take: (deliver) =>
        this.#turns.run(sessionId, async () => {
          for (const message of await this.list(sessionId)) {
            await deliver(message);
            await this.parts.files.removeFile(pathOf(sessionId, message.id));
          }
        }),
    };
  }

  #file(sessionId: TaskId, message: PendingMessage): [path: string, content: string] {
    const path = pathOf(sessionId, message.id);
    const json = `${JSON.stringify({ ...message, schema: 1 }, null, 2)}\n`;
    return [path, signJson(json, path, this.parts.signer)];
  }

  async #read(sessionId: TaskId, id: string): Promise<PendingMessage | undefined> {
    // Both may come from a page, and become parts of a path.
    if (!taskIdPattern.test(sessionId) || !isMessageFile(`message-${id}.json`)) return undefined;
    const path = pathOf(sessionId, id);
    const bytes = await readOwnDocument(path, this.parts.files);
    const text = new TextDecoder().decode(bytes);
    if (bytes === undefined || !isSigned(text, path, this.parts.signer)) return undefined;
    const json = parseJson(text);
    const parsed = pendingMessage.safeParse(json.ok ? json.value : undefined);
    return parsed.success && parsed.data.id === id ? parsed.data : undefined;
  }
}

function folderOf(sessionId: TaskId): string {
  return `.rooroo/tasks/${sessionId}`;
}

function pathOf(sessionId: TaskId, id: string): string {
  return `${folderOf(sessionId)}/message-${id}.json`;
}
