import type { ModelMessage } from "../agent/messages.js";
import { checkEnvelope } from "./readEnvelope.js";
import { extractJson } from "./extractJson.js";
import type { PlanStep } from "./plan.js";

/**
 * The plan that the harness keeps: that of the last envelope that was taken, not of one that went back
 * as broken. One that asks the person with `[]` leaves it as it is; one that ends the work ends it.
 *
 * @returns empty when there is none
 */
export function keptPlan(messages: readonly ModelMessage[]): readonly PlanStep[] {
  for (const message of [...messages].reverse()) {
    if (message.role !== "assistant") continue;
    const [call] = message.toolCalls;
    if (call === undefined) continue;
    if (call.name === "attempt_completion") return [];
    const json = extractJson(message.content);
    const checked = checkEnvelope(json.ok ? json.value : undefined);
    if ("envelope" in checked && (checked.envelope.plan ?? []).length > 0) {
      return checked.envelope.plan ?? [];
    }
  }
  return [];
}
