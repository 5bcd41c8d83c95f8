import { ModelError, type ModelErrorCode, saidBy } from "../errors.js";
import type { LanguageModel } from "../ports/model.js";
import { type Drafted, type Said, spoken, words } from "../text/words.js";
import { RepeatedCalls } from "./calls/repeatedCalls.js";
import {
  type CallOutcome,
  type Calls,
  type Refused,
  refusedWords,
  settleCalls,
} from "./calls/settleCalls.js";
import type { AskedCompaction } from "./context/askedCompactions.js";
import { type CompactionParts, ContextCompaction } from "./context/contextCompaction.js";
import type { Dialect } from "./dialects/dialect.js";
import type { AgentEvent } from "./events.js";
import { type Inbox, messagesFirst, toldMessage } from "./inbox.js";
import { goOn, type Reply } from "./replies/askModel.js";
import { cutFailure, cutMessage } from "./replies/cutReply.js";
import { type Transcript, withImages } from "./transcript.js";

/** After so many failed tool calls in a row, an agent is stopped. */
const failuresInARow = 6;
/**
 * When what is submitted is refused so often in a row for the same fault of its form, an agent is stopped; the very same
 * submission counts twice.
 */
const sameRefusals = 3;
/** When the same call has had the same result so often while nothing else was changed, an agent is stopped. */
const sameCalls = 5;

export interface AgentLimits {
  /** Model calls in one call of {@link runAgent}. */
  readonly turns: number;
}

export interface Agent {
  /** Starts with a system and a user message; everything that happens is appended to it. */
  readonly transcript: Transcript;
  readonly model: LanguageModel;
  readonly dialect: Dialect;
  /**
   * Called when the model turns out to have no tool calling, because its server refuses tools or because its replies
   * call none; returns the dialect to continue in. Absent: the agent continues in no other dialect.
   */
  readonly withoutTools?: (why: "refused" | "calledNone") => Dialect;
  readonly calls: Omit<Calls, "tools" | "resultText" | "repeats">;
  readonly context: Pick<
    CompactionParts,
    "limit" | "observedWindows" | "observedFactors" | "onDoubtedCount" | "onSmallWindow"
  >;
  readonly limits: AgentLimits;
  /** Called before each model call; a result other than `undefined` ends the run of the agent. */
  readonly mayAsk?: () => Promise<AgentEnd | undefined>;
  /** What the user writes to the agent meanwhile. Absent: nobody can write to it. */
  readonly inbox?: Inbox;
  /** The user's order to compact the conversation. Absent: there can be none. */
  readonly asked?: AskedCompaction;
  readonly newMessageId: () => string;
  readonly onEvent: (event: Drafted<AgentEvent>) => void;
}

export type AgentEnd =
  /** `completed`: the call's arguments were accepted, and its result is still to be written. */
  | Extract<CallOutcome, { type: "completed" | "asks" | "waitsForApproval" }>
  /** The agent replied with text instead of a tool call, which counts as a question here. */
  | { readonly type: "speaks"; readonly text: string }
  | { readonly type: "stopped" }
  /** The agent's own limits were reached. */
  | {
      readonly type: "exhausted";
      /** `turns`: no turn is left; `noProgress`: too many calls or replies in a row came to nothing. */
      readonly limit: "turns" | "noProgress";
      readonly message: Said;
    }
  /** The model failed. The agent can be resumed when the model works again. */
  | { readonly type: "modelFailed"; readonly code: ModelErrorCode; readonly message: Said };

/**
 * Runs an agent until it completes, needs a person, is stopped or fails. It can be called again at any time
 * with a transcript read from disk: calls without a result are settled first.
 *
 * @throws any error that is neither the model's nor the signal's, such as a transcript that cannot be written
 */
export async function runAgent(agent: Agent, signal: AbortSignal): Promise<AgentEnd> {
  try {
    return await new AgentRun(agent, signal).takeTurns();
  } catch (error) {
    if (signal.aborted) return { type: "stopped" };
    if (error instanceof ModelError) {
      return { type: "modelFailed", code: error.code, message: saidBy(error) };
    }
    throw error;
  }
}

class AgentRun {
  private dialect: Dialect;
  /** Failed calls in a row. */
  private failures = 0;
  /** The tokens of the last reply, as the server counts them. */
  private replyTokens: number | undefined;
  /** The reason why submitted work was refused last, and how often in a row; a call that succeeds ends the row. */
  private refusal: (Refused & { readonly times: number }) | undefined;
  /** Invalid replies in a row. */
  private invalidReplies = 0;
  /** The id of the last reply's message, or of the next one before there is a reply. */
  private messageId: string;
  private readonly repeats = new RepeatedCalls();
  private readonly compaction: ContextCompaction;

  constructor(
    private readonly agent: Agent,
    private readonly signal: AbortSignal,
  ) {
    this.dialect = agent.dialect;
    this.messageId = agent.newMessageId();
    this.compaction = new ContextCompaction({ ...agent, ...agent.context });
  }

  async takeTurns(): Promise<AgentEnd> {
    const { transcript, limits } = this.agent;
    for (let turn = 0; ; turn++) {
      await transcript.speak(this.dialect.name);
      const end =
        (await this.settleCalls()) ??
        (await this.tellOfCut()) ??
        (await this.handleReplyWithoutCall());
      if (end !== undefined && !(await this.postpones(end, turn))) return end;
      if (turn >= limits.turns) {
        const message = words(
          'Stopped after {turn, plural, one {# turn} other {# turns}}, the limit for one attempt (setting "rooroo.limits.turns"). Resume the task to continue.',
          { turn },
        );
        return { type: "exhausted", limit: "turns", message };
      }
      const refused = await this.agent.mayAsk?.();
      if (refused !== undefined) return refused;
      const supplied = await this.dialect.supply?.(transcript.messages);
      if (supplied !== undefined) await transcript.append({ type: "user", content: supplied });
      this.signal.throwIfAborted();
      await this.deliverMessages();
      await this.agent.asked?.take((keep) => this.compaction.compactNow(keep, this.signal));
      this.messageId = this.agent.newMessageId();
      const reply = await this.ask();
      if (reply === "noTools") {
        this.dialect = this.agent.withoutTools?.("refused") ?? this.dialect;
        continue;
      }
      await transcript.append({
        type: "assistant",
        content: reply.text,
        toolCalls: [...reply.toolCalls],
        ...(reply.usage === undefined ? {} : { usage: reply.usage }),
        ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
        ...(reply.cut === undefined ? {} : { cut: reply.cut }),
      });
      this.replyTokens = reply.usage?.outputTokens;
    }
  }

  /** Tells the agent what the user has written to it. The transcript says what it has been told before a crash. */
  private async deliverMessages(): Promise<void> {
    const { inbox, transcript, onEvent } = this.agent;
    await inbox?.take(async (message) => {
      const { id, text, images } = message;
      if (!transcript.hasDelivered(id)) {
        const told = { content: toldMessage(message), ...withImages(images) };
        await transcript.append({ type: "user", ...told, person: true, messageId: id });
      }
      onEvent({ type: "messageDelivered", id, text });
    });
  }

  /**
   * Returns whether the agent goes on because messages of the user wait. A submission comes after them, which the
   * agent is told. To what it says in plain text, they are the reply.
   */
  private async postpones(end: AgentEnd, turn: number): Promise<boolean> {
    const { inbox, transcript, limits } = this.agent;
    const isReplied = end.type === "speaks";
    if ((end.type !== "completed" && !isReplied) || turn >= limits.turns) return false;
    if (!(await inbox?.hasMessages())) return false;
    if (isReplied) return true;
    const result = { ok: false, content: messagesFirst };
    const content = this.dialect.resultText?.(result, 0) ?? messagesFirst;
    if (end.callId !== null) {
      await transcript.append({ type: "result", callId: end.callId, ok: false, content });
    }
    return true;
  }

  /** Gives the last reply's calls their results; returns an end if one of them, or a limit, ends the turns. */
  private async settleCalls(): Promise<AgentEnd | undefined> {
    const { transcript, calls } = this.agent;
    const { tools, resultText } = this.dialect;
    const settled = await settleCalls(
      transcript,
      {
        ...calls,
        tools,
        repeats: this.repeats,
        ...(resultText === undefined ? {} : { resultText }),
      },
      this.signal,
    );
    if (settled.type !== "settled") return settled;
    const { succeeded, failed, lastFailure, refused } = settled;
    if (succeeded > 0) this.invalidReplies = 0;
    this.failures = succeeded > 0 ? 0 : this.failures + failed;
    this.noteRefusal(refused, succeeded > 0);
    const { name, times } = this.repeats.most;
    const isRefused = this.refusal !== undefined && tools.get(name)?.kind === "completion";
    if ((this.refusal?.times ?? 0) >= sameRefusals || (isRefused && times >= sameCalls)) {
      return withoutProgress(refusedWords(this.refusal?.said ?? ""));
    }
    if (this.failures >= failuresInARow) {
      return withoutProgress(
        refused !== undefined
          ? refusedWords(refused.said)
          : words(
              "{failures, plural, one {# tool call} other {# tool calls}} in a row failed. The last: {lastFailure}",
              { failures: this.failures, lastFailure },
            ),
      );
    }
    if (times >= sameCalls) {
      return withoutProgress(
        words(
          "It went round in circles: the same call of {name} had the same result {times, plural, one {# time} other {# times}}. Resume the task to continue.",
          { name, times },
        ),
      );
    }
    return undefined;
  }

  /** Counts a refusal that is like the one before it; a turn in which nothing came of a call leaves the count. */
  private noteRefusal(refused: Refused | undefined, hasWorked: boolean): void {
    if (hasWorked) this.refusal = undefined;
    if (refused === undefined) return;
    const { said, args, times = 0 } = this.refusal ?? {};
    const isSame = said !== undefined && spoken(said) === spoken(refused.said);
    const more = args === refused.args ? 2 : 1;
    // Work that is not good enough may be mended by steps of which only the agent knows.
    const counted = !refused.isMisfit ? 0 : isSame ? times + more : 1;
    this.refusal = { ...refused, times: counted };
  }

  /**
   * Tells the model that its last reply was cut, and what of it was carried out. Returns an end if it had no call, too
   * many times in a row.
   */
  private async tellOfCut(): Promise<AgentEnd | undefined> {
    const { transcript, model, onEvent } = this.agent;
    const { messages } = transcript;
    const at = messages.findLastIndex(({ role }) => role === "assistant");
    const reply = messages[at];
    const isTold = messages.slice(at).some(({ role }) => role === "user");
    if (reply?.role !== "assistant" || reply.cut === undefined || isTold) return undefined;
    const { cut, toolCalls } = reply;
    const message = cutMessage(cut, toolCalls.length);
    if (toolCalls.length === 0) {
      if (++this.invalidReplies > this.dialect.invalidRepliesAllowed) {
        const { name } = model;
        return withoutProgress(cutFailure(cut, this.invalidReplies, name, this.replyTokens));
      }
      onEvent({ type: "replyRejected", messageId: this.messageId, why: cut });
    }
    const content = this.dialect.resultText?.({ ok: false, content: message }, 0) ?? message;
    await transcript.append({ type: "user", content });
    if (cut === "overflowed") await this.compaction.shrinkAfter({}, this.signal);
    return undefined;
  }

  /**
   * Returns the end that a last reply without a call means, or rejects the reply. After too many of them,
   * continues in another dialect if there is one, and otherwise ends.
   */
  private async handleReplyWithoutCall(): Promise<AgentEnd | undefined> {
    const { transcript, model, withoutTools, onEvent } = this.agent;
    const last = transcript.messages.at(-1);
    if (last?.role !== "assistant") return undefined;
    const reply = await this.dialect.withoutCall(transcript.messages, model.name);
    if (reply.type === "speaks") return reply;
    if (reply.type === "completed") return { ...reply, callId: null };
    if (++this.invalidReplies <= this.dialect.invalidRepliesAllowed) {
      await transcript.append({ type: "user", content: reply.content });
      onEvent({ type: "replyRejected", messageId: this.messageId, why: reply.why });
      return undefined;
    }
    // Another dialect does not help a model that says nothing at all.
    const saysSomething = last.content.trim() !== "";
    const neverCalled = this.dialect.name === "native" && saysSomething && !transcript.hasCalled;
    const other = neverCalled ? withoutTools?.("calledNone") : undefined;
    if (other === undefined) return withoutProgress(reply.failure(this.invalidReplies));
    this.dialect = other;
    this.invalidReplies = 0;
    await transcript.speak(other.name);
    // The model's reply has no envelope, and a conversation must not end with it.
    const again = await other.withoutCall(transcript.messages, model.name);
    const content = again.type === "invalid" ? again.content : goOn;
    await transcript.append({ type: "user", content });
    return undefined;
  }

  /**
   * Asks the model for a reply, after compacting the conversation if needed. Returns `noTools` if the server
   * says that the model cannot call tools and there is another dialect.
   */
  private async ask(): Promise<Reply | "noTools"> {
    const { model, transcript, onEvent, withoutTools } = this.agent;
    let suspected: { readonly error: Error; readonly forget: () => void } | undefined;
    for (let attempt = 1; ; attempt++) {
      await this.compaction.compactIfFull(this.signal);
      this.compaction.asks(this.dialect.toolText());
      try {
        const reply = await this.dialect.ask(
          model,
          transcript.messages,
          this.messageId,
          onEvent,
          this.signal,
        );
        this.compaction.replied(reply.usage);
        return reply;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const refused = error.code === "toolsUnsupported" && this.dialect.name === "native";
        if (refused && withoutTools !== undefined) return "noTools";
        if (suspected !== undefined && error.code === "badRequest") {
          suspected.forget();
          throw suspected.error;
        }
        if (error.code === "badRequest") {
          const forget = await this.compaction.shrinkOnSuspicion(this.signal);
          if (forget === undefined) throw error;
          suspected = { error, forget };
          continue;
        }
        const isTooLong = error.code === "contextTooLong" && attempt < 4;
        if (!isTooLong || !(await this.compaction.shrinkAfter(error, this.signal))) throw error;
      }
    }
  }
}

function withoutProgress(message: Said): AgentEnd {
  return { type: "exhausted", limit: "noProgress", message };
}
