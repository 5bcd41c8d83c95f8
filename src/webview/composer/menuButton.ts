import { LitElement, html, nothing, type TemplateResult } from "lit";

/** A choice of a {@link MenuButton}. */
export interface MenuChoice {
  readonly value: string;
  readonly label: string;
  /** A sentence under the label. */
  readonly detail?: string;
  /** The Codicon before the label. Absent: none. */
  readonly icon?: string;
  /** Whether the choice is shown but cannot be taken; its detail says why. */
  readonly isDisabled?: boolean;
  /** Set if it is switched on and off beside the choice that holds. */
  readonly isOn?: boolean;
}

/**
 * A button that opens a menu of which one choice holds, as VS Code's own chat has them. Fires `rooroo-choose` with the
 * chosen value. The keys are those of ARIA's menu button: arrows, Home, End, first letters, Enter, Escape.
 */
export class MenuButton extends LitElement {
  static override properties = {
    label: { attribute: false },
    icon: { attribute: false },
    shown: { attribute: false },
    keys: { attribute: false },
    choices: { attribute: false },
    value: { attribute: false },
    isOpen: { state: true },
  };
  /** What the choice is about, as in "Mode". */
  declare label: string;
  /** The Codicon of the button. */
  declare icon: string;
  /** The words on the button. */
  declare shown: string;
  /** The key that opens the menu, for the hover; may be empty. */
  declare keys: string;
  declare choices: readonly MenuChoice[];
  /** The value of the choice that holds. */
  declare value: string;
  declare private isOpen: boolean;
  /** Where the focus goes when the menu closes by a key. */
  private focusedBefore: HTMLElement | null = null;

  constructor() {
    super();
    this.keys = "";
    this.choices = [];
    this.isOpen = false;
  }

  /** Opens the menu and focuses the choice that holds; closes it if it is open. */
  toggle(): void {
    if (this.isOpen) {
      this.close();
      return;
    }
    const active = document.activeElement;
    this.focusedBefore = active instanceof HTMLElement && active !== document.body ? active : null;
    this.isOpen = true;
    this.dispatchEvent(new CustomEvent("rooroo-open"));
    void this.updateComplete.then(() => {
      const checked = this.querySelector<HTMLElement>(
        '.menu-item[role="menuitemradio"][aria-checked="true"]',
      );
      (checked ?? this.items[0])?.focus();
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { label, shown, keys, isOpen } = this;
    return html`
      <button
        type="button"
        class="menu-button"
        title=${`${label}: ${shown}${keys === "" ? "" : ` (${keys})`}`}
        aria-label=${`${label}: ${shown}`}
        aria-haspopup="menu"
        aria-expanded=${isOpen}
        @click=${() => {
          this.toggle();
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
          event.preventDefault();
          if (!isOpen) this.toggle();
        }}
      >
        <span class="codicon codicon-${this.icon}" aria-hidden="true"></span>
        <span class="menu-button-text">${shown}</span>
        <span class="codicon codicon-chevron-down" aria-hidden="true"></span>
      </button>
      ${isOpen ? this.menu() : nothing}
    `;
  }

  private menu(): TemplateResult {
    return html`<div
      class="menu"
      role="menu"
      aria-label=${this.label}
      @keydown=${this.keyDown}
      @focusout=${(event: FocusEvent) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || !this.contains(next)) this.isOpen = false;
      }}
    >
      ${this.choices.map(({ value, label, detail, icon, isDisabled, isOn }) => {
        const isChecked = isOn ?? value === this.value;
        return html`<div
          class=${`menu-item ${isOn === undefined ? "" : "is-apart"}`}
          role=${isOn === undefined ? "menuitemradio" : "menuitemcheckbox"}
          tabindex="-1"
          aria-checked=${isChecked}
          aria-disabled=${isDisabled === true}
          @click=${() => {
            this.choose(value, isDisabled);
          }}
          @pointermove=${(event: Event) => {
            (event.currentTarget as HTMLElement).focus();
          }}
        >
          <span
            class="codicon codicon-${isChecked ? "check" : (icon ?? "blank")}"
            aria-hidden="true"
          ></span>
          <span class="menu-words">
            <span class="menu-label">${label}</span>
            ${detail === undefined ? nothing : html`<span class="menu-detail">${detail}</span>`}
          </span>
        </div>`;
      })}
    </div>`;
  }

  private readonly keyDown = (event: KeyboardEvent): void => {
    const { items } = this;
    const at = items.findIndex((item) => item === document.activeElement);
    const focus = (index: number): void => {
      items[(index + items.length) % items.length]?.focus();
    };
    switch (event.key) {
      case "ArrowDown":
        focus(at + 1);
        break;
      case "ArrowUp":
        focus(at - 1);
        break;
      case "Home":
        focus(0);
        break;
      case "End":
        focus(-1);
        break;
      case "Enter":
      case " ":
        items[at]?.click();
        break;
      case "Escape":
        this.close();
        break;
      case "Tab":
        this.close();
        return;
      default: {
        if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
        const wanted = event.key.toLowerCase();
        const names = this.choices.map(({ label }) => label.toLowerCase());
        const later = names.findIndex((name, index) => index > at && name.startsWith(wanted));
        const found = later >= 0 ? later : names.findIndex((name) => name.startsWith(wanted));
        if (found >= 0) focus(found);
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };

  private choose(value: string, isDisabled: boolean | undefined): void {
    if (isDisabled === true) return;
    this.close();
    if (value !== this.value) {
      this.dispatchEvent(new CustomEvent("rooroo-choose", { detail: value }));
    }
  }

  private close(): void {
    const { focusedBefore: before } = this;
    this.isOpen = false;
    if (before?.isConnected === true) before.focus();
    else this.querySelector<HTMLElement>(".menu-button")?.focus();
  }

  private get items(): readonly HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(".menu-item")];
  }
}
customElements.define("rooroo-menu-button", MenuButton);
