import type { Rejection } from "../agent/calls/settleCalls.js";
import type { EndingTool, ProposedAction, ToolResult } from "../agent/tool.js";

/**
 * Runs a command as if the agent had called `execute_command`: by the same rules, approvals and sandbox, with its
 * changes recorded. Resolves with `waitsFor` if nobody was there to allow it.
 */
export type RunCommand = (
  command: string,
) => Promise<ToolResult | { readonly waitsFor: ProposedAction }>;

/** The tool by which an agent submits its work, and the check of a submission. */
export interface Ending {
  readonly tool: EndingTool;
  /** Resolves with why the submitted work is rejected; `undefined` if it is accepted. */
  readonly accept: (args: unknown, run: RunCommand) => Promise<Rejection | undefined>;
  /** The form to submit, for a model without tool calling. Absent: an expert's report. */
  readonly inEnvelopes?: string;
}
