import { html, nothing, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { expertName } from "../text/expertName.js";
import { inlineCode } from "../text/inlineCode.js";
import { t } from "../text/words.js";

/** Renders the head of a task: its expert, and its goal. */
export function taskItem(item: Extract<Item, { kind: "task" }>): TemplateResult {
  return html`
    <div class="task">
      <h2 class="task-head" title=${t("Task {0}", item.taskId)}>
        <span class="codicon codicon-${modeIcon(item.mode)}" aria-hidden="true"></span>
        <span class="task-mode">${expertName(item.mode)}</span>
        ${
          item.running
            ? html`<span
                class="codicon codicon-loading codicon-modifier-spin task-running"
                role="img"
                aria-label=${t("Running")}
              ></span>`
            : ""
        }
      </h2>
      <rooroo-markdown class="task-goal" .source=${{ text: item.goal }}></rooroo-markdown>
    </div>
  `;
}

/** Renders which task the next items belong to, when parallel tasks alternate. */
export function continuedTask(
  task: Extract<Item, { kind: "task" }> | undefined,
): TemplateResult | typeof nothing {
  if (task === undefined) return nothing;
  const [goal = ""] = task.goal.trim().split("\n");
  return html`<h3 class="continued" title=${t("Task {0}", task.taskId)}>
    <span class="codicon codicon-${modeIcon(task.mode)}" aria-hidden="true"></span>
    <span class="continued-mode">${expertName(task.mode)}</span>
    <span class="continued-goal">${inlineCode(goal)}</span>
  </h3>`;
}

/** Returns the codicon for an expert, by its mode. */
function modeIcon(mode: string): string {
  const icons: readonly (readonly [RegExp, string])[] = [
    [/developer/, "code"],
    [/planner/, "list-tree"],
    [/analy[sz]er/, "graph"],
    [/idea|spark/, "lightbulb"],
    [/navigator/, "compass"],
    [/job-runner/, "rocket"],
  ];
  return icons.find(([pattern]) => pattern.test(mode))?.[1] ?? "hubot";
}
