import { html } from "lit";
import type { TemplateResult } from "lit";
import type { Item } from "../../core/conversation/items.js";
import { modeIcon } from "../modeIcon.js";
import { modeName } from "../../core/experts/modeName.js";

/** Renders the head of a task: its expert, and its goal. */
export function taskItem(item: Extract<Item, { kind: "task" }>): TemplateResult {
  return html`
    <div class="task">
      <h2 class="task-head" title=${`Task ${item.taskId}`}>
        <span class="codicon codicon-${modeIcon(item.mode)}" aria-hidden="true"></span>
        <span class="task-mode">${modeName(item.mode)}</span>
        ${
          item.running
            ? html`<span
                class="codicon codicon-loading codicon-modifier-spin task-running"
                role="img"
                aria-label="Running"
              ></span>`
            : ""
        }
        <span class="task-id">${item.taskId}</span>
      </h2>
      <rooroo-markdown class="task-goal" .source=${{ text: item.goal }}></rooroo-markdown>
    </div>
  `;
}
