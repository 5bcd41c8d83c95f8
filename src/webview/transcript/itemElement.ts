import { LitElement, html, type nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Draft } from "../../core/conversation/input/draft.js";
import type { UserAction } from "../../core/conversation/input/userAction.js";
import type { Item } from "../../core/conversation/state/items.js";
import { attachmentChips } from "../items/attachmentChips.js";
import { checklistItem } from "../items/checklistItem.js";
import "../markdown/markdownView.js";
import type { ItemContext, ItemView } from "../items/itemContext.js";
import { messageTools } from "../items/messageTools.js";
import { noticeItem } from "../items/noticeItem.js";
import { planItem } from "../items/planItem.js";
import { proposalItem } from "../items/proposalItem.js";
import { questionItem } from "../items/questionItem.js";
import { reasoningItem } from "../items/reasoningItem.js";
import { reportItem } from "../items/reportItem.js";
import { continuedTask, taskItem } from "../items/taskItem.js";
import { textItem } from "../items/textItem.js";
import { toolItem } from "../items/toolItem.js";
import { t } from "../text/words.js";

/** What the user has typed and not sent in answer to a question or a proposal. */
export type KeptAnswer = NonNullable<Draft["answers"]>[number];

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
    repeat: { attribute: false },
  };
  declare item: Item;
  /** The task that this item continues, if the item above belongs to another one. */
  declare task: Extract<Item, { kind: "task" }> | undefined;
  declare view: ItemView;
  declare request: ItemContext["request"];
  /** What the user can have done once more from this item. Absent: nothing. */
  declare repeat: UserAction | undefined;
  private broken = false;
  /** Whether the output's end is in view, or there is no output yet. */
  private following = true;
  /** The diff that has been scrolled to its first change. */
  private placed: HTMLElement | null = null;

  constructor() {
    super();
    this.addEventListener("focusin", ({ target }) => {
      const place = target instanceof Element ? target.closest("[data-focus]") : null;
      this.view.focus = (place as HTMLElement | null)?.dataset["focus"];
    });
    this.addEventListener("focusout", ({ relatedTarget }) => {
      const isElsewhere = relatedTarget instanceof Node && !this.contains(relatedTarget);
      if (isElsewhere) this.view.focus = undefined;
    });
  }

  /** Keeps the focus where it was, or puts it where it belongs, when what had it is drawn elsewhere or is gone. */
  private keepFocus(): void {
    const { activeElement } = document;
    const { focus } = this.view;
    const isFree = activeElement === document.body || this.contains(activeElement);
    if (focus === undefined || !isFree || !document.hasFocus()) return;
    const named = [...this.querySelectorAll<HTMLElement>("[data-focus]")];
    const place = named.find((element) => element.dataset["focus"] === focus);
    if (place?.contains(activeElement)) return;
    (place ?? named.at(-1))?.focus({ preventScroll: true });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const context: ItemContext = {
      view: this.view,
      request: this.request,
      change: (change) => {
        Object.assign(this.view, change);
        if (change.draft !== undefined) this.tellDraft(change.draft);
        this.requestUpdate();
      },
    };
    return html`${continuedTask(this.task)}${itemTemplate(this.item, context)}
    ${messageTools(this.item, context, this.repeat)}`;
  }

  /** Fires `rooroo-answer`, so that what is typed is kept. */
  private tellDraft(text: string): void {
    const detail: KeptAnswer = { id: this.item.id, text };
    this.dispatchEvent(new CustomEvent("rooroo-answer", { detail, bubbles: true }));
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
    plain.textContent = textOf(this.item);
    this.replaceChildren(plain);
  }

  protected override updated(): void {
    // Live output scrolls to its end unless the user reads further up. The end of a failed call's output
    // says most, too.
    const output = this.querySelector(".output.live, .output.short");
    if (output && this.following) output.scrollTop = output.scrollHeight;
    this.keepFocus();
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
        <span class="sr-only"
          >${item.to === undefined ? t("You said:") : t("You said to the expert at work:")}</span
        >
        <div class="user-message">
          <div class="user-text">${item.text}</div>
          ${attachmentChips(item.attachments ?? [], { request: context.request })}
        </div>
      </div>`;
    case "text":
      return textItem(item);
    case "reasoning":
      return reasoningItem(item, context);
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
    case "plan":
      return planItem(item, context);
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

function textOf(item: Item | undefined): string {
  const parts = Object.entries(item ?? {}).filter(
    ([key, value]) => typeof value === "string" && key !== "id" && key !== "at",
  );
  return parts.map(([key, value]) => `${key}: ${String(value)}`).join("\n");
}
