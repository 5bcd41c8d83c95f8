import type { AgentEvent } from "../../agent/events.js";
import type { Translate } from "../../text/translator.js";

/** Says what became of the older messages of a task's conversation with the model. */
export function summarisedText(
  { messages, asked }: Pick<Extract<AgentEvent, { type: "summarised" }>, "messages" | "asked">,
  t: Translate,
): string {
  if (messages === 0) return t("Nothing was worth compacting.");
  return t(
    "The first {0, plural, one {# message of this task was} other {# messages of this task were}} summarized for the model, {1}.",
    messages,
    asked === true ? t("as you asked") : t("because its context window was full"),
  );
}
