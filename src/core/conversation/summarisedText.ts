import type { AgentEvent } from "../agent/events.js";
import { countText } from "../text/countText.js";

/** Says what became of the older messages of a task's conversation with the model. */
export function summarisedText({
  messages,
  asked,
}: Pick<Extract<AgentEvent, { type: "summarised" }>, "messages" | "asked">): string {
  if (messages === 0) {
    return "Nothing was worth compacting.";
  }
  const why = asked === true ? "as you asked" : "because its context window was full";
  return `The first ${countText(messages, "message")} of this task ${messages === 1 ? "was" : "were"} summarized for the model, ${why}.`;
}
