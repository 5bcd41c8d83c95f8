import { html } from "lit";
import type { TemplateResult } from "lit";
import { continuedTask } from "./items/continuedTask.js";
import { visibleText } from "./items/visibleText.js";
import { lookedAt, looksSummary } from "./looks.js";
import type { TranscriptRow } from "./transcriptRows.js";

/** Renders collapsed tool calls as one line that the user can open. */
export function looksTemplate(
  row: Extract<TranscriptRow, { looks: unknown }>,
  toggle: () => void,
): TemplateResult {
  return html`
    ${continuedTask(row.task)}
    <div class="tool">
      <button type="button" class="tool-row" aria-expanded=${row.open} @click=${toggle}>
        <span class="codicon codicon-files quiet tool-icon" aria-hidden="true"></span>
        <span class="tool-verb">${looksSummary(row.looks)}</span>
        <span class="tool-title"
          ><span class="title-head">${visibleText(lookedAt(row.looks))}</span></span
        >
        <span
          class="codicon codicon-chevron-${row.open ? "down" : "right"} tool-chevron"
          aria-hidden="true"
        ></span>
      </button>
    </div>
  `;
}
