import type { SessionUsage } from "../ports/messages.js";
import { countText } from "../text/countText.js";

/** Usage of models: requests, tokens in and out, US dollars as far as prices are known. */
export interface SpendTotals {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
}

/** The most that may be used of each kind. Absent: no limit. */
export type Limit = Readonly<Partial<Record<keyof SpendTotals, number | undefined>>>;

export const noSpending: SpendTotals = { requests: 0, tokens: 0, cost: 0 };

export function addSpending(one: SpendTotals, other: SpendTotals): SpendTotals {
  return {
    requests: one.requests + other.requests,
    tokens: one.tokens + other.tokens,
    cost: one.cost + other.cost,
  };
}

export function spendingOf(usage: SessionUsage): SpendTotals {
  return {
    requests: usage.calls,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.costUsd ?? 0,
  };
}

/** Returns the first kind whose limit the usage between `from` and `now` has reached. */
export function reached(
  limit: Limit,
  from: SpendTotals,
  now: SpendTotals,
): keyof SpendTotals | undefined {
  return (["requests", "tokens", "cost"] as const).find((kind) => {
    const most = limit[kind];
    return most !== undefined && now[kind] - from[kind] >= most;
  });
}

/** Formats totals, as in `52 requests, 812,400 tokens, $1.93`; {@link readTotals} reads it. */
export function totalsText({ requests, tokens, cost }: SpendTotals): string {
  const parts = [spendingText("requests", requests), spendingText("tokens", tokens)];
  return [...parts, ...(cost > 0 ? [`$${cost.toFixed(4)}`] : [])].join(", ");
}

/** Reads totals from a text; what it does not say is 0. */
export function readTotals(text: string): SpendTotals {
  const amount = (pattern: RegExp): number => {
    const found = Number(pattern.exec(text)?.[1]?.replaceAll(",", "") ?? 0);
    return Number.isFinite(found) ? found : 0;
  };
  return {
    requests: amount(/(?<![\d,])([\d,]+) requests?\b/),
    tokens: amount(/(?<![\d,])([\d,]+) tokens?\b/),
    cost: amount(/\$([\d,]+(?:\.\d+)?)/),
  };
}

/** Formats a limit, as in `200 requests, $5`, or `none`; {@link readLimit} reads it. */
export function limitText({ requests, tokens, cost }: Limit): string {
  const parts = [
    ...(requests === undefined ? [] : [spendingText("requests", requests)]),
    ...(tokens === undefined ? [] : [spendingText("tokens", tokens)]),
    ...(cost === undefined ? [] : [`$${cost}`]),
  ];
  return parts.join(", ") || "none";
}

/** Reads a limit from a text; what it does not name has no limit. */
export function readLimit(text: string): Limit {
  const { requests, tokens, cost } = readTotals(text);
  return {
    ...(requests > 0 ? { requests } : {}),
    ...(tokens > 0 ? { tokens } : {}),
    ...(cost > 0 ? { cost } : {}),
  };
}

/** Formats an amount, as in `200 requests`, `1,000,000 tokens`, `$2.50`. */
export function spendingText(kind: keyof SpendTotals, amount: number): string {
  if (kind === "cost") return `$${amount.toFixed(2)}`;
  return countText(amount, kind === "requests" ? "request" : "token");
}
