import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { DecidedBy } from "../../core/agent/events.js";
import type { DecisionView } from "../../core/conversation/items.js";
import type { ItemContext } from "../itemContext.js";
import { visibleText } from "./visibleText.js";

/** Renders why a call was asked about or not, with a link to the setting or the approvals that decided. */
export function decisionReason(
  { text, decidedBy }: DecisionView,
  context: ItemContext,
): TemplateResult {
  return html`<p class="decision-reason subtle">
    <span>${visibleText(text)}</span>
    ${
      decidedBy === undefined
        ? nothing
        : html`<button
            type="button"
            class="link-button"
            aria-label=${`${linkText(decidedBy)}: ${text}`}
            @click=${() => {
              context.request("openDecider", { decidedBy }).catch(() => undefined);
            }}
          >
            ${linkText(decidedBy)}
          </button>`
    }
  </p>`;
}

function linkText(decidedBy: DecidedBy): string {
  return decidedBy === "grants" ? "Manage Approvals" : "Open Setting";
}
