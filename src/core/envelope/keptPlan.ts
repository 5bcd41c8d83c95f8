import type { ModelMessage } from "../agent/messages.js";
import { checkEnvelope } from "./readEnvelope.js";
import { extractJson } from "./extractJson.js";
import type { PlanStep } from "./plan.js";

/**
 * Returns the plan that the harness keeps: that of the last accepted envelope, not of a rejected one. An
 * envelope that asks the user with `[]` leaves the plan as it is; one that ends the work ends the plan.
 *
 * @returns empty when there is no plan
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
