import { html, nothing, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import type { PanelParams } from "../../protocol/messages.js";
import { titleText, visibleText } from "../text/visibleText.js";
import { rich, t } from "../text/words.js";
import { afterKey, sendOnce, type ItemContext } from "./itemContext.js";

type ProposalItem = Extract<Item, { kind: "proposal" }>;

const answers = {
  confirmed: ["pass", t("Confirmed")],
  changed: ["edit", t("Changes requested")],
  cancelled: ["circle-slash", t("Cancelled")],
} as const;

/** Renders a run's proposal with the three possible answers; afterwards, the answer that was given. */
export function proposalItem(item: ProposalItem, context: ItemContext): TemplateResult {
  const { answer, words = "", request } = item;
  const about = request.replace(/\s+/g, " ");
  return html`
    <section
      class="proposal ${answer === undefined ? "open" : "answered"}"
      aria-label=${t("Proposal: {0}", about)}
    >
      <h3 class="question-head" title=${t("Run {0}", item.runId)}>
        <span class="codicon codicon-tasklist" aria-hidden="true"></span>
        <span>${t("Run Proposal")}</span>
      </h3>
      <p class="proposal-request">${visibleText(about)}</p>
      ${
        answer === undefined
          ? html`${content(item)} ${actions(item, context)}`
          : html`<p class="answer-given">
              <span class="codicon codicon-${answers[answer][0]}" aria-hidden="true"></span>
              <span class="answer-text"
                >${answers[answer][1]}${words === "" ? nothing : html`: ${visibleText(words)}`}</span
              >
            </p>`
      }
    </section>
  `;
}

function content({ intro, summary, instructions, conflicts, questions, problem }: ProposalItem) {
  return html`
    ${markdown(intro)} ${summary === "" ? nothing : html`<h4>${t("What will be done")}</h4>`}
    ${markdown(summary)}
    ${
      instructions.length === 0
        ? nothing
        : html`<h4>${t("Instructions")}</h4>
            <ol class="proposal-list">
              ${instructions.map(
                ({ type, content: words, supersedes, justification }) =>
                  html`<li>
                    <span class="proposal-type">${visibleText(type)}</span>
                    <span class="proposal-words">${visibleText(words)}</span>
                    ${
                      supersedes.length === 0
                        ? nothing
                        : html`<span class="subtle"
                            >${t("Replaces {0}.", supersedes.join(", "))}</span
                          >`
                    }
                    ${
                      justification === ""
                        ? nothing
                        : html`<span class="subtle">${visibleText(justification)}</span>`
                    }
                  </li>`,
              )}
            </ol>`
    }
    ${list(t("Conflicts with earlier instructions"), conflicts)}
    ${list(t("Open questions"), questions)}
    ${
      problem === ""
        ? nothing
        : html`<p class="approval-warning">
            <span class="codicon codicon-warning" aria-hidden="true"></span>
            <span>${rich("It cannot be confirmed yet: {0}", titleText(problem))}</span>
          </p>`
    }
  `;
}

function markdown(text: string) {
  return text === "" ? nothing : html`<rooroo-markdown .source=${{ text }}></rooroo-markdown>`;
}

function list(title: string, texts: readonly string[]) {
  if (texts.length === 0) return nothing;
  return html`<h4>${title}</h4>
    <ul class="proposal-list">
      ${texts.map((text) => html`<li class="proposal-words">${visibleText(text)}</li>`)}
    </ul>`;
}

function actions(item: ProposalItem, context: ItemContext): TemplateResult {
  const { view, change } = context;
  const disabled = view.sent ?? false;
  const about = { ref: { kind: "run", name: item.runId }, id: item.id } as const;
  const answer = (given: PanelParams<"answerWork">["answer"]): void => {
    sendOnce(context, "answerWork", { ...about, answer: given });
  };
  if (view.editing === true) return changeForm(context, answer);
  return html`<div class="approval-actions">
    <vscode-button
      ?disabled=${disabled || item.problem !== ""}
      @click=${() => {
        answer({ type: "CONFIRM" });
      }}
      >${t("Confirm")}</vscode-button
    >
    <vscode-button
      secondary
      ?disabled=${disabled}
      @click=${() => {
        afterKey(() => {
          change({ editing: true, focus: "change" });
        });
      }}
      >${t("Change…")}</vscode-button
    >
    <vscode-button
      secondary
      ?disabled=${disabled}
      @click=${() => {
        // Not sent with `sendOnce`: the host asks the user first, who may decide not to cancel.
        const cancel = { ...about, answer: { type: "CANCEL" } } as const;
        context.request("answerWork", cancel).catch(() => undefined);
      }}
      >${t("Cancel Run…")}</vscode-button
    >
    <button type="button" class="link-button file-link" data-path=${item.path}>
      ${t("Open Proposal")}
    </button>
  </div>`;
}

/** Renders a field for what to change. Enter sends the text, Escape leaves the proposal as it is. */
function changeForm(
  { view, change }: ItemContext,
  answer: (given: { type: "MODIFY"; words: string }) => void,
): TemplateResult {
  const disabled = view.sent ?? false;
  const send = (): void => {
    const words = view.draft?.trim() ?? "";
    if (words !== "") answer({ type: "MODIFY", words });
  };
  const back = (): void => {
    change({ editing: false });
  };
  return html`
    <textarea
      class="text-input"
      data-focus="change"
      rows="3"
      maxlength="200000"
      placeholder=${t("What should change? For example: at most three pages")}
      aria-label=${t("What should change")}
      ?disabled=${disabled}
      .value=${view.draft ?? ""}
      @input=${(event: Event) => {
        change({ draft: (event.target as HTMLTextAreaElement).value });
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        if (event.key === "Escape") back();
        else if (event.key === "Enter" && !event.shiftKey) send();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    ></textarea>
    <div class="approval-actions">
      <vscode-button ?disabled=${disabled || !view.draft?.trim()} @click=${send}
        >${t("Request New Proposal")}</vscode-button
      >
      <vscode-button secondary ?disabled=${disabled} @click=${back}>${t("Back")}</vscode-button>
    </div>
  `;
}
