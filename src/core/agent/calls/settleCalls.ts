import { UserError } from "../../errors.js";
import type { ToolCall } from "../../ports/messages.js";
import type { Clock } from "../../ports/system.js";
import { type Drafted, type Said, spoken, type Words, words } from "../../text/words.js";
import type { AgentEvent } from "../events.js";
import type {
  AnyTool,
  EndingTool,
  ProposedAction,
  Tool,
  ToolContext,
  ToolResult,
} from "../tool.js";
import { type PendingCall, type Transcript, withImages } from "../transcript.js";
import type { CallHooks } from "./callHooks.js";
import { interruptedResult } from "./interruptedCall.js";
import { parseArguments } from "./parseArguments.js";
import {
  actionsOf,
  type AuthorizationRequest,
  type Authorization,
  permit,
  type Permitted,
} from "./permit.js";
import type { RepeatedCalls } from "./repeatedCalls.js";

/** Inputs of {@link runCall}. */
export interface CallServices {
  readonly clock: Clock;
  readonly onEvent: (event: Drafted<AgentEvent>) => void;
  /** Runs before and after each call that is permitted. */
  readonly hooks?: CallHooks;
  context(callId: string, signal: AbortSignal): ToolContext;
  authorise(
    callId: string,
    asked: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<Authorization>;
}

/**
 * The reason why submitted work is not accepted: a text about the work, for the model; `misfit`: what was handed in has not
 * the form that it must have; `waitsFor`: the action that would have to run to decide, which nobody is there to allow.
 */
export type Rejection = string | { readonly misfit: Said } | { readonly waitsFor: ProposedAction };

/** Returns what a person is told of submitted work that was refused to the end. */
export function refusedWords(reason: Said): Words {
  return words("What it handed in could not be used: {reason}", { reason });
}

/** Inputs of {@link settleCalls}. */
export interface Calls extends CallServices {
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Returns why a completion call is rejected; `undefined` if it is accepted. */
  readonly accept: (args: unknown) => Promise<Rejection | undefined>;
  /** Called for each completion call that is rejected. */
  rejected?(problem: string): void;
  readonly repeats?: RepeatedCalls;
  /** Removes from results what must be neither shown nor stored. */
  redact?(text: string): string;
  /** See `Dialect.resultText`. */
  readonly resultText?: (result: ToolResult, durationMs: number) => string;
}

/** Work that was submitted and refused. */
export interface Refused {
  /** The reason, in words for people. */
  readonly said: Said;
  /** The submitting call's arguments. */
  readonly args: string;
  /** Whether its form was wrong, and not the work. */
  readonly isMisfit: boolean;
}

export type CallOutcome =
  | {
      readonly type: "settled";
      readonly succeeded: number;
      readonly failed: number;
      readonly lastFailure: string;
      /** The work that the turn submitted and that was refused, if any was. */
      readonly refused?: Refused;
    }
  /** `callId` is `null` for a completion that came as text. */
  | { readonly type: "completed"; readonly callId: string | null; readonly args: unknown }
  | { readonly type: "asks"; readonly callId: string; readonly args: unknown }
  | { readonly type: "waitsForApproval"; readonly callId: string; readonly action: ProposedAction };

/**
 * Gives every pending call its result, in order; neighbouring read-only calls run in parallel. A question or
 * completion is handled after all other calls of its turn, because it may depend on their results.
 *
 * @throws the signal's reason when it aborts, and any error of a tool that is not a {@link UserError}
 */
export async function settleCalls(
  transcript: Transcript,
  calls: Calls,
  signal: AbortSignal,
): Promise<CallOutcome> {
  return new Settlement(transcript, calls, signal).settle();
}

/** The outcome of a call: `parked` if nobody was there to allow it. */
type Ran =
  | { readonly type: "result"; readonly result: ToolResult; readonly durationMs: number }
  | { readonly type: "parked"; readonly action: ProposedAction };

type Settled = Ran | { readonly type: "ending"; readonly tool: EndingTool };

interface EndingCall {
  readonly call: ToolCall;
  readonly tool: EndingTool;
}

class Settlement {
  private succeeded = 0;
  private failed = 0;
  /** The name of a tool whose write failed; `undefined` if none did. */
  private failedWrite: string | undefined;
  private lastFailure = "";
  private refused: Refused | undefined;

  constructor(
    private readonly transcript: Transcript,
    private readonly calls: Calls,
    private readonly signal: AbortSignal,
  ) {}

  async settle(): Promise<CallOutcome> {
    const endings: EndingCall[] = [];
    for (const group of inParallel(this.transcript.pendingCalls, this.calls.tools)) {
      this.signal.throwIfAborted();
      const outcomes = await Promise.all(
        group.map(async (pending) => ({ call: pending.call, settled: await this.run(pending) })),
      );
      for (const { call, settled } of outcomes) {
        if (settled.type === "ending") endings.push({ call, tool: settled.tool });
        else if (settled.type === "parked") {
          return { type: "waitsForApproval", callId: call.id, action: settled.action };
        } else await this.record(call, settled.result, settled.durationMs);
      }
    }
    const end = await this.end(endings);
    const { succeeded, failed, lastFailure, refused } = this;
    const wrong = refused === undefined ? {} : { refused };
    return end ?? { type: "settled", succeeded, failed, lastFailure, ...wrong };
  }

  private async run(pending: PendingCall): Promise<Settled> {
    const { call } = pending;
    const tool = this.calls.tools.get(call.name);
    if (pending.interrupted) {
      return { type: "result", result: { ok: false, content: interruptedResult }, durationMs: 0 };
    }
    if (tool === undefined) {
      return { type: "result", result: unknownTool(call, this.calls), durationMs: 0 };
    }
    if (tool.kind !== "action") return { type: "ending", tool };
    return runCall(tool, pending, this.calls, this.signal, () =>
      this.transcript.append({ type: "callStarted", callId: call.id }),
    );
  }

  /** Counts a call's result and appends it to the transcript. */
  private async record(call: ToolCall, given: ToolResult, durationMs: number): Promise<void> {
    const { calls, transcript } = this;
    const result = { ...given, content: calls.redact?.(given.content) ?? given.content };
    if (result.ok || result.worked) this.succeeded++;
    else {
      this.failed++;
      this.lastFailure = result.content;
    }
    const tool = calls.tools.get(call.name);
    if (!result.ok && tool?.kind === "action" && tool.access === "write") {
      this.failedWrite = call.name;
    }
    const note = calls.repeats?.count(call, tool, result.ok, result.content) ?? "";
    const noted = { ...result, content: result.content + note };
    const content = calls.resultText?.(noted, durationMs) ?? noted.content;
    const { ok, seen = [], images } = result;
    const line = { type: "result", callId: call.id, ok, content, ...withImages(images) } as const;
    await transcript.append(seen.length === 0 ? line : { ...line, seen });
  }

  /** Returns why the work is not done: what was to be written with the same reply has not been. */
  private unfinished(): string | undefined {
    return this.failedWrite === undefined
      ? undefined
      : `${this.failedWrite} failed in the same reply. See to that first, then submit.`;
  }

  /** Handles the calls that end the turn. Returns `undefined` if none of them is accepted. */
  private async end(endings: readonly EndingCall[]): Promise<CallOutcome | undefined> {
    const [only, ...more] = endings;
    if (only === undefined) return undefined;
    const { call, tool } = only;
    const reject = (rejected: ToolCall, content: string): Promise<void> =>
      this.record(rejected, { ok: false, content }, 0);
    const parsed = parseArguments(tool, call);
    const isCompletion = tool.kind === "completion";
    const problem = !parsed.ok
      ? parsed.message
      : isCompletion
        ? (this.unfinished() ?? (await this.calls.accept(parsed.args)))
        : undefined;
    if (typeof problem === "object" && "waitsFor" in problem) {
      return { type: "waitsForApproval", callId: call.id, action: problem.waitsFor };
    }
    if (parsed.ok && problem === undefined && more.length === 0) {
      return { type: isCompletion ? "completed" : "asks", callId: call.id, args: parsed.args };
    }
    const told = typeof problem === "object" ? spoken(problem.misfit) : problem;
    if (problem !== undefined && told !== undefined && isCompletion) {
      this.calls.rejected?.(told);
      const isMisfit = !parsed.ok || typeof problem === "object";
      const own = typeof problem === "object" ? problem.misfit : problem;
      this.refused = { said: parsed.ok ? own : parsed.wrong, args: call.arguments, isMisfit };
    }
    await reject(
      call,
      told ?? "Call one of ask_followup_question and attempt_completion, once, by itself.",
    );
    for (const other of more) await reject(other.call, "Only the first of several endings counts.");
    return undefined;
  }
}

/**
 * Runs a call, unless it is parked, and emits its beginning and its end.
 *
 * @param onStart called before a call that was permitted begins to change anything
 * @throws what {@link settleCalls} throws
 */
export async function runCall(
  tool: Tool<never>,
  { call, adopted }: Pick<PendingCall, "call" | "adopted">,
  calls: CallServices,
  signal: AbortSignal,
  onStart: () => Promise<void>,
): Promise<Ran> {
  const now = (): number => calls.clock.now().getTime();
  const parsed = parseArguments(tool, call);
  const startedAt = now();
  let waitedMs = 0;
  const title = parsed.ok ? tool.title(parsed.args) : "";
  calls.onEvent({ type: "toolStarted", callId: call.id, tool: call.name, title });
  const ended = (result: ToolResult): Ran => {
    // Time spent waiting for approval does not count towards the call's duration.
    const durationMs = now() - startedAt - waitedMs;
    emitEnd(call.id, result, durationMs, calls);
    return { type: "result", result, durationMs };
  };
  if (!parsed.ok) return ended({ ok: false, content: parsed.message });
  try {
    const prepare = () => tool.prepare(parsed.args, calls.context(call.id, signal));
    const first = await prepare();
    if ("ok" in first) return ended(first);
    const askedAt = now();
    const permitted = await permit(first, prepare, (asked) => {
      const problem = asked.problem ?? (adopted ? adoptedCall : undefined);
      return calls.authorise(call.id, { ...asked, problem }, signal);
    });
    waitedMs = now() - askedAt;
    if (permitted.type === "parked") return permitted;
    if (permitted.type === "answered") return ended(permitted.result);
    signal.throwIfAborted();
    const { prepared, note } = permitted;
    const hooked = {
      callId: call.id,
      tool: call.name,
      access: tool.access,
      // If a person has changed the call, these are not the arguments that it runs with.
      ...(note === undefined && { args: parsed.args as unknown }),
      actions: actionsOf(prepared),
    };
    const refusal = await calls.hooks?.before(hooked, signal);
    if (refusal !== undefined) return ended({ ok: false, content: refusal });
    const { action } = prepared;
    if (action !== undefined && action.access !== "read") await onStart();
    const result = await carryOut(permitted);
    return ended((await calls.hooks?.after(hooked, result, signal)) ?? result);
  } catch (error) {
    if (signal.aborted) {
      ended({ ok: false, content: "Stopped." });
      throw error;
    }
    // The model can work around an adapter's failure. Any other error is a bug and ends the task.
    if (!(error instanceof UserError)) throw error;
    return ended({ ok: false, content: error.message });
  }
}

async function carryOut({
  prepared,
  granted,
  note,
}: Extract<Permitted, { type: "permitted" }>): Promise<ToolResult> {
  const result = await prepared.run(granted);
  return note === undefined ? result : { ...result, content: `${note}\n${result.content}` };
}

function emitEnd(
  callId: string,
  { ok, content: output, diff, notes, checklist }: ToolResult,
  durationMs: number,
  { onEvent }: Pick<CallServices, "onEvent">,
): void {
  onEvent({
    type: "toolEnded",
    callId,
    ok,
    output,
    durationMs,
    ...(diff === undefined ? {} : { diff }),
    ...(notes === undefined ? {} : { notes }),
  });
  if (checklist) onEvent({ type: "checklist", steps: checklist });
}

/** Groups neighbouring read-only calls; every other call is a group of its own. */
function inParallel(
  pending: readonly PendingCall[],
  tools: ReadonlyMap<string, AnyTool>,
): PendingCall[][] {
  const groups: PendingCall[][] = [];
  let open: PendingCall[] | undefined;
  for (const item of pending) {
    const tool = tools.get(item.call.name);
    if (tool?.kind === "action" && tool.access === "read") {
      if (open === undefined) groups.push((open = []));
      open.push(item);
    } else {
      open = undefined;
      groups.push([item]);
    }
  }
  return groups;
}

/** The reason why a call of an adopted task is asked about: this installation did not see the model make it. */
const adoptedCall = words("It was waiting in a task that you adopted.");

function unknownTool(call: ToolCall, { tools, onEvent }: Calls): ToolResult {
  const names = [...tools.keys()].join(", ");
  const output = `There is no tool ${JSON.stringify(call.name)}. Use one of: ${names}.`;
  const [callId, tool] = [call.id, call.name.slice(0, 80)];
  onEvent({ type: "toolStarted", callId, tool, title: "" });
  onEvent({ type: "toolEnded", callId, ok: false, output, durationMs: 0 });
  return { ok: false, content: output };
}
