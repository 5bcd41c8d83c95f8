import { html, nothing, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { askerText } from "../text/expertName.js";
import { t } from "../text/words.js";
import { afterKey, sendOnce, type ItemContext } from "./itemContext.js";

type QuestionItem = Extract<Item, { kind: "question" }>;

/**
 * Renders a question with its suggested answers and a field for another; afterwards, the answer. A text
 * that the expert or the user has said word for word just before is not repeated.
 */
export function questionItem(
  item: QuestionItem,
  context: ItemContext,
): TemplateResult | typeof nothing {
  const isOpen = item.answer === undefined;
  const isClosed = isOpen && item.closed === true && context.view.open !== true;
  if (item.repeats && item.wasTyped) return nothing;
  return html`
    <div
      class="question ${isOpen && !isClosed ? "open" : "answered"} ${item.repeats ? "bare" : ""}"
    >
      <h3 class="question-head ${item.repeats && !item.closed ? "sr-only" : ""}">
        <span class="codicon codicon-question" aria-hidden="true"></span>
        <span>${askerText(item)}</span>
        ${isOpen && item.closed ? html`<span class="subtle">${t("Closed")}</span>` : nothing}
      </h3>
      ${item.repeats ? nothing : html`<rooroo-markdown .source=${{ text: item.text }}></rooroo-markdown>`}
      ${isClosed ? answerAfterAll(context) : isOpen ? answering(item, context) : nothing}
      ${item.answer === undefined || item.wasTyped ? nothing : answered(item.answer)}
    </div>
  `;
}

/** Renders the button that shows the field for the answer to a closed question again. */
function answerAfterAll({ change }: ItemContext): TemplateResult {
  return html`<div class="steps">
    <vscode-button
      secondary
      @click=${() => {
        afterKey(() => {
          change({ open: true, focus: "answer" });
        });
      }}
      >${t("Answer After All")}</vscode-button
    >
  </div>`;
}

function answering(item: QuestionItem, context: ItemContext): TemplateResult {
  const disabled = context.view.sent ?? false;
  const answer = (text: string): void => {
    if (text.trim() === "") return;
    const { id, work: ref } = item;
    if (ref) sendOnce(context, "answerWork", { ref, id, answer: { type: "TEXT", text } });
    // The next user input answers the Navigator's own questions.
    else if (item.taskId === null) sendOnce(context, "send", { text });
    else sendOnce(context, "answer", { taskId: item.taskId, text });
  };
  return html`
    ${item.suggestions.length === 0 ? nothing : suggestions(item.suggestions, disabled, answer)}
    <form
      class="answer"
      @submit=${(event: Event) => {
        event.preventDefault();
        answer(context.view.draft ?? "");
      }}
    >
      <textarea
        class="text-input"
        data-focus="answer"
        rows="1"
        maxlength="200000"
        ?disabled=${disabled}
        placeholder=${item.suggestions.length === 0 ? t("Your answer") : t("Or type your own answer")}
        aria-label=${t("Your answer")}
        .value=${context.view.draft ?? ""}
        @input=${(event: Event) => {
          context.change({ draft: (event.target as HTMLTextAreaElement).value });
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          answer(context.view.draft ?? "");
        }}
      ></textarea>
      <vscode-button
        secondary
        ?disabled=${disabled || !context.view.draft?.trim()}
        @click=${() => {
          answer(context.view.draft ?? "");
        }}
        >${t("Answer")}</vscode-button
      >
    </form>
  `;
}

/** Renders suggested answers as buttons. */
function suggestions(
  texts: readonly string[],
  disabled: boolean,
  answer: (text: string) => void,
): TemplateResult {
  return html`<div class="suggestions" role="group" aria-label=${t("Suggested answers")}>
    ${texts.map(
      (suggestion) =>
        html`<button
          type="button"
          class="suggestion"
          ?disabled=${disabled}
          @click=${() => {
            answer(suggestion);
          }}
        >
          ${suggestion}
        </button>`,
    )}
  </div>`;
}

function answered(answer: string): TemplateResult {
  return html`<p class="answer-given">
    <span class="codicon codicon-reply" aria-hidden="true"></span>
    <span class="sr-only">${t("Answered:")}</span>
    <span class="answer-text">${answer}</span>
  </p>`;
}
