import { html, nothing, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { replyRemark } from "../../core/conversation/state/replyRemark.js";
import { t } from "../text/words.js";

/** Renders an expert's text; above it, on one line, what went wrong with the model's reply. */
export function textItem(item: Extract<Item, { kind: "text" }>): TemplateResult | typeof nothing {
  const remark = replyRemark(item, t);
  if (item.text === "" && remark === "" && !item.streaming) return nothing;
  return html`
    ${
      remark === ""
        ? nothing
        : html`<div class="remark">
            <span class="codicon codicon-info" aria-hidden="true"></span>
            <span>${remark}</span>
          </div>`
    }
    <div class="text ${item.streaming ? "streaming" : ""}">
      <rooroo-markdown .source=${{ text: item.text, growing: item.streaming }}></rooroo-markdown>
    </div>
  `;
}
