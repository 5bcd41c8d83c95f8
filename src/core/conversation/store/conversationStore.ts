import * as z from "zod/mini";
import { parseJsonLine } from "../../documents/jsonLines.js";
import { parseJson } from "../../documents/parseJson.js";
import type { ConversationId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import type { ConversationEvent } from "../events/events.js";
import {
  choicesPath,
  conversationIdPattern,
  conversationPath,
  conversationsFolder,
  earlierConversation,
  titlePath,
} from "./conversationFile.js";
import { ConversationJournal } from "./journal.js";
import { standingEvents } from "./standingEvents.js";
import { titleOf } from "./titleOf.js";

/** A conversation as a list shows it. */
export interface ConversationEntry {
  readonly id: ConversationId;
  /** The title that a person gave it, else its first request in short; `""` if it has none yet. */
  readonly title: string;
  /** ISO 8601; `""` if that cannot be told. */
  readonly createdAt: string;
  /** Milliseconds since the epoch of the last event. */
  readonly changedAt: number;
  /** Whether it came with the folder: its beginning was not written by this installation. */
  readonly foreign: boolean;
}

/** A conversation in which words were found. */
export interface FoundConversation extends ConversationEntry {
  /** The text in which the words are; `""` if they are in the title. */
  readonly excerpt: string;
}

/** What the beginning of a conversation's file says. It does not change any more once it is `final`. */
interface Head {
  readonly title: string;
  readonly createdAt: string;
  readonly foreign: boolean;
  readonly final: boolean;
}

/** The bytes that are read of a file until its first request is found. */
const headSizes = [4_096, 65_536, 2_000_000];

/** The most bytes of a file with a title. */
const longestTitle = 10_000;

const title = z.object({ title: z.string() });

/** The conversations of a workspace: their files, their list, and what a person does with them. */
export class ConversationStore {
  private readonly journals = new Map<ConversationId, ConversationJournal>();
  private readonly heads = new Map<ConversationId, Head>();

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
    /** Called once when writing a conversation begins to fail, and not again before a write has succeeded. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Returns the journal of a conversation, which need not have a file yet. */
  journal(id: ConversationId): ConversationJournal {
    const known = this.journals.get(id);
    if (known !== undefined) return known;
    const path = conversationPath(id);
    const journal = new ConversationJournal(this.files, this.signer, this.onError, path);
    this.journals.set(id, journal);
    return journal;
  }

  append(id: ConversationId, event: ConversationEvent): void {
    this.journal(id).append(event);
  }

  /** Resolves when all events so far have been written, or writing them has failed. */
  async flush(): Promise<void> {
    await Promise.all([...this.journals.values()].map((journal) => journal.flush()));
  }

  /** Returns all conversations that have a file, the last changed first. Of each, only the beginning is read. */
  async list(): Promise<ConversationEntry[]> {
    const found = await this.files.readDirectory(conversationsFolder);
    const names = new Set(found.flatMap(({ name, kind }) => (kind === "file" ? [name] : [])));
    const ids = [...names]
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -".jsonl".length))
      .filter((id) => conversationIdPattern.test(id) && id !== earlierConversation);
    const all = [...ids, earlierConversation];
    const entries = await Promise.all(
      all.map((id) => this.entry(id, names.has(`${id}.title.json`))),
    );
    return entries
      .filter((entry) => entry !== undefined)
      .sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));
  }

  /** Returns the entry of one conversation; `undefined` if it has no file. */
  async find(id: ConversationId): Promise<ConversationEntry | undefined> {
    return conversationIdPattern.test(id) ? this.entry(id, true) : undefined;
  }

  private async entry(
    id: ConversationId,
    mayBeTitled: boolean,
  ): Promise<ConversationEntry | undefined> {
    const path = conversationPath(id);
    const stat = await this.files.stat(path);
    if (stat?.kind !== "file" || stat.size === 0) return undefined;
    const { title: first, createdAt, foreign } = await this.head(id, stat.size);
    const given = mayBeTitled ? await this.givenTitle(id) : undefined;
    return { id, title: given ?? first, createdAt, foreign, changedAt: stat.modifiedAt };
  }

  /** Gives a conversation a title; the request's words count again if it is empty. */
  async rename(id: ConversationId, words: string): Promise<void> {
    const text = titleOf(words);
    const path = titlePath(id);
    if (text === "") {
      await this.files.removeFile(path);
      return;
    }
    const json = `${JSON.stringify({ title: text }, null, 2)}\n`;
    await this.files.replaceFile(path, signJson(json, path, this.signer));
  }

  /** Removes the conversation; the tasks that were started in it keep their files. */
  async remove(id: ConversationId): Promise<void> {
    await this.journal(id).flush();
    // The events first: a title alone is no conversation.
    await this.files.removeFile(conversationPath(id));
    await this.files.removeFile(titlePath(id));
    await this.files.removeFile(choicesPath(id));
    this.journals.delete(id);
    this.heads.delete(id);
  }

  /**
   * Returns the conversations whose title or texts have all of the words, the last changed first.
   *
   * @param signal ends the search; what was found until then is returned
   */
  async search(query: string, signal: AbortSignal): Promise<FoundConversation[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found: FoundConversation[] = [];
    for (const entry of await this.list()) {
      if (signal.aborted) break;
      const has = (text: string): boolean => words.every((word) => text.includes(word));
      if (has(entry.title.toLowerCase())) {
        found.push({ ...entry, excerpt: "" });
        continue;
      }
      const excerpt = await this.textWith(entry.id, words);
      if (excerpt !== undefined) found.push({ ...entry, excerpt });
    }
    return found;
  }

  /** Returns the first text of a conversation that has all of the words, in lower case. */
  private async textWith(id: ConversationId, words: readonly string[]) {
    const path = conversationPath(id);
    const text = new TextDecoder().decode(await this.files.readFile(path));
    // JSON writes these words as they are, so that lines without them need not be parsed.
    const plain = words.filter((word) => /^[\p{L}\p{N}_-]+$/u.test(word));
    const takenBack = this.takenBack(text, path);
    for (const line of text.split("\n")) {
      const lower = line.toLowerCase();
      if (!plain.every((word) => lower.includes(word)) || takenBack.has(line)) continue;
      const text = isSigned(line, path, this.signer) ? searchedText(line) : "";
      const lowerCase = text.toLowerCase();
      if (text !== "" && words.every((word) => lowerCase.includes(word))) return text;
    }
    return undefined;
  }

  /** Returns the lines that restores have taken out of the conversation. */
  private takenBack(text: string, path: string): ReadonlySet<string> {
    if (!text.includes('"type":"restored"')) return new Set();
    const events = text.split("\n").flatMap((line) => {
      const event = eventIn(line);
      return event !== undefined && isSigned(line, path, this.signer) ? [{ ...event, line }] : [];
    });
    const standing = new Set(standingEvents(events));
    return new Set(events.flatMap((event) => (standing.has(event) ? [] : [event.line])));
  }

  private async givenTitle(id: ConversationId): Promise<string | undefined> {
    const path = titlePath(id);
    const found = await this.files.readLocated(path, longestTitle).catch(() => undefined);
    if (found?.bytes === undefined) return undefined;
    const text = new TextDecoder().decode(found.bytes);
    const json = parseJson(text);
    if (!json.ok || !isSigned(text, path, this.signer)) return undefined;
    return title.safeParse(json.value).data?.title;
  }

  private async head(id: ConversationId, size: number): Promise<Head> {
    const known = this.heads.get(id);
    if (known?.final === true) return known;
    let head: Head = { title: "", createdAt: "", foreign: false, final: false };
    for (const most of headSizes) {
      const bytes = await this.files.readRange(conversationPath(id), 0, most);
      head = this.readHead(new TextDecoder().decode(bytes), id);
      if (head.final || size <= most) break;
    }
    this.heads.set(id, head);
    return head;
  }

  /** Reads the whole lines of a file's beginning. */
  private readHead(text: string, id: ConversationId): Head {
    const path = conversationPath(id);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    let createdAt = "";
    let goal = "";
    let foreign = false;
    for (const line of whole.split("\n")) {
      const event = eventIn(line);
      if (event === undefined) continue;
      if (!isSigned(line, path, this.signer)) {
        foreign ||= createdAt === "";
        continue;
      }
      createdAt ||= event.at;
      if (event.type === "user") {
        return { title: titleOf(event.text ?? ""), createdAt, foreign, final: true };
      }
      goal ||= event.goal ?? "";
    }
    return { title: titleOf(goal), createdAt, foreign: foreign && createdAt === "", final: false };
  }
}

const anyEvent = z.object({
  at: z.string(),
  type: z.string(),
  text: z.optional(z.string()),
  goal: z.optional(z.string()),
  message: z.optional(z.string()),
  event: z.optional(z.object({ type: z.string(), text: z.optional(z.string()) })),
  id: z.optional(z.string()),
  restoreId: z.optional(z.string()),
  scope: z.optional(z.string()),
  taskId: z.optional(z.nullable(z.string())),
  checkpoint: z.optional(z.object({ kind: z.enum(["message", "task"]), id: z.string() })),
});

function eventIn(line: string): z.infer<typeof anyEvent> | undefined {
  const json = line === "" ? undefined : parseJsonLine(line);
  return json?.ok === true ? anyEvent.safeParse(json.value).data : undefined;
}

/** Returns the words of an event that somebody reads in the conversation. */
function searchedText(line: string): string {
  const event = eventIn(line);
  return event?.text ?? event?.message ?? event?.event?.text ?? event?.goal ?? "";
}
