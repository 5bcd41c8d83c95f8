import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Intent } from "../../core/agent/tool.js";
import type { ApprovalView } from "../../core/conversation/items.js";
import { sendOnce } from "../itemContext.js";
import type { ItemContext } from "../itemContext.js";
import { plural } from "../plural.js";
import { diffView } from "./diffView.js";
import { visibleText } from "./visibleText.js";

const questions: Record<Intent["access"], string> = {
  read: "Read this file?",
  write: "Make this change?",
  command: "Run this command?",
  web: "Send this request?",
  tool: "Use this tool?",
};

/** What would happen, exactly, and the choice; afterwards what was chosen. */
export function approvalView(
  approval: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  if (approval.state !== "open") return decided(approval);
  const { intent, approvalId } = approval;
  const question = questions[intent.access];
  const decide = (decision: "once" | "task" | "deny"): void => {
    const reason = decision === "deny" ? context.view.draft?.trim() : undefined;
    sendOnce(context, "approve", { approvalId, decision, ...(reason ? { reason } : {}) });
  };
  const disabled = context.view.sent ?? false;
  return html`
    <div class="approval" role="group" aria-label=${`${question} ${intent.title}`}>
      <div class="approval-question">
        <span class="codicon codicon-shield" aria-hidden="true"></span>
        <strong>${question}</strong>
      </div>
      ${
        intent.preview.kind === "command" && intent.title.includes(intent.preview.text)
          ? nothing
          : html`<div class="approval-title">${visibleText(intent.title)}</div>`
      }
      ${
        !("inside" in intent) || intent.inside
          ? nothing
          : html`<p class="approval-warning">
              <span class="codicon codicon-warning" aria-hidden="true"></span>
              <span>Outside of the workspace: <code>${visibleText(intent.path)}</code></span>
            </p>`
      }
      ${
        intent.preview.kind === "diff"
          ? diffView(intent.preview.text, context)
          : intent.access === "command"
            ? commandPreview(intent.preview.text, intent.path)
            : html`<pre class="command scroll-area" tabindex="0" role="region" aria-label="Details">
${visibleText(intent.preview.text)}</pre>`
      }
      <div class="approval-actions">
        <vscode-button
          ?disabled=${disabled}
          @click=${() => {
            decide("once");
          }}
          >Allow</vscode-button
        >
        <vscode-button
          secondary
          ?disabled=${disabled}
          title="And the like of it for the rest of this task"
          @click=${() => {
            decide("task");
          }}
          >Allow for This Task</vscode-button
        >
        <vscode-button
          secondary
          ?disabled=${disabled}
          @click=${() => {
            decide("deny");
          }}
          >Deny</vscode-button
        >
        <input
          class="text-input"
          type="text"
          maxlength="10000"
          ?disabled=${disabled}
          placeholder="What to do instead (optional)"
          aria-label="When denied, what to do instead"
          .value=${context.view.draft ?? ""}
          @input=${(event: Event) => {
            context.view.draft = (event.target as HTMLInputElement).value;
          }}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.isComposing || !context.view.draft?.trim()) return;
            event.preventDefault();
            decide("deny");
          }}
        />
      </div>
    </div>
  `;
}

function commandPreview(command: string, folder: string): TemplateResult {
  const lines = command.split("\n").length;
  return html`
    <pre class="command scroll-area" tabindex="0" role="region" aria-label="Command">
${visibleText(command)}</pre>
    <p class="subtle">
      in
      ${folder === "" ? "the workspace's folder" : html`<code>${visibleText(folder)}</code>`}${
        lines > 1 ? `, ${plural(lines, "line")}` : nothing
      }
    </p>
  `;
}

function decided({ state, reason }: ApprovalView): TemplateResult | typeof nothing {
  if (state === "open") return nothing;
  const [icon, words] = {
    allowed: ["pass", "Allowed"],
    denied: ["circle-slash", "Denied"],
    gone: ["circle-slash", "Ended before anyone decided"],
  }[state] as [string, string];
  return html`<p class="approval-decided">
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <span>${words}${reason ? html`: <span>${visibleText(reason)}</span>` : nothing}</span>
  </p>`;
}
