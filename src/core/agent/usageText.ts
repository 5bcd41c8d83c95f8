import type { SessionUsage } from "../ports/messages.js";
import { costText } from "./costText.js";

/** Formats what agents have used, as in `13 requests, 41,200 tokens, $0.12`. */
export function usageText({ calls, inputTokens, outputTokens, costUsd }: SessionUsage): string {
  const tokens = inputTokens + outputTokens;
  const parts = [
    `${calls.toLocaleString("en-US")} ${calls === 1 ? "request" : "requests"}`,
    ...(tokens === 0
      ? []
      : [`${tokens.toLocaleString("en-US")} ${tokens === 1 ? "token" : "tokens"}`]),
    costText(costUsd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
