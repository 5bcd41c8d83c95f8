import type { EndingTool } from "../agent/tool.js";

/** How an agent submits its work. */
export interface Ending {
  readonly tool: EndingTool;
  /**
   * Resolves with why the submitted work is rejected, in words for the model; `undefined` if it is
   * accepted.
   */
  readonly accept: (args: unknown) => Promise<string | undefined>;
  /** The form to submit, for a model without tool calling. Absent: an expert's report. */
  readonly inEnvelopes?: string;
}
