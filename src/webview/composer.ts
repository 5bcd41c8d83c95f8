import { LitElement, html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { UsageTotals } from "../core/conversation/items.js";
import type { PanelStatus } from "../protocol/messages.js";
import { modeName } from "../core/experts/modeName.js";
import { slashCommands } from "./slashCommands.js";
import type { SlashCommand } from "./slashCommands.js";
import { usageTemplate } from "./usageTemplate.js";

/** The input field, with command hints above it and the model, the usage and the buttons below. */
export class Composer extends LitElement {
  static override properties = {
    status: { attribute: false },
    usage: { attribute: false },
    history: { attribute: false },
    draft: { attribute: false },
    chosen: { state: true },
    hintsClosed: { state: true },
  };
  declare status: PanelStatus;
  declare usage: UsageTotals;
  /** Returns earlier user input, oldest first; Up in an empty input recalls it. */
  declare said: () => readonly string[];
  declare draft: string;
  declare private chosen: number;
  declare private hintsClosed: boolean;
  /** The number of steps back to the recalled user input; 0 if none is recalled. */
  private recalled = 0;

  constructor() {
    super();
    this.draft = "";
    this.chosen = 0;
    this.hintsClosed = false;
  }

  /**
   * Inserts text into the input and puts the cursor after it. Text that was typed already is kept after
   * the inserted text. An empty text only puts the cursor into the input.
   */
  compose(added: string): void {
    const { draft } = this;
    const text = draft.startsWith(added) ? draft : added;
    if (text !== draft) this.setDraft(draft === "" ? text : `${text}${gap(text)}${draft}`);
    this.focusAt(text.length);
  }

  private focusAt(position: number): void {
    void this.updateComplete.then(() => {
      const input = this.querySelector("textarea");
      input?.focus();
      input?.setSelectionRange(position, position);
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { status } = this;
    const hints = this.hints;
    return html`
      ${hints.length > 0 ? this.hintList(hints) : nothing}
      <div class="composer">
        <textarea
          class="composer-input"
          rows="1"
          maxlength="200000"
          placeholder=${placeholder(status)}
          aria-label="Message to the Navigator"
          aria-autocomplete="list"
          aria-controls=${hints.length > 0 ? "slash-hints" : nothing}
          aria-activedescendant=${hints.length > 0 ? `slash-hint-${this.chosen}` : nothing}
          .value=${this.draft}
          @input=${(event: Event) => {
            this.recalled = 0;
            this.setDraft((event.target as HTMLTextAreaElement).value);
          }}
          @keydown=${this.keyDown}
          @focus=${() => {
            this.hintsClosed = false;
          }}
          @blur=${() => {
            this.hintsClosed = true;
          }}
        ></textarea>
        <div class="composer-bar">
          ${this.modelButton()} ${usageTemplate(this.usage)} ${this.buttons()}
        </div>
      </div>
    `;
  }

  private modelButton(): TemplateResult {
    const { name } = this.status.model;
    return html`<button
      type="button"
      class="model-button"
      title="Select Model…"
      aria-label=${`Model: ${name || "none"}. Select Model…`}
      @click=${() => {
        this.fire("rooroo-select-model");
      }}
    >
      <span class="codicon codicon-server" aria-hidden="true"></span>
      <span class="model-name">${name || "Select Model…"}</span>
    </button>`;
  }

  /** Renders Stop while something runs, and Send unless there is nothing to send meanwhile. */
  private buttons(): TemplateResult {
    const { status } = this;
    return html`<span class="composer-buttons">
      ${
        status.busy
          ? html`<button
              type="button"
              class="icon-button stop-button codicon codicon-debug-stop"
              title="Stop"
              aria-label="Stop"
              @click=${() => {
                this.fire("rooroo-stop");
              }}
            ></button>`
          : nothing
      }
      ${
        status.busy && this.draft.trim() === ""
          ? nothing
          : html`<button
              type="button"
              class="icon-button send-button codicon codicon-send"
              title="Send (Enter)"
              aria-label="Send"
              ?disabled=${this.draft.trim() === ""}
              @click=${this.send}
            ></button>`
      }
    </span>`;
  }

  private hintList(hints: readonly SlashCommand[]): TemplateResult {
    return html`<ul id="slash-hints" class="slash-hints" role="listbox" aria-label="Commands">
      ${hints.map(
        (hint, index) =>
          html`<li
            id=${`slash-hint-${index}`}
            role="option"
            aria-selected=${index === this.chosen}
            @mousedown=${(event: Event) => {
              // Keeps the focus in the input.
              event.preventDefault();
              this.take(hint);
            }}
          >
            <span class="slash-name">${hint.text.trim()}</span>
            <span class="slash-description">${hint.description}</span>
          </li>`,
      )}
    </ul>`;
  }

  private get hints(): readonly SlashCommand[] {
    return this.hintsClosed ? [] : slashCommands(this.draft);
  }

  private readonly keyDown = (event: KeyboardEvent): void => {
    // While an input method is composing, Enter and the arrow keys belong to it.
    if (event.isComposing) return;
    if (this.hintKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      if (this.recall(event.key === "ArrowUp" ? 1 : -1)) event.preventDefault();
    }
  };

  private hintKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { hints } = this;
    const hint = hints[this.chosen];
    if (!hint) return false;
    if (key === "ArrowUp" || key === "ArrowDown") {
      const step = key === "ArrowUp" ? -1 : 1;
      this.chosen = (this.chosen + step + hints.length) % hints.length;
      return true;
    }
    if (key === "Escape") {
      this.hintsClosed = true;
      return true;
    }
    const complete = (key === "Enter" && hint.text.trim() !== this.draft) || key === "Tab";
    if (!complete || shiftKey) return false;
    this.take(hint);
    return true;
  }

  private take(hint: SlashCommand): void {
    this.setDraft(hint.text);
    this.focusAt(hint.text.length);
  }

  private recall(step: 1 | -1): boolean {
    const said = this.said();
    if (this.recalled === 0 && (step === -1 || this.draft !== "")) return false;
    const next = Math.min(said.length, this.recalled + step);
    this.setDraft(next === 0 ? "" : (said[said.length - next] ?? ""));
    this.recalled = next;
    return true;
  }

  private readonly send = (): void => {
    const text = this.draft;
    if (text.trim() === "") return;
    this.recalled = 0;
    this.setDraft("");
    this.fire("rooroo-send", text);
  };

  private setDraft(text: string): void {
    this.draft = text;
    this.chosen = 0;
    this.hintsClosed = false;
    this.fire("rooroo-draft", text);
  }

  private fire(type: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
customElements.define("rooroo-composer", Composer);

/** Returns the separator between inserted text and the text that was typed before. */
function gap(text: string): string {
  return /\s$/.test(text) ? "" : "\n";
}

function placeholder(status: PanelStatus): string {
  if (status.talkingTo !== null) return `Message the ${modeName(status.talkingTo)}`;
  if (status.workspace === "none") return "Open a folder to begin";
  return "Enter a goal, or / for commands";
}
