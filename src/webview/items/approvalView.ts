import { html, nothing, type TemplateResult } from "lit";
import type { DecidedBy } from "../../core/agent/events.js";
import type { ToldAction } from "../../core/agent/tool.js";
import type { ApprovalView, DecisionView } from "../../core/conversation/state/items.js";
import { visibleText } from "../text/visibleText.js";
import { rich, t } from "../text/words.js";
import { actionPreview } from "./actionPreview.js";
import type { ItemContext } from "./itemContext.js";

/** Renders exactly what would happen; the decision is docked above the composer. Afterwards, the decision. */
export function approvalView(
  approval: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  if (approval.state !== "open") return decided(approval, context);
  const { action } = approval;
  return html`
    <div class="approval" role="group" aria-label=${t("Preview: {0}", action.title)}>
      ${
        action.title.includes(action.preview.text) || action.access === "spend"
          ? nothing
          : html`<div class="approval-title">${visibleText(action.title)}</div>`
      }
      ${outsideWarning(action)} ${actionPreview(action, context)}
    </div>
  `;
}

/** Renders a warning for an action outside the workspace. */
export function outsideWarning(action: ToldAction): TemplateResult | typeof nothing {
  if (!("inside" in action) || action.inside) return nothing;
  return html`<p class="approval-warning">
    <span class="codicon codicon-warning" aria-hidden="true"></span>
    <span
      >${rich("Outside the workspace: {0}", html`<code>${visibleText(action.path)}</code>`)}</span
    >
  </p>`;
}

function decided(
  { state, reason, granted, why }: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  if (state === "open") return nothing;
  const [icon, words] = {
    allowed: ["pass", t("Allowed")],
    denied: ["circle-slash", t("Denied")],
    gone: ["circle-slash", t("Cancelled before you decided")],
  }[state] as [string, string];
  return html`<p class="approval-decided">
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
      <span
        >${words}${reason ? html`: <span>${visibleText(reason)}</span>` : nothing}${
          granted ? html`, <span>${visibleText(granted)}</span>` : nothing
        }</span
      >
    </p>
    ${why === undefined || context.view.open !== true ? nothing : decisionReason(why, context)}`;
}

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
  return decidedBy === "grants" ? t("Manage Approvals") : t("Open Setting");
}
