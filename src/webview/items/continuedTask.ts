import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Item } from "../../core/conversation/items.js";
import { modeIcon } from "../modeIcon.js";
import { modeName } from "../../core/experts/modeName.js";
import { visibleText } from "./visibleText.js";

/** Renders which task the next items belong to, when parallel tasks alternate. */
export function continuedTask(
  task: Extract<Item, { kind: "task" }> | undefined,
): TemplateResult | typeof nothing {
  if (task === undefined) return nothing;
  const [goal = ""] = task.goal.trim().split("\n");
  return html`<p class="continued" title=${`Task ${task.taskId}`}>
    <span class="codicon codicon-${modeIcon(task.mode)}" aria-hidden="true"></span>
    <span class="continued-mode">${modeName(task.mode)}</span>
    <span class="continued-goal">${visibleText(goal)}</span>
  </p>`;
}
