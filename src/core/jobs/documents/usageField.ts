import type { SessionUsage } from "../../ports/messages.js";
import { spendingOf, totalsText } from "../../spending/spendTotals.js";
import { durationText, readDuration } from "../../text/durationText.js";

/** The figures of an entry's Usage; `null` for those that it does not say. */
export interface EntryUsage {
  /** The duration of the lifecycle in milliseconds; see {@link readDuration}. */
  readonly ms: number | null;
  readonly requests: number | null;
  /** Tokens in and out. */
  readonly tokens: number | null;
  /** US dollars. `null` also if the model's price was not known. */
  readonly cost: number | null;
}

/** Formats what a session used, as in `3 min 20 s, 14 requests, 44,300 tokens, $0.1200`; {@link readUsage} reads it. */
export function usageFieldText(usage: SessionUsage, ms: number): string {
  return `${durationText(ms)}, ${totalsText(spendingOf(usage))}`;
}

/** Reads an entry's Usage, also as earlier versions and people write it. What cannot be read is left out. */
export function readUsage(text: string): EntryUsage {
  const parts = text.split(", ").map((part) => part.trim());
  const amount = (pattern: RegExp): number | null => {
    for (const part of parts) {
      const found = pattern.exec(part)?.[1];
      if (found !== undefined) return Number(found.replaceAll(",", ""));
    }
    return null;
  };
  return {
    ms: parts.map(readDuration).find((one) => one !== undefined) ?? null,
    requests: amount(/^(\d[\d,]*) requests?$/),
    tokens: amount(/^(\d[\d,]*) tokens?$/),
    cost: amount(/^\$(\d[\d,]*(?:\.\d+)?)$/),
  };
}
