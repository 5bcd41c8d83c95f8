import { html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { inlineCode } from "../text/inlineCode.js";
import { t } from "../text/words.js";

const presentations = {
  open: ["circle-large-outline", t("To do")],
  doing: ["arrow-circle-right", t("Doing")],
  done: ["pass-filled", t("Done")],
} as const;

/** Renders the steps that a task's expert has planned, and how far it is. */
export function checklistItem({ steps }: Extract<Item, { kind: "checklist" }>): TemplateResult {
  const done = steps.filter(({ state }) => state === "done").length;
  return html`
    <section class="checklist" aria-label=${t("Steps: {0} of {1} done", done, steps.length)}>
      <h3 class="checklist-head">
        <span class="codicon codicon-checklist" aria-hidden="true"></span>
        <span>${t("Steps")}</span>
        <span class="subtle">${t("{0} of {1} done", done, steps.length)}</span>
      </h3>
      <ol class="checklist-steps">
        ${steps.map(({ text, state, depth = 0 }) => {
          const [icon, label] = presentations[state];
          return html`<li
            class="step ${state} depth-${Math.min(depth, 3)}"
            aria-level=${depth + 1}
            aria-current=${state === "doing" ? "step" : "false"}
          >
            <span class="codicon codicon-${icon}" role="img" aria-label=${label}></span>
            <span class="step-text">${inlineCode(text)}</span>
          </li>`;
        })}
      </ol>
    </section>
  `;
}
