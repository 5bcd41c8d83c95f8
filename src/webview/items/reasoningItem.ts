import { html, nothing, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { durationWords } from "../../core/text/durationWords.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";

/** Renders what a model has thought as one line, which opens. */
export function reasoningItem(
  { text, streaming, durationMs }: Extract<Item, { kind: "reasoning" }>,
  { view, change }: ItemContext,
): TemplateResult | typeof nothing {
  if (!streaming && text.trim() === "") return nothing;
  const isOpen = view.open === true;
  const label = streaming
    ? t("Thinking…")
    : durationMs === undefined || durationMs < 1000
      ? t("Thought")
      : t("Thought for {0}", durationWords(durationMs, t));
  return html`
    <div class="tool">
      <button
        type="button"
        class="tool-row reasoning"
        aria-expanded=${isOpen}
        @click=${() => {
          change({ open: !isOpen });
        }}
      >
        <span
          class="codicon codicon-${streaming ? "loading codicon-modifier-spin" : "lightbulb-sparkle"} quiet tool-icon"
          aria-hidden="true"
        ></span>
        <span class="tool-verb">${label}</span>
        <span
          class="codicon codicon-chevron-${isOpen ? "down" : "right"} tool-chevron"
          aria-hidden="true"
        ></span>
      </button>
      ${
        isOpen
          ? html`<rooroo-markdown
              class="thought"
              .source=${{ text, growing: streaming }}
            ></rooroo-markdown>`
          : nothing
      }
    </div>
  `;
}
