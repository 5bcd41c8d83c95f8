import { html, nothing, type TemplateResult } from "lit";
import type { TaskEnd } from "../../core/conversation/events/events.js";
import { messageWithFindings } from "../../core/conversation/events/findingsText.js";
import type { Item } from "../../core/conversation/state/items.js";
import { expertName } from "../text/expertName.js";
import { titleText } from "../text/visibleText.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";

const ends: Readonly<Record<TaskEnd, readonly [icon: string, words: string]>> = {
  Done: ["pass-filled", t("Done")],
  Failed: ["error", t("Failed")],
  NeedsClarification: ["question", t("Needs Clarification")],
  Advice: ["lightbulb", t("Advice")],
  Stopped: ["stop-circle", t("Stopped")],
  Waiting: ["clock", t("Needs You")],
};

/** Returns the words for how a task ended. */
export function endWords(end: TaskEnd): string {
  return ends[end][1];
}

/** Renders how a task ended, in the expert's words, with its files and its changes to review. */
export function reportItem(
  item: Extract<Item, { kind: "report" }>,
  { request }: ItemContext,
): TemplateResult {
  const { undone } = item;
  const [icon, words] = undone === undefined ? ends[item.end] : (["discard", t("Undone")] as const);
  return html`
    <div class="report ${undone === undefined ? `end-${item.end.toLowerCase()}` : "undone"}">
      <h3 class="report-head" title=${t("Task {0}", item.taskId)}>
        <span class="codicon codicon-${icon}" aria-hidden="true"></span>
        <span>${words}</span>
        <span class="subtle">${expertName(item.mode)}</span>
        ${
          undone === undefined
            ? nothing
            : html`<time
                class="subtle"
                datetime=${undone.at}
                title=${new Date(undone.at).toLocaleString()}
                >${new Date(undone.at).toLocaleTimeString([], { timeStyle: "short" })}</time
              >`
        }
      </h3>
      ${leftAlone(undone?.left ?? [])}
      <rooroo-markdown
        .source=${{ text: messageWithFindings(item.message, item.findings, t) }}
      ></rooroo-markdown>
      ${
        item.artifacts.length === 0
          ? nothing
          : html`<ul class="artifacts" aria-label=${t("Files")}>
              ${item.artifacts.map(
                (path) =>
                  html`<li>
                    <button
                      type="button"
                      class="file-link artifact"
                      data-path=${path}
                      title=${t("Open {0}", path)}
                    >
                      <span class="codicon codicon-file" aria-hidden="true"></span>
                      <span class="artifact-path">${titleText(path)}</span>
                    </button>
                  </li>`,
              )}
            </ul>`
      }
      ${
        item.changedFiles === undefined || undone?.left.length === 0
          ? nothing
          : html`<div class="steps">
              <vscode-button
                secondary
                icon="diff-multiple"
                @click=${() => {
                  // The context's `request` shows a refusal to the user.
                  request("reviewChanges", { taskId: item.taskId }).catch(() => undefined);
                }}
                >${t("Review Changes ({0, plural, one {# file} other {# files}})", undone?.left.length ?? item.changedFiles)}</vscode-button
              >
            </div>`
      }
    </div>
  `;
}

/** Names the files that an undo has left alone. */
function leftAlone(paths: readonly string[]): TemplateResult | typeof nothing {
  if (paths.length === 0) return nothing;
  return html`<p class="left-alone">
    <span
      >${t("{0, plural, one {# file left as it is:} other {# files left as they are:}}", paths.length)}</span
    >
    ${paths.map(
      (path) =>
        html` <button
          type="button"
          class="file-link"
          data-path=${path}
          title=${t("Open {0}", path)}
        >
          ${titleText(path)}
        </button>`,
    )}
  </p>`;
}
