import { LitElement, html } from "lit";
import type { nothing, PropertyValues, TemplateResult } from "lit";
import type { Item } from "../core/conversation/items.js";
import type { ItemContext, ItemView } from "./itemContext.js";
import "./markdownView.js";
import { checklistItem } from "./items/checklistItem.js";
import { noticeItem } from "./items/noticeItem.js";
import { proposalItem } from "./items/proposalItem.js";
import { questionItem } from "./items/questionItem.js";
import { reportItem } from "./items/reportItem.js";
import { continuedTask, taskItem } from "./items/taskItem.js";
import { textItem } from "./items/textItem.js";
import { toolItem } from "./items/toolItem.js";

const changed = ".diff-line:is(.added, .removed)";
/** Pixels of the line next to a change that stay visible, to show that there is more. */
const lineBefore = 18;

/** An item of the panel. If drawing it fails, it is shown as plain text, and other items are not affected. */
export class ItemElement extends LitElement {
  static override properties = {
    item: { attribute: false },
    task: { attribute: false },
    view: { attribute: false },
    request: { attribute: false },
  };
  declare item: Item;
  /** The task that this item continues, if the item above belongs to another one. */
  declare task: Extract<Item, { kind: "task" }> | undefined;
  declare view: ItemView;
  declare request: ItemContext["request"];
  private broken = false;
  /** Whether the output's end is in view, or there is no output yet. */
  private following = true;
  /** The diff that has been scrolled to its first change. */
  private placed: HTMLElement | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`${continuedTask(this.task)}${itemTemplate(this.item, {
      view: this.view,
      request: this.request,
      change: (change) => {
        Object.assign(this.view, change);
        this.requestUpdate();
      },
    })}`;
  }

  protected override willUpdate(): void {
    const output = this.querySelector(".output");
    const behind = output ? output.scrollHeight - output.scrollTop - output.clientHeight : 0;
    this.following = behind < 8;
  }

  protected override update(changed: PropertyValues): void {
    if (!this.broken) {
      try {
        super.update(changed);
        return;
      } catch (error) {
        this.broken = true;
        // The error is visible only in the developer tools.
        reportError(error);
      }
    }
    const plain = document.createElement("pre");
    plain.className = "plain";
    plain.textContent = plainText(this.item);
    this.replaceChildren(plain);
  }

  protected override updated(): void {
    // Live output scrolls to its end unless the user reads further up. The end of a failed call's output
    // says most, too.
    const output = this.querySelector(".output.live, .output.short");
    if (output && this.following) output.scrollTop = output.scrollHeight;
    const diff = this.querySelector<HTMLElement>(".approval .diff");
    if (diff !== this.placed) showFirstChange(diff);
    this.placed = diff;
  }
}
customElements.define("rooroo-item", ItemElement);

function itemTemplate(item: Item, context: ItemContext): TemplateResult | typeof nothing {
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

/** Scrolls a diff to its first change, with as much before it as there is room for. */
function showFirstChange(diff: HTMLElement | null): void {
  const first = diff?.querySelector(changed);
  if (!diff || !first) return;
  let last = first;
  while (last.nextElementSibling?.matches(changed)) last = last.nextElementSibling;
  const area = diff.getBoundingClientRect();
  const beyond = last.getBoundingClientRect().bottom - area.top - diff.clientHeight;
  const before = first.getBoundingClientRect().top - area.top;
  if (beyond > 0) diff.scrollTop = Math.min(beyond + lineBefore, before - lineBefore);
}

function plainText(item: Item | undefined): string {
  const parts = Object.entries(item ?? {}).filter(
    ([key, value]) => typeof value === "string" && key !== "id" && key !== "at",
  );
  return parts.map(([key, value]) => `${key}: ${String(value)}`).join("\n");
}
