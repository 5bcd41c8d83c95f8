import type { ContextParts } from "../../core/agent/context/contextParts.js";
import { fullWindow } from "../../core/agent/context/fullWindow.js";
import { costText } from "../../core/agent/costText.js";
import type { UsageTotals } from "../../core/conversation/state/items.js";
import { translatable } from "../../core/text/translator.js";
import { t } from "./words.js";

type WindowUse = NonNullable<UsageTotals["context"]>;

/** Returns in short how full the model's window is, or the tokens so far if its size is not known, and the cost. */
export function usageWords({ inputTokens, outputTokens, calls, costUsd, context }: UsageTotals) {
  const total = inputTokens + outputTokens;
  const used =
    total === 0
      ? t("{0, plural, one {# call} other {# calls}}", calls)
      : t("{0} tokens", compactCount(total));
  const cost = costText(costUsd);
  const words = context?.limit === undefined ? used : fillText(context, context.limit);
  return cost === "" ? words : `${words} · ${cost}`;
}

function fillText(
  { tokens, guessed }: Pick<WindowUse, "tokens" | "guessed">,
  limit: number,
): string {
  const message = guessed === true ? translatable("about {0} of {1}") : translatable("{0} of {1}");
  return t(message, compactCount(tokens), compactCount(limit));
}

/** Returns what a conversation has used, line by line. */
export function usageDetails(usage: UsageTotals): readonly string[] {
  return [
    t("{0, plural, one {# model call} other {# model calls}} in this conversation", usage.calls),
    t(
      "{0, number} tokens in, {1, number} of them from the cache",
      usage.inputTokens,
      usage.cachedTokens,
    ),
    t("{0, number} tokens out", usage.outputTokens),
    ...(usage.uncounted === 0
      ? []
      : [
          t(
            "{0, plural, one {# call} other {# calls}} whose usage the server did not report",
            usage.uncounted,
          ),
        ]),
    ...costs(usage),
  ];
}

function costs({ costUsd, day }: UsageTotals): string[] {
  const [all, last] = [costText(costUsd), costText(day?.costUsd)];
  return [
    ...(all === "" ? [] : [t("{0} in this conversation", all)]),
    ...(last === "" ? [] : [t("{0} on {1}", last, day?.date ?? "")]),
  ];
}

/** Says how full the window is, as in `45.2k of 128k tokens (35%)`. */
export function windowWords(use: WindowUse): string {
  const { tokens, limit } = use;
  if (limit === undefined) return t("{0} tokens", compactCount(tokens));
  return t("{0} tokens ({1}%)", fillText(use, limit), percent(tokens, limit));
}

/** A part of what the window holds, or has room for. */
export interface WindowRow {
  /** Names the part in style sheets, too. */
  readonly kind: keyof ContextParts | "free" | "kept";
  readonly label: string;
  readonly tokens: number;
}

const labels: Readonly<Record<keyof ContextParts, string>> = {
  system: t("System prompt"),
  tools: t("Tools"),
  request: t("What was asked"),
  results: t("Files and results"),
  conversation: t("Conversation"),
};

/** Returns what fills the window, in the order in which it is sent, then what is free; empty if that is not known. */
export function windowRows({ parts, tokens, limit }: WindowUse): readonly WindowRow[] {
  if (parts === undefined) return [];
  const filled = Object.entries(labels).map(([kind, label]) => {
    const part = kind as keyof ContextParts;
    return { kind: part, label, tokens: parts[part] };
  });
  if (limit === undefined) return filled;
  const kept = Math.round((1 - fullWindow) * limit);
  const free = Math.max(0, limit - kept - tokens);
  return [
    ...filled,
    { kind: "free", label: t("Free"), tokens: free },
    { kind: "kept", label: t("Kept for the answer"), tokens: kept },
  ];
}

/** Returns how much of a whole something is, in whole percent, at most 100. */
export function percent(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.round((100 * part) / whole));
}

/** Returns a count in short, as in "950", "12.4k", "3.1M". */
export function compactCount(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 99_950) return `${(value / 1_000).toFixed(1)}k`;
  if (value < 999_500) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
