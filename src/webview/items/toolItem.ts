import { html, nothing, type TemplateResult } from "lit";
import type { ToldAction } from "../../core/agent/tool.js";
import { shortDurationWords } from "../../core/text/durationWords.js";
import { toolEntry } from "../../core/tools/toolTable.js";
import { titleText, visibleText } from "../text/visibleText.js";
import { rich, t } from "../text/words.js";
import { approvalView, decisionReason } from "./approvalView.js";
import { diffCounts, diffView } from "./diffView.js";
import type { ItemContext } from "./itemContext.js";
import type { ToolItem } from "./toolCallGroup.js";

/** Milliseconds below which a call's duration is not shown. */
const quickMs = 500;

/** Renders a tool call as one line; below it, if it is open, the result. */
export function toolItem(item: ToolItem, context: ItemContext): TemplateResult {
  const { approval } = item;
  const asks = approval?.state === "open";
  const runsOn = item.runsOn === true && item.state !== "running";
  const running = (item.state === "running" || runsOn) && !asks;
  const hasBody =
    item.output !== "" || item.diff !== undefined || (item.allowed !== undefined && !running);
  const failed = item.state === "failed" && !isPersons(item);
  const open = hasBody && (context.view.open ?? (running || failed));
  const { verb, kind } = toolEntry(item.tool);
  const row = html`
    ${stateIcon(item, asks, running)}
    <span class="tool-verb">${visibleText(t(verb))}</span>
    <span class="tool-title" title=${item.title}>${titleText(item.title)}</span>
    ${item.allowed?.sandboxed === true ? html`<span class="tool-place">${t("in the sandbox")}</span>` : nothing}
    ${runsOn ? html`<span class="tool-duration">${t("still running")}</span>` : nothing}
    ${changeCounts(item)}
    ${
      item.durationMs === undefined || runsOn || item.durationMs < quickMs
        ? nothing
        : html`<span class="tool-duration">${shortDurationWords(item.durationMs, t)}</span>`
    }
    ${
      hasBody
        ? html`<span
            class="codicon codicon-chevron-${open ? "down" : "right"} tool-chevron"
            aria-hidden="true"
          ></span>`
        : nothing
    }
  `;
  return html`
    <div class="tool ${item.state} ${asks ? "asks" : ""}">
      <div class="tool-head">
        ${
          hasBody
            ? html`<button
                type="button"
                class="tool-row"
                aria-expanded=${open}
                @click=${() => {
                  context.change({ open: !open });
                }}
              >
                ${row}
              </button>`
            : html`<div class="tool-row">${row}</div>`
        }${running && kind === "execute" ? stopButton(item, context) : nothing}
      </div>
      ${approval === undefined ? nothing : approvalView(approval, context)}
      ${item.edited === undefined ? nothing : editedCall(item.edited)}
      ${item.notes === undefined || open ? nothing : notesOf(item.notes)}
      ${open ? body(item, context, running) : nothing}
    </div>
  `;
}

/** Renders a button that stops only the command; the task continues. */
function stopButton(item: ToolItem, context: ItemContext): TemplateResult {
  return html`<button
    type="button"
    class="icon-button tool-stop"
    title=${t("Stop Command")}
    aria-label=${t("Stop Command")}
    @click=${() => {
      // The context's `request` shows a refusal to the user.
      context.request("stopCommand", { callId: item.callId ?? item.id }).catch(() => undefined);
    }}
  >
    <span class="codicon codicon-stop-circle" aria-hidden="true"></span>
  </button>`;
}

function body(item: ToolItem, context: ItemContext, running: boolean): TemplateResult {
  const short = context.view.open !== true && item.state === "failed";
  return html`
    <div class="tool-body">
      ${item.diff === undefined ? nothing : diffView(item.diff, context)}
      ${
        item.output === "" || (item.diff !== undefined && item.state === "ok")
          ? nothing
          : html`
              ${
                running && item.omitted > 0
                  ? html`<p class="subtle">
                      ${t("{0, plural, one {# earlier character not shown} other {# earlier characters not shown}}", item.omitted)}
                    </p>`
                  : nothing
              }
              <pre
                class="output scroll-area ${short ? "short" : ""} ${running ? "live" : ""}"
                tabindex="0"
                role="region"
                aria-label=${running ? t("Live output") : t("Output")}
              >
${visibleOutput(item.output)}</pre>
            `
      }
      ${item.allowed === undefined ? nothing : decisionReason(item.allowed, context)}
    </div>
  `;
}

/** Renders what the user has to know about a call even if its output is not shown. */
function notesOf(notes: readonly string[]): TemplateResult {
  return html`<div class="approval-decided tool-notes">
    <span class="codicon codicon-shield" aria-hidden="true"></span>
    <span>${visibleText(notes.join("\n"))}</span>
  </div>`;
}

/** Renders that the user edited the call, so that it is not what the model proposed. */
function editedCall(action: ToldAction): TemplateResult {
  const isCommand = action.access === "command";
  return html`<div class="approval-decided">
    <span class="codicon codicon-edit" aria-hidden="true"></span>
    <span
      >${
        isCommand
          ? rich("Edited by you: {0}", html`<code>${visibleText(action.preview.text)}</code>`)
          : t("With your edits.")
      }</span
    >
  </div>`;
}

/** Removes terminal colours and carriage returns: in output they are noise, and hide nothing. */
function visibleOutput(output: string): string {
  return output.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replace(/\r\n?/g, "\n");
}

/** Returns whether a call did not succeed because the user denied or stopped it, which is no error. */
function isPersons({ approval, output }: ToolItem): boolean {
  return approval?.state === "denied" || approval?.state === "gone" || output === "Stopped.";
}

function stateIcon(item: ToolItem, asks: boolean, running: boolean): TemplateResult {
  const [icon, label] = asks
    ? ["shield attention", t("Awaiting your approval")]
    : {
        running: ["loading codicon-modifier-spin", t("Running")],
        ok: [`${toolEntry(item.tool).icon} quiet`, t("Done")],
        failed: isPersons(item)
          ? ["circle-slash quiet", item.approval?.state === "denied" ? t("Denied") : t("Stopped")]
          : ["error failed", t("Failed")],
        interrupted: ["circle-slash quiet", t("Interrupted")],
      }[running ? "running" : item.state];
  return html`<span
    class="codicon codicon-${icon} tool-icon"
    role="img"
    aria-label=${label}
  ></span>`;
}

function changeCounts(item: ToolItem): TemplateResult | typeof nothing {
  if (item.diff === undefined) return nothing;
  const { added, removed } = diffCounts(item.diff);
  return html`<span class="tool-counts"
    ><span
      class="count-added"
      aria-label=${t("{0, plural, one {# line added} other {# lines added}}", added)}
      >+${added}</span
    >
    <span
      class="count-removed"
      aria-label=${t("{0, plural, one {# line removed} other {# lines removed}}", removed)}
      >−${removed}</span
    ></span
  >`;
}
