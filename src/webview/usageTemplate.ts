import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { costText } from "../core/agent/costText.js";
import type { UsageTotals } from "../core/conversation/items.js";
import { countText } from "../core/text/countText.js";

/** Renders the tokens and costs of this conversation in short, with the details in the tooltip. */
export function usageTemplate(usage: UsageTotals): TemplateResult | typeof nothing {
  if (usage.calls === 0) return nothing;
  const count = (value: number): string => value.toLocaleString("en");
  const all = [
    countText(usage.calls, "model call"),
    `${count(usage.inputTokens)} tokens in, ${count(usage.cachedTokens)} of them from the cache`,
    `${count(usage.outputTokens)} tokens out`,
    ...(usage.uncounted === 0
      ? []
      : [`${countText(usage.uncounted, "call")} whose usage the server did not report`]),
    ...costs(usage),
    ...(usage.context === undefined ? [] : [windowText(usage.context)]),
  ].join("\n");
  const total = usage.inputTokens + usage.outputTokens;
  const words = total === 0 ? countText(usage.calls, "call") : `${compactCount(total)} tokens`;
  const { context } = usage;
  const meter =
    context?.limit === undefined
      ? ""
      : ` · ${context.guessed === true ? "about " : ""}${compactCount(context.tokens)} of ${compactCount(context.limit)}`;
  const cost = costText(usage.costUsd);
  const shown = `${cost === "" ? words : `${words} · ${cost}`}${meter}`;
  return html`<span class="usage" title=${all}>${shown}</span>`;
}

function costs({ costUsd, day }: UsageTotals): string[] {
  const [all, last] = [costText(costUsd), costText(day?.costUsd)];
  return [
    ...(all === "" ? [] : [`${all} in this conversation`]),
    ...(last === "" ? [] : [`${last} on ${day?.date ?? ""}`]),
  ];
}

/** Says how full the context window of the last used model is. */
function windowText({ tokens, limit, guessed }: NonNullable<UsageTotals["context"]>): string {
  const number = (value: number): string => value.toLocaleString("en");
  const used = `Context window: ${guessed === true ? "about " : ""}${number(tokens)} tokens`;
  if (limit === undefined) return used;
  return `${used} of ${number(limit)}; older messages are summarised before it is full`;
}

/** Returns a count in short, as in "950", "12.4k", "3.1M". */
export function compactCount(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 99_950) return `${(value / 1_000).toFixed(1)}k`;
  if (value < 999_500) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
