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
    // Live output is followed to its end, unless someone is reading further up.
    for (const output of this.querySelectorAll<HTMLElement>(".output.live")) {
      const behind = output.scrollHeight - output.scrollTop - output.clientHeight;
      if (output.dataset["scrolled"] === undefined || behind < 60) {
        output.scrollTop = output.scrollHeight;
      }
      output.dataset["scrolled"] = "";
    }
  }
}
customElements.define("rooroo-item", ItemElement);

function plainText(item: Item | undefined): string {
  const parts = Object.entries(item ?? {}).filter(
    ([key, value]) => typeof value === "string" && key !== "id" && key !== "at",
  );
  return parts.map(([key, value]) => `${key}: ${String(value)}`).join("\n");
}
