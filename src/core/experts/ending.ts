import type { EndingTool } from "../agent/tool.js";

/** How work is handed in. */
export interface Ending {
  readonly tool: EndingTool;
  /** Why what was handed in does not count yet, in words for the model. */
  readonly accept: (args: unknown) => Promise<string | undefined>;
  /** What is to be handed in, for a model without tool calling; absent: an expert's report. */
  readonly inEnvelopes?: string;
}
