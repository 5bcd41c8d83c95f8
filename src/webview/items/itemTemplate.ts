import { html } from "lit";
import type { nothing, TemplateResult } from "lit";
import type { Item } from "../../core/conversation/items.js";
import type { ItemContext } from "../itemContext.js";
import { checklistItem } from "./checklistItem.js";
import { noticeItem } from "./noticeItem.js";
import { proposalItem } from "./proposalItem.js";
import { questionItem } from "./questionItem.js";
import { reportItem } from "./reportItem.js";
import { taskItem } from "./taskItem.js";
import { textItem } from "./textItem.js";
import { toolItem } from "./toolItem.js";

export function itemTemplate(item: Item, context: ItemContext): TemplateResult | typeof nothing {
  switch (item.kind) {
    case "user":
      return html`<div class="user" title=${new Date(item.at).toLocaleString()}>
        <span class="sr-only">You said:</span>
        <div class="user-text">${item.text}</div>
      </div>`;
    case "text":
      return textItem(item);
    case "notice":
      return noticeItem(item, context);
    case "task":
      return taskItem(item);
    case "tool":
      return toolItem(item, context);
    case "checklist":
      return checklistItem(item);
    case "question":
      return questionItem(item, context);
    case "proposal":
      return proposalItem(item, context);
    case "report":
      return reportItem(item, context);
  }
}
