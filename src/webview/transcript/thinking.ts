import { html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { t } from "../text/words.js";

/** The number of items at the end among which something can be going on. */
const newest = 60;

/** Returns whether work goes on of which the conversation shows nothing: a model has been asked and says nothing yet. */
export function isThinking(items: readonly Item[], isBusy: boolean): boolean {
  return isBusy && !items.slice(-newest).some(isShowing);
}

/** Returns whether an item shows by itself that something is going on, or that the user is waited for. */
function isShowing(item: Item): boolean {
  switch (item.kind) {
    case "text":
    case "reasoning":
      return item.streaming;
    case "tool":
      return item.state === "running" || item.approval?.state === "open";
    case "question":
      return item.answer === undefined && item.closed !== true && item.work === undefined;
    case "proposal":
    case "plan":
    case "user":
    case "notice":
    case "task":
    case "checklist":
    case "report":
      return false;
  }
}

/** Renders that a model has been asked. */
export function thinkingLine(): TemplateResult {
  return html`<p class="thinking">
    <span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>
    <span>${t("Thinking…")}</span>
  </p>`;
}
