import { LitElement, html } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { Item } from "../core/conversation/items.js";
import type { ItemContext, ItemView } from "./itemContext.js";
import "./markdownView.js";
import { itemTemplate } from "./items/itemTemplate.js";

/** One item. What goes wrong in drawing it stays in it: it is shown as plain text then. */
export class ItemElement extends LitElement {
  static override properties = {
    item: { attribute: false },
    view: { attribute: false },
    request: { attribute: false },
  };
  declare item: Item;
  declare view: ItemView;
  declare request: ItemContext["request"];
  private broken = false;
  /** The output's end is in sight, or there is no output yet. */
  private following = true;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`${itemTemplate(this.item, {
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
        // Only here for whoever looks into the page's own tools.
        reportError(error);
      }
    }
    const plain = document.createElement("pre");
    plain.className = "plain";
    plain.textContent = plainText(this.item);
    this.replaceChildren(plain);
  }

  protected override updated(): void {
    // Live output is followed to its end unless someone reads further up; of what has failed the
    // end says most too.
    const output = this.querySelector(".output.live, .output.short");
    if (output && this.following) output.scrollTop = output.scrollHeight;
  }
}
customElements.define("rooroo-item", ItemElement);

function plainText(item: Item | undefined): string {
  const parts = Object.entries(item ?? {}).filter(
    ([key, value]) => typeof value === "string" && key !== "id" && key !== "at",
  );
  return parts.map(([key, value]) => `${key}: ${String(value)}`).join("\n");
}
