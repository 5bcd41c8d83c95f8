import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ProposedAction } from "../../core/agent/tool.js";
import type { DecidedBy } from "../../core/agent/events.js";
import type { ApprovalView, DecisionView } from "../../core/conversation/items.js";
import type { ItemContext } from "../itemContext.js";
import { approvalActions } from "./approvalActions.js";
import { actionPreview } from "./actionPreview.js";
import { visibleText } from "../visibleText.js";

const questions: Record<ProposedAction["access"], string> = {
  read: "Read this?",
  write: "Make this change?",
  command: "Run this command?",
  web: "Send this request?",
  tool: "Use this tool?",
  spend: "Continue?",
};

/** Renders exactly what would happen and the user's choices; afterwards, the decision. */
export function approvalView(
  approval: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  if (approval.state !== "open") return decided(approval, context);
  const { action, why } = approval;
  const question = questions[action.access];
  return html`
    <div class="approval" role="group" aria-label=${`${question} ${action.title}`}>
      <div class="approval-question">
        <span class="codicon codicon-shield" aria-hidden="true"></span>
        <strong>${question}</strong>
      </div>
      ${
        action.title.includes(action.preview.text) || action.access === "spend"
          ? nothing
          : html`<div class="approval-title">${visibleText(action.title)}</div>`
      }
      ${
        !("inside" in action) || action.inside
          ? nothing
          : html`<p class="approval-warning">
              <span class="codicon codicon-warning" aria-hidden="true"></span>
              <span>Outside the workspace: <code>${visibleText(action.path)}</code></span>
            </p>`
      }
      ${context.view.edit === undefined ? actionPreview(action, context) : nothing}
      ${approvalActions(approval, context)}
      ${why === undefined ? nothing : decisionReason(why, context)}
    </div>
  `;
}

function decided(
  { state, reason, granted, why }: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  if (state === "open") return nothing;
  const [icon, words] = {
    allowed: ["pass", "Allowed"],
    denied: ["circle-slash", "Denied"],
    gone: ["circle-slash", "Ended before a decision"],
  }[state] as [string, string];
  const more = reason ?? granted;
  return html`<p class="approval-decided">
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
      <span>${words}${more ? html`: <span>${visibleText(more)}</span>` : nothing}</span>
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
  return decidedBy === "grants" ? "Manage Approvals" : "Open Setting";
}
