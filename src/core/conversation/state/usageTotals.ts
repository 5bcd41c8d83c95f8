import { addCosts } from "../../agent/usageSums.js";
import type { Usage } from "../../ports/messages.js";
import type { UsageTotals } from "./items.js";

/**
 * Adds the usage of one model call to the totals.
 *
 * @param usage `null` if the server does not report it
 * @param at when the call was, in ISO 8601
 */
export function addCallUsage(sum: UsageTotals, usage: Usage | null, at: string): UsageTotals {
  const date = dayOf(at);
  const ofDay = addCosts(sum.day?.date === date ? sum.day.costUsd : 0, usage?.costUsd);
  const ofAll = addCosts(sum.costUsd, usage?.costUsd);
  return {
    calls: sum.calls + 1,
    uncounted: sum.uncounted + (usage === null ? 1 : 0),
    inputTokens: sum.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: sum.outputTokens + (usage?.outputTokens ?? 0),
    cachedTokens: sum.cachedTokens + (usage?.cachedTokens ?? 0),
    ...(ofAll === undefined ? {} : { costUsd: ofAll }),
    ...(sum.context === undefined ? {} : { context: sum.context }),
    day: { date, ...(ofDay === undefined ? {} : { costUsd: ofDay }) },
  };
}

/** Returns the local date of a time in ISO 8601, as in `2026-11-20`. */
export function dayOf(at: string): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
