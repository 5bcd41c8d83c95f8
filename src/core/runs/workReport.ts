import * as z from "zod";
import type { EndingTool } from "../agent/tool.js";
import { normaliseStatus } from "./planReport.js";

const work = z.object({
  status: z.enum(["SUCCESS", "FAILED"]),
  summary: z.string().nullish().describe("one line about what you made, for the catalog"),
  post_tool_required: z.boolean().nullish().describe("the output needs something added afterwards"),
  post_tool_purpose: z.string().nullish().describe("what, if so"),
  error_log: z.string().nullish().describe("for FAILED: what went wrong, in full"),
});

const command = z.object({
  status: z.enum(["SUCCESS", "FAILED"]),
  message: z.string().min(1).describe("the result, for the user"),
});

const message = z.object({ message: z.string().min(1).describe("Markdown, for the user") });

export const readWork = (args: unknown): z.infer<typeof work> => work.parse(args);
export const readCommand = (args: unknown): z.infer<typeof command> => command.parse(args);
export const readMessage = (args: unknown): z.infer<typeof message> => message.parse(args);

const base = { kind: "completion", name: "attempt_completion" } as const;

export const workEnding: EndingTool = {
  ...base,
  description: "Hand in what became of it, and end.",
  parameters: work,
  normalise: normaliseStatus,
};
export const commandEnding: EndingTool = {
  ...base,
  description: "Hand in the result, and end.",
  parameters: command,
  normalise: normaliseStatus,
};
export const messageEnding: EndingTool = {
  ...base,
  description: "Say it to the user.",
  parameters: message,
};
