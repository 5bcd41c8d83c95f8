import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { Draft } from "../../core/conversation/input/draft.js";
import type { ItemContext, ItemView } from "../items/itemContext.js";
import { askerText } from "../text/expertName.js";
import { visibleText } from "../text/visibleText.js";
import { t } from "../text/words.js";
import { approvalLabel, dockedApproval, takeDecision } from "./dockedApproval.js";
import type { WaitingItem } from "./waiting.js";

/** Words that the user has typed about an approval and not sent; they are kept with the draft. */
export type KeptWords = NonNullable<Draft["words"]>;

/**
 * Shows what waits for the user, above the composer: one thing at a time, with the decision where it is an
 * approval. Fires `rooroo-show` with the id of an item to bring into sight, `rooroo-words` with words
 * that no decision took along, `rooroo-keep` with words to keep, and `rooroo-leave` when the focus has to
 * go elsewhere because nothing waits any more.
 */
export class Dock extends LitElement {
  static override properties = {
    waiting: { attribute: false },
    request: { attribute: false },
    kept: { attribute: false },
  };
  declare waiting: readonly WaitingItem[];
  declare request: ItemContext["request"];
  declare kept: KeptWords | undefined;

  private readonly views = new Map<string, ItemView>();
  /** The key of what the user has chosen to see; otherwise the first is shown. */
  private chosen: string | undefined;
  private shownKey: string | undefined;
  private hadFocus = false;
  /** Whether Enter was held down: its repetition does not decide about the next approval. */
  private isEnterDown = false;

  constructor() {
    super();
    this.waiting = [];
  }

  /** Decides about the shown approval, as its buttons do. Without one, does nothing. */
  decide(decision: "allow" | "deny"): void {
    const { shown } = this;
    if (shown?.kind !== "tool" || shown.approval === undefined || this.isEnterDown) return;
    takeDecision(decision, shown.approval, this.contextOf(shown));
  }

  /** Puts the focus on what is shown, and returns whether anything is. */
  focusShown(): boolean {
    const box = this.querySelector<HTMLElement>(".dock");
    box?.focus();
    return box !== null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.holdsKey, true);
    window.addEventListener("blur", this.releasesKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.holdsKey, true);
    window.removeEventListener("blur", this.releasesKey);
  }

  private readonly holdsKey = ({ key, repeat }: KeyboardEvent): void => {
    if (key === "Enter") this.isEnterDown = repeat;
  };

  private readonly releasesKey = (): void => {
    this.isEnterDown = false;
  };

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    this.hadFocus = this.contains(document.activeElement);
    if (!this.hasUpdated && this.kept) {
      this.views.set(this.kept.approvalId, { draft: this.kept.text, saying: true });
    }
    const keys = new Set(this.waiting.map(keyOf));
    for (const [key, view] of this.views) {
      if (keys.has(key)) continue;
      this.views.delete(key);
      const words = view.draft?.trim() ?? "";
      if (words !== "" && words !== view.sentWords) this.fire("rooroo-words", words);
      this.keepWords();
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { shown } = this;
    if (shown === undefined) return nothing;
    const place = this.place(shown);
    const count =
      place === nothing
        ? ""
        : `, ${t("{0} of {1}", this.waiting.indexOf(shown) + 1, this.waiting.length)}`;
    return html`<div
      class="dock"
      role="group"
      tabindex="-1"
      aria-label=${labelOf(shown) + count}
      @focusin=${this.rove}
      @keydown=${this.keyDown}
    >
      ${
        shown.kind === "tool" && shown.approval
          ? dockedApproval(shown, shown.approval, this.contextOf(shown), [
              this.showButton(shown),
              place,
            ])
          : html`<div class="dock-head">
              <span
                class="codicon codicon-${shown.kind === "proposal" ? "tasklist" : "question"}"
                aria-hidden="true"
              ></span>
              <span class="dock-words">${summaryOf(shown)}</span>
              ${this.showButton(shown)} ${place}
            </div>`
      }
    </div>`;
  }

  protected override updated(): void {
    const { shown } = this;
    const key = shown && keyOf(shown);
    if (key !== this.shownKey) {
      this.shownKey = key;
      this.setRoving(0);
      if (this.hadFocus && !this.focusShown()) this.fire("rooroo-leave");
    } else this.setRoving(this.roving);
  }

  private showButton({ id }: WaitingItem): TemplateResult {
    return html`<button
      type="button"
      class="link-button"
      @click=${() => {
        this.fire("rooroo-show", id);
      }}
    >
      ${t("Show")}
    </button>`;
  }

  /** Renders which of several waiting things is shown, and a button for the next. */
  private place(shown: WaitingItem): TemplateResult | typeof nothing {
    const { waiting } = this;
    if (waiting.length < 2) return nothing;
    const index = waiting.indexOf(shown);
    return html`<span class="dock-place">${t("{0} of {1}", index + 1, waiting.length)}</span>
      <button
        type="button"
        class="icon-button codicon codicon-chevron-right"
        title=${t("Next")}
        aria-label=${t("Next of What Waits for You")}
        @click=${() => {
          const next = waiting[(index + 1) % waiting.length];
          this.chosen = next && keyOf(next);
          this.requestUpdate();
        }}
      ></button>`;
  }

  private get shown(): WaitingItem | undefined {
    return this.waiting.find((item) => keyOf(item) === this.chosen) ?? this.waiting[0];
  }

  private contextOf(item: WaitingItem): ItemContext {
    const key = keyOf(item);
    const view = this.views.get(key) ?? {};
    this.views.set(key, view);
    return {
      view,
      request: this.request,
      change: (change) => {
        Object.assign(view, change);
        this.keepWords();
        this.requestUpdate();
      },
    };
  }

  private keepWords(): void {
    const found = [...this.views].find(([, { draft }]) => draft?.trim());
    this.fire("rooroo-keep", found && { approvalId: found[0], text: found[1].draft ?? "" });
  }

  /** The buttons of the decision. One of them is a tab stop; the arrow keys lead to the others. */
  private get buttons(): HTMLButtonElement[] {
    return [...this.querySelectorAll<HTMLButtonElement>("[role=toolbar] button")];
  }

  private get roving(): number {
    return Math.max(
      0,
      this.buttons.findIndex(({ tabIndex }) => tabIndex === 0),
    );
  }

  private setRoving(stop: number): void {
    this.buttons.forEach((button, index) => (button.tabIndex = index === stop ? 0 : -1));
  }

  private readonly rove = ({ target }: FocusEvent): void => {
    const index = this.buttons.indexOf(target as HTMLButtonElement);
    if (index >= 0) this.setRoving(index);
  };

  private readonly keyDown = (event: KeyboardEvent): void => {
    const { buttons } = this;
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (index < 0 || step === undefined) return;
    event.preventDefault();
    buttons[(index + step + buttons.length) % buttons.length]?.focus();
  };

  private fire(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
customElements.define("rooroo-dock", Dock);

/** Returns the key of a waiting thing: a call that is asked about again is another one. */
function keyOf(item: WaitingItem): string {
  return item.kind === "tool" ? (item.approval?.approvalId ?? item.id) : item.id;
}

function labelOf(item: WaitingItem): string {
  if (item.kind === "tool") return item.approval ? approvalLabel(item.approval) : item.title;
  if (item.kind === "question") return `${askerText(item)}: ${oneLine(item.text)}`;
  return t("Proposal of the run: {0}", oneLine(item.request));
}

function summaryOf(item: WaitingItem): TemplateResult | typeof nothing {
  if (item.kind === "tool") return nothing;
  const [head, text] =
    item.kind === "question"
      ? [askerText(item), item.text]
      : [t("A run waits for you to confirm its proposal"), item.request];
  return html`<strong>${head}:</strong> ${visibleText(oneLine(text))}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ").slice(0, 300);
}
