import type { SessionUsage } from "../ports/messages.js";

/** Adds costs in US dollars; `undefined` if one of them is unknown. */
export function addCosts(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Adds what two pieces of work used; the cost is unknown if one of them is. */
export function addUsage(a: SessionUsage, b: SessionUsage): SessionUsage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: addCosts(a.costUsd, b.costUsd),
    workedMs: a.workedMs + b.workedMs,
  };
}
