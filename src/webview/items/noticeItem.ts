import { html, nothing, type TemplateResult } from "lit";
import type { NextStep } from "../../core/conversation/events/events.js";
import type { Item } from "../../core/conversation/state/items.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";

/** The names of the levels of notices. */
export const levelLabels = { info: t("Note"), warning: t("Warning"), error: t("Error") } as const;

export function noticeItem(
  item: Extract<Item, { kind: "notice" }>,
  { request }: ItemContext,
): TemplateResult {
  const take = (step: NextStep): void => {
    // The context's `request` shows a refusal to the user.
    const done =
      step.type === "action" ? request("act", { action: step.action }) : runCommand(step);
    done.catch(() => undefined);
  };
  const runCommand = (step: Extract<NextStep, { type: "command" }>) =>
    request("hostCommand", {
      command: step.command,
      ...(step.about === undefined ? {} : { about: step.about }),
    });
  return html`
    <div class="notice ${item.level}">
      <span
        class="codicon codicon-${item.level} notice-icon"
        role="img"
        aria-label=${levelLabels[item.level]}
      ></span>
      <div class="notice-body">
        <rooroo-markdown .source=${{ text: item.text }}></rooroo-markdown>
        ${
          item.steps.length === 0
            ? nothing
            : html`<div class="steps">
                ${item.steps.map(
                  (step) =>
                    html`<vscode-button
                      secondary
                      @click=${() => {
                        take(step);
                      }}
                      >${step.label}</vscode-button
                    >`,
                )}
              </div>`
        }
      </div>
    </div>
  `;
}
