import * as vscode from "vscode";
import { costText } from "../../core/agent/costText.js";
import type { Effort } from "../../core/agent/messages.js";

/** Says in few characters what work has used: "12k tokens, $0.31, 3 min". Empty if nothing is known. */
export function effortText({ inputTokens, outputTokens, costUsd, workedMs }: Effort): string {
  const tokens = inputTokens + outputTokens;
  const parts = [];
  if (tokens > 0) parts.push(vscode.l10n.t("{0} tokens", compactCount(tokens)));
  const cost = costText(costUsd);
  if (cost !== "") parts.push(cost);
  if (workedMs >= 1000) parts.push(durationText(workedMs));
  return parts.join(", ");
}

/** Shortens a count as the panel does: "950", "12k", "3.1M". */
function compactCount(value: number): string {
  if (value < 1000) return String(value);
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return vscode.l10n.t("{0} s", seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return vscode.l10n.t("{0} min", minutes);
  return vscode.l10n.t("{0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}
