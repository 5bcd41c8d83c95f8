import { html, nothing, type TemplateResult } from "lit";
import type { UserAction } from "../../core/conversation/input/userAction.js";
import type { Item } from "../../core/conversation/state/items.js";
import { t } from "../text/words.js";
import { type ItemContext, sendOnce } from "./itemContext.js";

/**
 * Renders the buttons for a message, and for the heading of a plan's task: they are seen on hover, and when the focus is in the item. `linkClicks` copies what
 * {@link copiedText} returns.
 *
 * @param repeat what "Try Again" does. Absent: it is not offered
 */
export function messageTools(
  item: Item,
  context: ItemContext,
  repeat: UserAction | undefined,
): TemplateResult | typeof nothing {
  if (item.kind === "task" && item.planId !== undefined) {
    return html`<div class="message-tools" role="group" aria-label=${t("Task actions")}>
      ${restoreButton(item.taskId, context)}
    </div>`;
  }
  if (copiedText(item) === "") return nothing;
  return html`<div class="message-tools" role="group" aria-label=${t("Message actions")}>
    ${
      repeat === undefined
        ? nothing
        : html`<button
            type="button"
            class="icon-button codicon codicon-refresh"
            data-focus="repeat"
            title=${t("Try Again")}
            aria-label=${t("Try Again")}
            aria-disabled=${context.view.sent === true}
            @click=${() => {
              sendOnce(context, "act", { action: repeat });
            }}
          ></button>`
    }
    ${item.kind === "user" && item.to === undefined ? toolsOfRequest(item, context) : nothing}
    <button
      type="button"
      class="icon-button codicon codicon-copy"
      data-copy="message"
      data-focus="copy"
      title=${t("Copy")}
      aria-label=${t("Copy")}
    ></button>
  </div>`;
}

/** Renders what can be done with a message of the user to the Navigator. */
function toolsOfRequest(
  item: Extract<Item, { kind: "user" }>,
  context: ItemContext,
): TemplateResult {
  return html`
    <button
      type="button"
      class="icon-button codicon codicon-edit"
      data-focus="edit"
      title=${t("Edit")}
      aria-label=${t("Edit")}
      @click=${({ currentTarget }: Event) => {
        const asked = new CustomEvent("rooroo-edit", { bubbles: true, detail: item });
        currentTarget?.dispatchEvent(asked);
      }}
    ></button>
    ${restoreButton(item.id, context)}
  `;
}

/** @param checkpoint the id of the message or the task before which is restored */
function restoreButton(checkpoint: string, { request }: ItemContext): TemplateResult {
  return html`<button
    type="button"
    class="icon-button codicon codicon-discard"
    data-focus="restore"
    title=${t("Restore…")}
    aria-label=${t("Restore…")}
    @click=${() => {
      // The context's `request` shows a refusal to the user.
      request("restore", { checkpoint }).catch(() => undefined);
    }}
  ></button>`;
}

/** Returns the text that is copied of an item, Markdown as it was written; empty if there is nothing to copy. */
export function copiedText(item: Item): string {
  switch (item.kind) {
    case "user":
      return item.text;
    case "text":
      return item.streaming ? "" : item.text;
    case "report":
      return item.message;
    case "notice":
    case "task":
    case "tool":
    case "reasoning":
    case "checklist":
    case "question":
    case "proposal":
    case "plan":
      return "";
  }
}
