import type { SessionUsage } from "../ports/messages.js";
import { countText } from "../text/countText.js";
import { costText } from "./costText.js";

/** Formats what agents have used, as in `13 requests, 41,200 tokens, $0.12`. */
export function usageText({ calls, inputTokens, outputTokens, costUsd }: SessionUsage): string {
  const tokens = inputTokens + outputTokens;
  const parts = [
    countText(calls, "request"),
    tokens === 0 ? "" : countText(tokens, "token"),
    costText(costUsd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
