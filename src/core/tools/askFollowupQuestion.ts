import * as z from "zod";
import type { EndingTool } from "../agent/tool.js";

export const followupQuestion = z.object({
  question: z.string().trim().min(1),
  suggestions: z.array(z.string()).nullish().describe("Likely answers"),
});

export const askFollowupQuestion: EndingTool = {
  kind: "question",
  name: "ask_followup_question",
  description: "Ask the user, only for what you cannot find out yourself.",
  parameters: followupQuestion,
};
