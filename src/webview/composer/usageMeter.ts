import { LitElement, html, nothing, svg, type TemplateResult } from "lit";
import type { UsageTotals } from "../../core/conversation/state/items.js";
import {
  compactCount,
  percent,
  usageDetails,
  usageWords,
  windowRows,
  type WindowRow,
  windowWords,
} from "../text/usageWords.js";
import { visibleText } from "../text/visibleText.js";
import { t } from "../text/words.js";

/** An expert at work, as words for it and its task, and whether it can be told to compact its conversation. */
export interface Worker {
  readonly words: string;
  readonly isCompactable: boolean;
}

/**
 * How full the model's context window is, as a button. It opens what fills the window, with a button that fires
 * `rooroo-compact`. Escape closes it, and the focus returns.
 */
export class UsageMeter extends LitElement {
  static override properties = {
    usage: { attribute: false },
    worker: { attribute: false },
    isOpen: { state: true },
  };
  declare usage: UsageTotals;
  /** Whose window it is; `undefined` if that is not known. */
  declare worker: Worker | undefined;
  declare private isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { usage, isOpen } = this;
    const { context, calls } = usage;
    if (calls === 0) return nothing;
    const words = usageWords(usage);
    return html`
      <button
        type="button"
        class="usage-button"
        title=${t("Context and Cost: {0}", words)}
        aria-label=${t("Context and cost: {0}", words)}
        aria-haspopup="dialog"
        aria-expanded=${isOpen}
        @click=${() => {
          if (isOpen) this.close();
          else this.open();
        }}
      >
        ${gauge(context?.limit === undefined ? 0 : percent(context.tokens, context.limit))}
        <span class="usage">${words}</span>
      </button>
      ${isOpen ? this.dialog() : nothing}
    `;
  }

  private dialog(): TemplateResult {
    const { worker } = this;
    const { context } = this.usage;
    const rows = context === undefined ? [] : windowRows(context);
    return html`<div
      class="menu usage-popover"
      role="dialog"
      tabindex="-1"
      aria-labelledby="usage-title"
      aria-describedby="usage-parts usage-notes"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }}
      @focusout=${({ relatedTarget: next }: FocusEvent) => {
        if (!(next instanceof Node) || !this.contains(next)) this.isOpen = false;
      }}
    >
      <div class="usage-head">
        <strong id="usage-title">${t("Context window")}</strong>
        <span class="subtle"
          >${context === undefined ? t("not known yet") : windowWords(context)}</span
        >
      </div>
      ${worker === undefined ? nothing : html`<div class="usage-worker">${visibleText(worker.words)}</div>`}
      <div id="usage-parts">${rows.length === 0 ? nothing : parts(rows, context?.limit)}</div>
      <div id="usage-notes" class="subtle">
        ${rows.length === 0 ? nothing : html`<p>${t("Estimated from the length of the texts.")}</p>`}
        ${usageDetails(this.usage).map((line) => html`<p>${line}</p>`)}
      </div>
      ${
        worker?.isCompactable === false
          ? nothing
          : html`<button
              type="button"
              class="button secondary"
              @click=${() => {
                this.close();
                this.dispatchEvent(new CustomEvent("rooroo-compact"));
              }}
            >
              ${t("Compact Now")}
            </button>`
      }
    </div>`;
  }

  private open(): void {
    this.isOpen = true;
    void this.updateComplete.then(() => {
      const popover = this.querySelector<HTMLElement>(".usage-popover");
      (popover?.querySelector<HTMLElement>(".button") ?? popover)?.focus();
    });
  }

  private close(): void {
    this.isOpen = false;
    this.querySelector<HTMLElement>(".usage-button")?.focus();
  }
}
customElements.define("rooroo-usage", UsageMeter);

/** Renders a small ring of which a part is filled. */
function gauge(filled: number): TemplateResult {
  return html`<svg class="usage-ring" viewBox="0 0 16 16" aria-hidden="true">
    ${svg`<circle cx="8" cy="8" r="6" /><circle
      class="usage-ring-filled"
      cx="8"
      cy="8"
      r="6"
      pathLength="100"
      stroke-dasharray="${filled} 100"
      transform="rotate(-90 8 8)"
    />`}
  </svg>`;
}

function parts(rows: readonly WindowRow[], limit: number | undefined): TemplateResult {
  const whole = limit ?? rows.reduce((sum, { tokens }) => sum + tokens, 0);
  return html`<div class="usage-bar" aria-hidden="true">
      ${rows.map(
        ({ kind, tokens }) =>
          html`<span class="usage-part ${kind}" .style=${`flex-grow:${tokens}`}></span>`,
      )}
    </div>
    <table class="usage-table">
      <tbody>
        ${rows.map(
          ({ kind, label, tokens }) =>
            html`<tr>
              <th scope="row">
                <span class="usage-key ${kind}" aria-hidden="true"></span>${label}
              </th>
              <td>${compactCount(tokens)}</td>
              <td>${percent(tokens, whole)}%</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
