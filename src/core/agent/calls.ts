import type { Clock } from "../ports.js";
import { UserError } from "../errors.js";
import type { AgentEvent } from "./events.js";
import type { ToolCall } from "./messages.js";
import { parseArguments } from "./parseArguments.js";
import { type Asked, type Permission, permit } from "./permit.js";
import type { Repeats } from "./repeats.js";
import { removeLeftovers } from "./removeLeftovers.js";
import type { AnyTool, EndingTool, Intent, Tool, ToolContext, ToolResult } from "./tool.js";
import type { PendingCall, Transcript } from "./transcript.js";

/** What {@link settleCalls} needs to run an agent's calls. */
export interface Calls {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly clock: Clock;
  readonly onEvent: (event: AgentEvent) => void;
  context(callId: string, signal: AbortSignal): ToolContext;
  authorise(callId: string, asked: Asked, signal: AbortSignal): Promise<Permission>;
  /** Returns why a completion call is rejected, in words for the model; `undefined` if it is accepted. */
  readonly accept: (args: unknown) => Promise<string | undefined>;
  /** Called for each completion call that is rejected. */
  rejected?(problem: string): void;
  readonly repeats?: Repeats;
  /** Removes from results what must be neither shown nor stored. */
  redact?(text: string): string;
  /** See `Dialect.resultText`. */
  readonly resultText?: (result: ToolResult, durationMs: number) => string;
}

export type CallOutcome =
  | {
      readonly type: "settled";
      readonly succeeded: number;
      readonly failed: number;
      readonly lastFailure: string;
    }
  /** `callId` is `null` for a completion that came as text. */
  | { readonly type: "completed"; readonly callId: string | null; readonly args: unknown }
  | { readonly type: "asks"; readonly callId: string; readonly args: unknown }
  | { readonly type: "waitsForApproval"; readonly callId: string; readonly intent: Intent };

/**
 * Gives every pending call its result, in order; neighbouring read-only calls run in parallel. A question or
 * completion is handled after all other calls of its turn, because it may depend on their results.
 */
export async function settleCalls(
  transcript: Transcript,
  calls: Calls,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const tally = { succeeded: 0, failed: 0, lastFailure: "" };
  const record = async (call: ToolCall, given: ToolResult): Promise<void> => {
    const result = { ...given, content: calls.redact?.(given.content) ?? given.content };
    if (result.ok || result.worked) tally.succeeded++;
    else {
      tally.failed++;
      tally.lastFailure = result.content;
    }
    const tool = calls.tools.get(call.name);
    const note = calls.repeats?.count(call, tool, result.ok, result.content) ?? "";
    const noted = { ...result, content: result.content + note };
    const content = calls.resultText?.(noted, durations.get(call.id) ?? 0) ?? noted.content;
    await transcript.append({ type: "result", callId: call.id, ok: result.ok, content });
  };
  const durations = new Map<string, number>();
  const ending: { call: ToolCall; tool: EndingTool }[] = [];

  for (const group of sideBySide(transcript.pendingCalls, calls.tools)) {
    signal.throwIfAborted();
    const results = await Promise.all(
      group.map(async (pending): Promise<ToolResult | Ending | Parked> => {
        const { call, interrupted } = pending;
        const tool = calls.tools.get(call.name);
        const action = tool?.kind === "action" ? tool : undefined;
        if (interrupted) return wasInterrupted(action, call, calls.context(call.id, signal));
        if (tool === undefined) return unknownTool(call, calls);
        if (tool.kind !== "action") return { ending: tool };
        return runCall(tool, pending, transcript, calls, durations, signal);
      }),
    );
    for (const [index, result] of results.entries()) {
      const call = group[index]?.call;
      if (call === undefined) continue;
      if ("ending" in result) ending.push({ call, tool: result.ending });
      else if ("parked" in result) {
        return { type: "waitsForApproval", callId: call.id, intent: result.parked };
      } else await record(call, result);
    }
  }

  for (const [index, { call, tool }] of ending.entries()) {
    if (index > 0) {
      await record(call, { ok: false, content: "Only the first of several endings counts." });
      continue;
    }
    const parsed = parseArguments(tool, call);
    const problem = !parsed.ok
      ? parsed.message
      : tool.kind === "completion"
        ? await calls.accept(parsed.args)
        : undefined;
    if (problem !== undefined) {
      if (tool.kind === "completion") calls.rejected?.(problem);
      await record(call, { ok: false, content: problem });
    } else if (parsed.ok && ending.length === 1) {
      return {
        type: tool.kind === "completion" ? "completed" : "asks",
        callId: call.id,
        args: parsed.args,
      };
    } else {
      await record(call, {
        ok: false,
        content: "Call one of ask_followup_question and attempt_completion, once, by itself.",
      });
    }
  }
  return { type: "settled", ...tally };
}

/** The result, for the model, of a call that was interrupted when the process ended. */
export const wasCutOff =
  "The program was closed while this call ran, so it may have happened in full, in part or not at all. It was not repeated. Look at what is there before you decide.";

interface Ending {
  readonly ending: EndingTool;
}
interface Parked {
  readonly parked: Intent;
}

/** Groups neighbouring read-only calls; every other call is a group of its own. */
function sideBySide(
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

async function runCall(
  tool: Tool<never>,
  { call, adopted }: PendingCall,
  transcript: Transcript,
  calls: Calls,
  /** Receives each call's duration in milliseconds, by the call's id. */
  durations: Map<string, number>,
  signal: AbortSignal,
): Promise<ToolResult | Parked> {
  const parsed = parseArguments(tool, call);
  let started = calls.clock.now().getTime();
  const title = parsed.ok ? tool.title(parsed.args) : "";
  calls.onEvent({ type: "toolStarted", callId: call.id, tool: call.name, title });
  const ended = (result: ToolResult): ToolResult => {
    const durationMs = calls.clock.now().getTime() - started;
    durations.set(call.id, durationMs);
    calls.onEvent({
      type: "toolEnded",
      callId: call.id,
      ok: result.ok,
      output: result.content,
      durationMs,
      ...(result.diff === undefined ? {} : { diff: result.diff }),
      ...(result.notes === undefined ? {} : { notes: result.notes }),
    });
    if (result.checklist) calls.onEvent({ type: "checklist", steps: result.checklist });
    return result;
  };
  if (!parsed.ok) return ended({ ok: false, content: parsed.message });

  try {
    const prepare = () => tool.prepare(parsed.args, calls.context(call.id, signal));
    const first = await prepare();
    if ("ok" in first) return ended(first);
    const askedAt = calls.clock.now().getTime();
    const permitted = await permit(first, prepare, (asked) =>
      calls.authorise(
        call.id,
        adopted ? { ...asked, problem: asked.problem ?? adoptedCall } : asked,
        signal,
      ),
    );
    // Time spent waiting for approval does not count towards the call's duration.
    started += calls.clock.now().getTime() - askedAt;
    if (permitted.type === "parked") return { parked: permitted.intent };
    if (permitted.type === "answered") return ended(permitted.result);
    signal.throwIfAborted();
    const { prepared, granted, note } = permitted;
    if (prepared.intent !== undefined && prepared.intent.access !== "read") {
      await transcript.append({ type: "callStarted", callId: call.id });
    }
    const result = await prepared.run(granted);
    if (note === undefined) return ended(result);
    return ended({ ...result, content: `${note}\n${result.content}` });
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

/** Why a call of an adopted task is asked about: this installation did not see the model make it. */
const adoptedCall = "It was waiting in a task that you adopted.";

function unknownTool(call: ToolCall, { tools, onEvent }: Calls): ToolResult {
  const names = [...tools.keys()].join(", ");
  const output = `There is no tool ${JSON.stringify(call.name)}. Use one of: ${names}.`;
  const [callId, tool] = [call.id, call.name.slice(0, 80)];
  onEvent({ type: "toolStarted", callId, tool, title: "" });
  onEvent({ type: "toolEnded", callId, ok: false, output, durationMs: 0 });
  return { ok: false, content: output };
}

async function wasInterrupted(
  tool: Tool<never> | undefined,
  call: ToolCall,
  { files }: ToolContext,
): Promise<ToolResult> {
  const parsed = tool && parseArguments(tool, call);
  const args = (parsed?.ok === true ? parsed.args : {}) as { path?: unknown; files?: unknown };
  const paths = [args.path, ...(Array.isArray(args.files) ? (args.files as unknown[]) : [])];
  for (const path of tool?.access === "write" ? paths : []) {
    if (typeof path === "string") await removeLeftovers(path, files);
  }
  return { ok: false, content: wasCutOff };
}
