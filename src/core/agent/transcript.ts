import * as z from "zod";
import { parseJsonLine, toJsonLine } from "../documents/jsonLines.js";
import { newerSchema } from "../documents/newerSchema.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports.js";
import { type DialectName, dialectNames } from "./dialects/dialect.js";
import { type Effort, type ModelMessage, noEffort, type ToolCall } from "./messages.js";
import { addCosts } from "./price.js";

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  costUsd: z.number().optional(),
});

const transcriptLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), schema: z.literal(1), at: z.string(), system: z.string() }),
  z.object({ type: z.literal("user"), content: z.string() }),
  z.object({
    type: z.literal("assistant"),
    content: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    usage: usage.optional(),
  }),
  /** What is said from here on is said in this dialect; native before the first of these. */
  z.object({ type: z.literal("dialect"), dialect: z.enum(dialectNames) }),
  /** Written before a call that changes the world is carried out. */
  z.object({ type: z.literal("callStarted"), callId: z.string() }),
  /** At the end of an activation: how long it took, people's time included. */
  z.object({ type: z.literal("worked"), ms: z.number() }),
  z.object({ type: z.literal("result"), callId: z.string(), ok: z.boolean(), content: z.string() }),
]);
export type TranscriptLine = z.infer<typeof transcriptLine>;

/** A call of the last assistant message that has no result yet. */
export interface PendingCall {
  readonly call: ToolCall;
  /** It was being carried out when the process ended: nobody knows how far it came. */
  readonly interrupted: boolean;
}

/**
 * An agent's memory: every message and result, appended to a file as it happens, so that an agent
 * killed at any moment goes on from there. The cost of a line does not grow with the conversation.
 */
export class Transcript {
  readonly #messages: ModelMessage[] = [];
  #pending = new Map<string, PendingCall>();
  #effort: Effort = noEffort;

  #dialect: DialectName = "native";
  #hasCalled = false;

  private constructor(
    private readonly files: FileSystem,
    readonly path: string,
    /** Lines of the file that could not be read; they stay in it. */
    readonly unreadable: number,
    /** Rejects when this process may not write any more. */
    readonly guard: () => Promise<void>,
  ) {}

  /**
   * Reads what is there; an empty transcript where there is no file.
   *
   * @param guard rejects when this process may not write any more; asked before every line
   */
  static async open(
    files: FileSystem,
    path: string,
    guard: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Transcript> {
    const bytes = await files.readFile(path);
    const lines: TranscriptLine[] = [];
    let unreadable = 0;
    for (const text of bytes === undefined ? [] : new TextDecoder().decode(bytes).split("\n")) {
      if (text.trim() === "") continue;
      const json = parseJsonLine(text);
      const line = transcriptLine.safeParse(json.ok ? json.value : undefined);
      const newer = json.ok ? newerSchema(json.value, path) : undefined;
      if (line.success) lines.push(line.data);
      else if (newer !== undefined) throw new UserError(newer);
      else unreadable++;
    }
    const transcript = new Transcript(files, path, unreadable, guard);
    for (const line of lines) transcript.#apply(line);
    return transcript;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** There is a message of this kind: a line that was torn may be missing. */
  has(role: "system" | "user"): boolean {
    return this.#messages.some((message) => message.role === role);
  }

  /** In order, ready for a model; grows in place as lines are appended. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get pendingCalls(): readonly PendingCall[] {
    return [...this.#pending.values()];
  }

  /** What the agent spoke last. */
  get dialect(): DialectName {
    return this.#dialect;
  }

  /** A call was found in one of the replies. */
  get hasCalled(): boolean {
    return this.#hasCalled;
  }

  /** What the person said to questions of the agent's. */
  get answers(): readonly string[] {
    const questions = new Set(
      this.#messages.flatMap((message) =>
        message.role === "assistant"
          ? message.toolCalls.flatMap(({ id, name }) =>
              name === "ask_followup_question" ? [id] : [],
            )
          : [],
      ),
    );
    return this.#messages.flatMap((message) =>
      message.role === "tool" && questions.has(message.callId) ? [message.content] : [],
    );
  }

  /** Keeps in which dialect the agent goes on, so that it does so after a restart. */
  async speak(dialect: DialectName): Promise<void> {
    if (dialect !== this.#dialect) await this.append({ type: "dialect", dialect });
  }

  /** Of all activations so far. */
  get effort(): Effort {
    return this.#effort;
  }

  async append(...lines: readonly TranscriptLine[]): Promise<void> {
    await this.guard();
    await this.files.appendLines(this.path, lines.map(toJsonLine));
    for (const line of lines) this.#apply(line);
  }

  #apply(line: TranscriptLine): void {
    switch (line.type) {
      case "start":
        // Where the first one could not be read it is written again, and stands where it belongs.
        if (!this.has("system")) this.#messages.unshift({ role: "system", content: line.system });
        break;
      case "user": {
        const at = this.has("user") ? this.#messages.length : this.has("system") ? 1 : 0;
        this.#messages.splice(at, 0, { role: "user", content: line.content });
        break;
      }
      case "assistant":
        this.#messages.push({
          role: "assistant",
          content: line.content,
          toolCalls: line.toolCalls,
        });
        this.#effort = {
          calls: this.#effort.calls + 1,
          inputTokens: this.#effort.inputTokens + (line.usage?.inputTokens ?? 0),
          outputTokens: this.#effort.outputTokens + (line.usage?.outputTokens ?? 0),
          cachedTokens: this.#effort.cachedTokens + (line.usage?.cachedTokens ?? 0),
          costUsd: addCosts(this.#effort.costUsd, line.usage?.costUsd),
          workedMs: this.#effort.workedMs,
        };
        this.#hasCalled ||= line.toolCalls.length > 0;
        this.#pending = new Map(
          line.toolCalls.map((call) => [call.id, { call, interrupted: false }]),
        );
        break;
      case "dialect":
        this.#dialect = line.dialect;
        break;
      case "callStarted": {
        const pending = this.#pending.get(line.callId);
        if (pending) this.#pending.set(line.callId, { ...pending, interrupted: true });
        break;
      }
      case "worked":
        this.#effort = { ...this.#effort, workedMs: this.#effort.workedMs + line.ms };
        break;
      case "result":
        // A second result for one call (two processes, a repaired file) would be refused by servers.
        if (!this.#pending.delete(line.callId)) return;
        this.#messages.push({ role: "tool", callId: line.callId, content: line.content });
        break;
    }
  }
}
