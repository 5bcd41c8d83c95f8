import type { ProposedAction, Tool, ToolResult } from "../tool.js";

/** A call that is permitted, as what runs before and after it is told of it. */
export interface HookedCall {
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  readonly access: Tool["access"];
  /** The model's arguments. Absent: a person has changed the call. */
  readonly args?: unknown;
  readonly actions: readonly ProposedAction[];
}

/** What runs before and after calls. Throws the signal's reason when it aborts. */
export interface CallHooks {
  /** Returns why the call does not run, in words for the model; `undefined` if it does. */
  before(call: HookedCall, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the result as the model gets it. Called only for calls that ran. */
  after(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<ToolResult>;
}
