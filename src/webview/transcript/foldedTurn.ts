import { html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { durationWords } from "../../core/text/durationWords.js";
import { t } from "../text/words.js";

/** The steps of a session that has ended, on one line; if the user opens it, they follow as rows of their own. */
export interface FoldedTurn {
  readonly steps: readonly Item[];
  /** From the session's beginning to its report, in milliseconds. */
  readonly durationMs: number;
  readonly open: boolean;
}

/** Kinds of items that an expert's work consists of; the rest addresses the user, or is about the task as a whole. */
const stepKinds: ReadonlySet<Item["kind"]> = new Set(["text", "tool", "reasoning"]);

/**
 * Returns the turns to fold, by the id of their first step: the steps between the beginning of a session and its
 * report, if there are calls among them. Those of a session that has not ended stay as they are.
 */
export function foldableTurns(items: readonly Item[]): Map<string, Omit<FoldedTurn, "open">> {
  const turns = new Map<string, Omit<FoldedTurn, "open">>();
  const begun = new Map<string, { at: string; steps: Item[] }>();
  for (const item of items) {
    if (!("taskId" in item) || item.taskId === null) continue;
    const { taskId } = item;
    if (item.kind === "task") begun.set(taskId, { at: item.at, steps: [] });
    else if (stepKinds.has(item.kind)) begun.get(taskId)?.steps.push(item);
    else if (item.kind === "report" && item.end !== "Waiting") {
      const turn = begun.get(taskId);
      begun.delete(taskId);
      const [first] = turn?.steps ?? [];
      if (turn === undefined || first === undefined) continue;
      if (!turn.steps.some(({ kind }) => kind === "tool")) continue;
      const durationMs = Math.max(0, Date.parse(item.at) - Date.parse(turn.at));
      turns.set(first.id, { steps: turn.steps, durationMs });
    }
  }
  return turns;
}

/** Summarises folded steps, as in "Worked for 12 s · 5 steps · 1 failed". */
export function turnSummary({ steps, durationMs }: Omit<FoldedTurn, "open">): string {
  const calls = steps.filter((item) => item.kind === "tool");
  const denied = calls.filter(({ approval }) => approval?.state === "denied").length;
  const failed = calls.filter(({ state }) => state === "failed").length - denied;
  return [
    durationMs < 1000 ? t("Worked") : t("Worked for {0}", durationWords(durationMs, t)),
    t("{0, plural, one {# step} other {# steps}}", calls.length),
    failed > 0 ? t("{0} failed", failed) : "",
    denied > 0 ? t("{0} denied", denied) : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** Renders folded steps as one line that the user can open. */
export function foldedTurn(turn: FoldedTurn, toggle: () => void): TemplateResult {
  return html`
    <div class="tool">
      <button type="button" class="tool-row" aria-expanded=${turn.open} @click=${toggle}>
        <span class="codicon codicon-history quiet tool-icon" aria-hidden="true"></span>
        <span class="tool-verb">${turnSummary(turn)}</span>
        <span
          class="codicon codicon-chevron-${turn.open ? "down" : "right"} tool-chevron"
          aria-hidden="true"
        ></span>
      </button>
    </div>
  `;
}
