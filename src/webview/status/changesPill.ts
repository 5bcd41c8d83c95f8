import { html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { lastChangedReport } from "../../core/conversation/state/lastChangedReport.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { t } from "../text/words.js";

type Changes = NonNullable<PanelStatus["changes"]>;

interface PillActions {
  readonly review: () => void;
  readonly undo: () => void;
  readonly dismiss: () => void;
}

/** Identifies what the pill shows: if it is dismissed, it comes back when there is something else to say. */
export function pillKey(changes: Changes): string {
  return JSON.stringify(changes);
}

/**
 * Returns whether the changes are still those of the last task or plan: the host counts them anew a moment after its
 * report.
 *
 * @param lacksItems whether there are earlier items than these
 */
export function areLast(changes: Changes, items: readonly Item[], lacksItems: boolean): boolean {
  const report = lastChangedReport(items);
  if (report === undefined) return lacksItems;
  return report.id === changes.report && report.undone?.left.length !== 0;
}

/** Renders what the last task or plan has changed and nobody has kept or undone yet. */
export function changesPill(
  { goal, files, added, removed }: Changes,
  { review, undo, dismiss }: PillActions,
): TemplateResult {
  return html`<div class="changes-pill" role="group" aria-label=${t("Changes")} title=${goal}>
    <span class="codicon codicon-diff-multiple" aria-hidden="true"></span>
    <span>${t("{0, plural, one {# file changed} other {# files changed}}", files)}</span>
    <span class="tool-counts"
      ><span class="count-added">+${added}</span>
      <span class="count-removed">−${removed}</span></span
    >
    <span class="pill-buttons">
      <button type="button" class="link-button" @click=${review}>${t("Review")}</button>
      <button type="button" class="link-button" @click=${undo}>${t("Undo")}</button>
      <button
        type="button"
        class="icon-button codicon codicon-close"
        title=${t("Dismiss")}
        aria-label=${t("Dismiss Changes")}
        @click=${dismiss}
      ></button>
    </span>
  </div>`;
}
