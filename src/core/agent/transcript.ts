import * as z from "zod";
import { parseJsonLine, toJsonLine } from "../documents/jsonLines.js";
import { parseLooseJson } from "../documents/looseJson.js";
import { newerSchema } from "../documents/newerSchema.js";
import type { TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import {
  cuts,
  type SessionUsage,
  type MessageImage,
  type ModelMessage,
  noSessionUsage,
  type ToolCall,
  type Usage,
} from "../ports/messages.js";
import type { Signer } from "../ports/system.js";
import { ForeignFilesError } from "../provenance/foreignFiles.js";
import { SignatureChain } from "../provenance/signatureChain.js";
import { Redactor } from "../text/redactor.js";
import { type DialectName, dialectNames } from "./dialects/dialect.js";
import { seenFile, SeenFiles } from "./seenFiles.js";
import { addCosts } from "./usageSums.js";

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  costUsd: z.number().optional(),
});

const keptImages = z.array(z.object({ path: z.string(), name: z.string() })).readonly();

const transcriptLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), schema: z.literal(1), at: z.string(), system: z.string() }),
  /** `person`: the content is user input, not the program's; `messageId`: the id of a delivered `UserMessage`. */
  z.object({
    type: z.literal("user"),
    content: z.string(),
    person: z.boolean().optional(),
    messageId: z.string().optional(),
    /** Images that came with it, by the paths at which they are kept. */
    images: keptImages.optional(),
  }),
  z.object({
    type: z.literal("assistant"),
    content: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    usage: usage.optional(),
    reasoning: z
      .object({ api: z.string(), model: z.string(), items: z.array(z.unknown()).readonly() })
      .optional(),
    cut: z.enum(cuts).optional(),
  }),
  /** The dialect of all lines from here on; native before the first of these. */
  z.object({ type: z.literal("dialect"), dialect: z.enum(dialectNames) }),
  /** A summary that replaces `messages` messages after the goal, for the model; their lines stay. */
  z.object({
    type: z.literal("summary"),
    messages: z.int().min(1),
    content: z.string(),
    usage: usage.optional(),
  }),
  /** Calls whose results are omitted for the model, to compact the conversation; their lines stay. */
  z.object({ type: z.literal("shortened"), callIds: z.array(z.string()) }),
  /** Written before a call that changes the world is carried out. */
  z.object({ type: z.literal("callStarted"), callId: z.string() }),
  /** Written when the agent ends or pauses: how long it worked, including the time that people took. */
  z.object({ type: z.literal("worked"), ms: z.number() }),
  z.object({
    type: z.literal("result"),
    callId: z.string(),
    ok: z.boolean(),
    content: z.string(),
    /** Images that came with it, by the paths at which they are kept. */
    images: keptImages.optional(),
    /** The files that this result shows to the agent. */
    seen: z.array(seenFile).readonly().optional(),
  }),
  /** A person adopted all lines before this one, which this installation had not written. */
  z.object({ type: z.literal("adopted"), at: z.string() }),
]);
export type TranscriptLine = z.infer<typeof transcriptLine>;

/** Returns the field for these images; none if there are none. */
export function withImages(images: readonly MessageImage[] = []): {
  images?: readonly MessageImage[];
} {
  return images.length === 0 ? {} : { images };
}

/** A call of the last assistant message that has no result yet. */
export interface PendingCall {
  readonly call: ToolCall;
  /** Whether the call was running when the process ended, so that its effect is unknown. */
  readonly interrupted: boolean;
  /** Whether the call came with a task that a person adopted: they are asked about the call itself. */
  readonly adopted: boolean;
}

/** A transcript's file, and what reading and writing it needs. */
export interface TranscriptPlace {
  readonly files: FileSystem;
  readonly signer: Signer;
  /** The task's id for error messages, as in `ROO#TASK_…`. */
  readonly taskId: TaskId;
  readonly path: string;
  /** Called before every write; rejects if this process may not write any more. */
  readonly guard?: () => Promise<void>;
  /** Removes from every line what must not be stored. Default: nothing. */
  readonly redactor?: Redactor;
}

/**
 * An agent's memory: every message and result, appended to a file as it happens, so that an agent that is
 * killed at any moment can be resumed. The cost of a line does not grow with the conversation.
 */
export class Transcript {
  /** The files that the agent has seen, rebuilt from the lines. */
  readonly seen = new SeenFiles();
  readonly #messages: ModelMessage[] = [];
  #pending = new Map<string, PendingCall>();
  #usage: SessionUsage = noSessionUsage;

  readonly #questions = new Set<string>();
  readonly #answers: string[] = [];
  readonly #userInput: string[] = [];
  /** The messages that the user has written to the agent at work, as it was told them, by their ids. */
  readonly #delivered = new Map<string, string>();
  #todos: string | undefined;
  #dialect: DialectName = "native";
  #hasCalled = false;

  readonly #files: FileSystem;
  readonly #chain: SignatureChain;
  readonly #redactor: Redactor;

  private constructor(
    files: FileSystem,
    readonly path: string,
    /** Number of lines of the file that could not be read; they stay in it. */
    readonly unreadable: number,
    /** Rejects when this process may not write any more. */
    readonly guard: () => Promise<void>,
    chain: SignatureChain,
    redactor: Redactor,
  ) {
    this.#files = files;
    this.#chain = chain;
    this.#redactor = redactor;
  }

  /**
   * Reads a transcript's file; the transcript is empty if there is no file.
   *
   * @throws {@link ForeignFilesError} if a line of the file was not written there by this installation
   * @throws a `UserError` if a newer version wrote the file
   */
  static async open(place: TranscriptPlace): Promise<Transcript> {
    const { files, signer, taskId, path, guard = () => Promise.resolve() } = place;
    const { redactor = new Redactor() } = place;
    const bytes = await files.readFile(path);
    const chain = new SignatureChain(path, signer);
    const lines: TranscriptLine[] = [];
    let unreadable = 0;
    for (const text of bytes === undefined ? [] : new TextDecoder().decode(bytes).split("\n")) {
      if (text.trim() === "") continue;
      const json = parseJsonLine(text);
      const line = transcriptLine.safeParse(json.ok ? json.value : undefined);
      const newer = json.ok ? newerSchema(json.value, path) : undefined;
      if (newer !== undefined) throw newer;
      if (!line.success) {
        unreadable++;
        continue;
      }
      const whose = chain.accept(text);
      if (whose === "foreign") throw new ForeignFilesError(taskId, [path]);
      // A copied line would make finished calls pending again, so that they would run twice.
      if (whose === "next") lines.push(line.data);
    }
    const transcript = new Transcript(files, path, unreadable, guard, chain, redactor);
    for (const line of lines) transcript.#apply(line);
    return transcript;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Returns whether there is a message of this role; its line may have been torn. */
  has(role: "system" | "user"): boolean {
    return this.#messages.some((message) => message.role === role);
  }

  /** The messages in order, ready for a model. The array changes in place as lines are appended. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get pendingCalls(): readonly PendingCall[] {
    return [...this.#pending.values()];
  }

  /** The dialect that the agent used last. */
  get dialect(): DialectName {
    return this.#dialect;
  }

  /** Whether one of the replies had a tool call. */
  get hasCalled(): boolean {
    return this.#hasCalled;
  }

  /** The user's answers to the agent's questions. */
  get answers(): readonly string[] {
    return this.#answers;
  }

  /** User input to the agent after the goal, answers included. */
  get userInput(): readonly string[] {
    return this.#userInput;
  }

  /** Returns whether the agent has been told this message of the user. */
  hasDelivered(messageId: string): boolean {
    return this.#delivered.has(messageId);
  }

  /** The messages that the user has written to the agent at work, as it was told them, in order. */
  get delivered(): readonly string[] {
    return [...this.#delivered.values()];
  }

  /** The agent's own list of steps, as it last wrote it. */
  get todos(): string | undefined {
    return this.#todos;
  }

  /** Index of the first message after the goal. */
  get goalEnd(): number {
    return this.#messages.findIndex(({ role }) => role === "user") + 1;
  }

  /** Records the dialect that the agent uses from now on, so that it does so after a restart. */
  async speak(dialect: DialectName): Promise<void> {
    if (dialect !== this.#dialect) await this.append({ type: "dialect", dialect });
  }

  /** The usage of the whole session so far. */
  get usage(): SessionUsage {
    return this.#usage;
  }

  /**
   * Appends lines to the file, and to the messages once they are written.
   *
   * @throws what the guard and the file system throw
   */
  async append(...given: readonly TranscriptLine[]): Promise<void> {
    await this.guard();
    const lines = given.map((line) => this.#redactor.each(line));
    const signed = this.#chain.sign(lines.map(toJsonLine));
    await this.#files.appendLines(this.path, signed);
    for (const line of signed) this.#chain.accept(line);
    for (const line of lines) this.#apply(line);
  }

  #apply(line: TranscriptLine): void {
    switch (line.type) {
      case "start":
        // If the first one could not be read, it is written again; its message belongs in front.
        if (!this.has("system")) this.#messages.unshift({ role: "system", content: line.system });
        break;
      case "user":
        if (line.messageId !== undefined) this.#delivered.set(line.messageId, line.content);
        this.#addUserMessage(line);
        break;
      case "assistant":
        this.#messages.push({
          role: "assistant",
          content: line.content,
          toolCalls: line.toolCalls,
          ...(line.reasoning && { reasoning: line.reasoning }),
          ...(line.cut && { cut: line.cut }),
        });
        this.#count(line.usage);
        for (const call of line.toolCalls) this.#notice(call);
        this.#hasCalled ||= line.toolCalls.length > 0;
        this.#pending = new Map(
          line.toolCalls.map((call) => [call.id, { call, interrupted: false, adopted: false }]),
        );
        break;
      case "dialect":
        this.#dialect = line.dialect;
        break;
      case "adopted":
        for (const [id, pending] of this.#pending) {
          this.#pending.set(id, { ...pending, adopted: true });
        }
        break;
      case "callStarted": {
        const pending = this.#pending.get(line.callId);
        if (pending) this.#pending.set(line.callId, { ...pending, interrupted: true });
        break;
      }
      case "worked":
        this.#usage = { ...this.#usage, workedMs: this.#usage.workedMs + line.ms };
        break;
      case "result":
        // Servers would refuse a second result for one call (two processes, a repaired file).
        if (!this.#pending.delete(line.callId)) return;
        this.#messages.push({
          role: "tool",
          callId: line.callId,
          content: line.content,
          ...withImages(line.images),
        });
        for (const seen of line.seen ?? []) this.seen.note(seen);
        if (this.#questions.has(line.callId) && line.ok) {
          this.#answers.push(line.content);
          this.#userInput.push(line.content);
        }
        break;
      case "summary":
        this.#replaceBySummary(line.messages, line.content);
        this.#count(line.usage);
        break;
      case "shortened":
        this.#omitResults(new Set(line.callIds));
        break;
    }
  }

  /** Adds a message; the first one is the goal, which belongs after the system message. */
  #addUserMessage({ content, person, images }: Extract<TranscriptLine, { type: "user" }>): void {
    const isGoal = !this.has("user");
    const at = !isGoal ? this.#messages.length : this.has("system") ? 1 : 0;
    if (!isGoal && person === true) this.#userInput.push(content);
    this.#messages.splice(at, 0, { role: "user", content, ...withImages(images) });
  }

  #replaceBySummary(count: number, content: string): void {
    const start = this.goalEnd;
    this.#messages.splice(start, count, { role: "user", content });
    // With a line that was torn the count may be off; servers refuse results without calls.
    while (this.#messages[start + 1]?.role === "tool") this.#messages.splice(start + 1, 1);
  }

  #omitResults(callIds: ReadonlySet<string>): void {
    for (const [index, message] of this.#messages.entries()) {
      if (message.role !== "tool" || !callIds.has(message.callId)) continue;
      const content = `(This result of ${message.content.length} characters is left out to make room. Ask for what you still need of it, in smaller parts.)`;
      this.#messages[index] = { role: "tool", callId: message.callId, content };
    }
  }

  #count(used: Usage | undefined): void {
    this.#usage = {
      calls: this.#usage.calls + 1,
      inputTokens: this.#usage.inputTokens + (used?.inputTokens ?? 0),
      outputTokens: this.#usage.outputTokens + (used?.outputTokens ?? 0),
      cachedTokens: this.#usage.cachedTokens + (used?.cachedTokens ?? 0),
      costUsd: addCosts(this.#usage.costUsd, used?.costUsd),
      workedMs: this.#usage.workedMs,
    };
  }

  /** Records what has to be known of a call even after its message is summarised. */
  #notice({ id, name, arguments: text }: ToolCall): void {
    if (name === "ask_followup_question") this.#questions.add(id);
    if (name !== "update_todo_list") return;
    const json = parseLooseJson(text);
    const { todos } = (json.ok ? json.value : {}) as { todos?: unknown };
    if (typeof todos === "string") this.#todos = todos;
  }
}
