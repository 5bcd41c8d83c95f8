import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { TaskEnd } from "../../core/conversation/events.js";
import type { Item } from "../../core/conversation/items.js";
import type { ItemContext } from "../itemContext.js";
import { modeName } from "../../core/experts/modeName.js";
import { countText } from "../../core/text/countText.js";
import { titleText } from "../visibleText.js";

const ends: Readonly<Record<TaskEnd, readonly [icon: string, words: string]>> = {
  Done: ["pass-filled", "Done"],
  Failed: ["error", "Failed"],
  NeedsClarification: ["question", "Needs Clarification"],
  Advice: ["lightbulb", "Advice"],
  Stopped: ["debug-stop", "Stopped"],
  Waiting: ["clock", "Needs You"],
};

/** Renders how a task ended, in the expert's words, with its files and its changes to review. */
export function reportItem(
  item: Extract<Item, { kind: "report" }>,
  { request }: ItemContext,
): TemplateResult {
  const [icon, words] = ends[item.end];
  return html`
    <div class="report end-${item.end.toLowerCase()}">
      <h3 class="report-head" title=${`Task ${item.taskId}`}>
        <span class="codicon codicon-${icon}" aria-hidden="true"></span>
        <span>${words}</span>
        <span class="subtle">${modeName(item.mode)}</span>
      </h3>
      <rooroo-markdown .source=${{ text: item.message }}></rooroo-markdown>
      ${
        item.artifacts.length === 0
          ? nothing
          : html`<ul class="artifacts" aria-label="Files">
              ${item.artifacts.map(
                (path) =>
                  html`<li>
                    <button
                      type="button"
                      class="file-link artifact"
                      data-path=${path}
                      title=${`Open ${path}`}
                    >
                      <span class="codicon codicon-file" aria-hidden="true"></span>
                      <span class="artifact-path">${titleText(path)}</span>
                    </button>
                  </li>`,
              )}
            </ul>`
      }
      ${
        item.changedFiles === undefined
          ? nothing
          : html`<div class="steps">
              <vscode-button
                secondary
                icon="diff-multiple"
                @click=${() => {
                  // The context's `request` shows a refusal to the user.
                  request("reviewChanges", { taskId: item.taskId }).catch(() => undefined);
                }}
                >Review Changes (${countText(item.changedFiles, "file")})</vscode-button
              >
            </div>`
      }
    </div>
  `;
}
