import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PendingView } from "../../protocol/messages.js";
import type { RpcClient } from "../../protocol/rpcClient.js";
import { expertName } from "../text/expertName.js";
import { t } from "../text/words.js";

/** The messages that an expert at work has not been told yet: to be read, changed and deleted until then. */
export class PendingMessages extends LitElement {
  static override properties = {
    messages: { attribute: false },
    request: { attribute: false },
    edited: { state: true },
    news: { state: true },
  };
  declare messages: readonly PendingView[];
  declare request: RpcClient["request"];
  /** The message that is being changed. */
  declare private edited: { readonly id: string; readonly text: string } | undefined;
  /** What a screen reader is told: that a message waits, or was delivered. */
  declare private news: string;

  constructor() {
    super();
    this.messages = [];
    this.news = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("messages") ?? [];
    const isNew = ({ id }: PendingView): boolean => before.every((known) => known.id !== id);
    const added =
      changed.has("messages") && this.hasUpdated ? this.messages.find(isNew) : undefined;
    if (added) this.news = t("Message queued. {0}", whenWords(added));
    if (this.messages.length === 0) this.news = "";
    if (this.messages.every(({ id }) => id !== this.edited?.id)) this.edited = undefined;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("edited") && this.edited) this.querySelector("textarea")?.focus();
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    return html`<span class="sr-only" role="status">${this.news}</span> ${
        messages.length === 0
          ? nothing
          : html`<ul class="pending" aria-label=${t("Queued messages")}>
              ${messages.map((message) => this.row(message))}
            </ul>`
      }`;
  }

  private row(message: PendingView): TemplateResult {
    const { text, when } = message;
    const { edited } = this;
    return html`<li class="pending-row">
      <div class="pending-when">
        <span
          class="codicon codicon-${when === "never" ? "warning" : "clockface"}"
          aria-hidden="true"
        ></span>
        <span>${whenWords(message)}</span>
      </div>
      ${
        edited?.id === message.id
          ? this.editor(message, edited.text)
          : html`<div class="pending-line">
              <div class="pending-text">${text}</div>
              ${this.buttons(message)}
            </div>`
      }
    </li>`;
  }

  private buttons(message: PendingView): TemplateResult {
    const { taskId, id, text, when } = message;
    const button = (icon: string, label: string, work: () => void): TemplateResult =>
      html`<button
        type="button"
        class="icon-button codicon codicon-${icon}"
        title=${label}
        aria-label=${`${label}: ${text.slice(0, 80)}`}
        @click=${work}
      ></button>`;
    return html`<span class="pending-buttons">
      ${
        when === "never"
          ? button("send", t("Send as New Request"), () => {
              this.do("requestMessage", { taskId, id });
            })
          : button("edit", t("Edit Queued Message"), () => {
              this.edited = { id, text };
            })
      }
      ${button("trash", t("Delete Queued Message"), () => {
        this.do("removeMessage", { taskId, id });
      })}
    </span>`;
  }

  private editor(message: PendingView, text: string): TemplateResult {
    const save = (): void => {
      const { taskId, id } = message;
      const changed = this.edited?.text.trim() ?? "";
      this.edited = undefined;
      if (changed === "") this.do("removeMessage", { taskId, id });
      else if (changed !== message.text) this.do("changeMessage", { taskId, id, text: changed });
      else this.leave();
    };
    return html`<textarea
      class="pending-editor"
      rows="1"
      maxlength="200000"
      aria-label=${t("Queued message; Enter saves, Escape cancels")}
      .value=${text}
      @input=${(event: Event) => {
        this.edited = { id: message.id, text: (event.target as HTMLTextAreaElement).value };
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        if (event.key === "Escape") {
          this.edited = undefined;
          this.leave();
        } else if (event.key === "Enter" && !event.shiftKey) save();
        else return;
        event.preventDefault();
      }}
    ></textarea>`;
  }

  /** Asks the host for a change; the focus goes to the input, because the pressed button may go. */
  private do(
    method: "requestMessage" | "removeMessage",
    params: { taskId: string; id: string },
  ): void;
  private do(method: "changeMessage", params: { taskId: string; id: string; text: string }): void;
  private do(
    method: "requestMessage" | "removeMessage" | "changeMessage",
    params: { taskId: string; id: string; text: string },
  ): void {
    // The panel shows the problem if it fails.
    this.request(method, params).catch(() => undefined);
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("rooroo-leave"));
  }
}
customElements.define("rooroo-pending", PendingMessages);

function whenWords({ mode, when, work }: PendingView): string {
  const whole =
    work === undefined
      ? t("the task")
      : work.kind === "run"
        ? t("the run")
        : t("the job {0}", work.name);
  const expert = mode === "" ? whole : expertName(mode);
  switch (when) {
    case "nextTurn":
      return t("Queued for {0}, who reads it before the next step", expert);
    case "decided":
      return t("Queued for {0}, who reads it once you have decided", expert);
    case "resumed":
      return t("Queued for {0}, who reads it when the task goes on", expert);
    case "nextAgent":
      return t("Queued for {0}, whose next agent reads it", expert);
    case "never":
      return mode === ""
        ? t("Not read: {0} has ended", whole)
        : t("Not read by {0}: the task has ended", expert);
  }
}
