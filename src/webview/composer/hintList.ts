import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";

/** A line of the completion list above the input. */
export interface Hint {
  /** The name that is shown, and that a screen reader says first. */
  readonly name: string;
  readonly description: string;
  /** The Codicon before the name. Absent: none. */
  readonly icon?: string;
  /** Whether the input has this text already, so that Enter sends it instead of completing it. */
  readonly isTyped?: boolean;
  /** Puts the hint into the input. */
  take(): void;
}

/**
 * The completion list above the input: which line is chosen, whether the user has closed the list, and its keys.
 * Slash commands and mentions differ only in their hints.
 */
export class HintList {
  private chosen = 0;
  private isClosed = false;

  constructor(
    private readonly host: ReactiveControllerHost,
    /** Returns the hints for what is typed now. */
    private readonly found: () => readonly Hint[],
  ) {}

  /** The hints that are shown; none while the list is closed. */
  get hints(): readonly Hint[] {
    return this.isClosed ? [] : this.found();
  }

  /** Opens the list again, with its first line chosen, because other text is typed now. */
  reset(): void {
    this.chosen = 0;
    this.setClosed(false);
  }

  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    this.host.requestUpdate();
  }

  /** Returns the id of the list's element, for the input's `aria-controls`; `nothing` while none is shown. */
  get controls(): string | typeof nothing {
    return this.hints.length > 0 ? "hints" : nothing;
  }

  /** Returns the id of the chosen line, for the input's `aria-activedescendant`. */
  get active(): string | typeof nothing {
    return this.hints.length > 0 ? `hint-${this.index}` : nothing;
  }

  /** Handles a key of the input. Returns `false` if it is none of the list's. */
  key({ key, shiftKey }: KeyboardEvent): boolean {
    const { hints } = this;
    const hint = hints[this.index];
    if (!hint) return false;
    if (key === "ArrowUp" || key === "ArrowDown") {
      const step = key === "ArrowUp" ? -1 : 1;
      this.chosen = (this.index + step + hints.length) % hints.length;
      this.host.requestUpdate();
      void this.reveal();
      return true;
    }
    if (key === "Escape") {
      this.setClosed(true);
      return true;
    }
    const completes = (key === "Enter" && hint.isTyped !== true) || key === "Tab";
    if (!completes || shiftKey) return false;
    hint.take();
    return true;
  }

  /** @param label what a screen reader calls the list */
  template(label: string): TemplateResult | typeof nothing {
    const { hints } = this;
    if (hints.length === 0) return nothing;
    return html`<ul id="hints" class="hints" role="listbox" aria-label=${label}>
      ${hints.map(
        (hint, index) =>
          html`<li
            id=${`hint-${index}`}
            role="option"
            aria-selected=${index === this.index}
            @mousedown=${(event: Event) => {
              // Keeps the focus in the input.
              event.preventDefault();
              hint.take();
            }}
          >
            ${
              hint.icon === undefined
                ? nothing
                : html`<span class=${`codicon codicon-${hint.icon}`} aria-hidden="true"></span>`
            }
            <span class="hint-name">${hint.name}</span>
            <span class="hint-description">${hint.description}</span>
          </li>`,
      )}
    </ul>`;
  }

  /** Scrolls the chosen line into view. */
  private async reveal(): Promise<void> {
    await this.host.updateComplete;
    document.getElementById(`hint-${this.index}`)?.scrollIntoView({ block: "nearest" });
  }

  /** The chosen line; the list may have become shorter. */
  private get index(): number {
    return Math.max(0, Math.min(this.chosen, this.found().length - 1));
  }
}
