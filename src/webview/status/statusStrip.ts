import { html, nothing, type TemplateResult } from "lit";
import type { HostCommand } from "../../core/conversation/events/events.js";
import type { Item } from "../../core/conversation/state/items.js";
import { waitsForUser } from "../../core/conversation/state/waitsForUser.js";
import type { ConversationId, LongWork } from "../../core/ids.js";
import type { PanelStatus, WorkAtWork } from "../../protocol/messages.js";
import { planStatus } from "../items/planStatus.js";
import { inlineCode } from "../text/inlineCode.js";
import { visibleText } from "../text/visibleText.js";
import { rich, t } from "../text/words.js";

export interface StripActions {
  readonly proceed: () => void;
  readonly reveal: (itemId: string) => void;
  readonly showConversation: (id: ConversationId) => void;
  readonly command: (command: HostCommand) => void;
  readonly stopWork: (work: LongWork) => void;
}

/**
 * Renders the strip between conversation and input: what waits, what runs, and notes about the model.
 *
 * @param isDocked whether the dock shows what waits
 */
export function statusStrip(
  status: PanelStatus,
  items: readonly Item[],
  isDocked: boolean,
  actions: StripActions,
): TemplateResult {
  return html`
    <div class="strip">
      ${stepNow(items, actions)} ${planNow(items, actions)}
      ${needsYou(status, isDocked ? undefined : items.find(waitsForUser), isDocked, actions)}
      ${status.works.map((work) => workNow(work, items, actions))}
      ${status.queued > 0 ? queuedTasks(status, actions) : nothing}
      ${
        status.heldBy === null
          ? nothing
          : html`<span class="strip-part">
              <span class="codicon codicon-lock" aria-hidden="true"></span>
              <span>${t("The queue is being run by {0}", status.heldBy)}</span>
            </span>`
      }
      ${
        // In an empty conversation, the welcome view says this, and more.
        status.workspace === "open" && !status.model.ready && items.length > 0
          ? modelNeeded(status.model, actions)
          : nothing
      }
      ${
        status.model.demo
          ? html`<span class="strip-part demo">
              <span class="codicon codicon-beaker" aria-hidden="true"></span>
              <span>${t("Demo model: scripted replies, real tool calls")}</span>
            </span>`
          : nothing
      }
    </div>
  `;
}

/**
 * Renders how many things need the user, and leads to what waits, here or in another conversation. What waits here
 * is not counted while it is docked.
 */
function needsYou(
  { needsYou: all, elsewhere }: PanelStatus,
  waiting: Item | undefined,
  isDocked: boolean,
  actions: StripActions,
): TemplateResult | typeof nothing {
  const count = isDocked ? (elsewhere?.count ?? 0) : all;
  if (count === 0) return nothing;
  const show = (): void => {
    if (waiting !== undefined) actions.reveal(waiting.id);
    else if (elsewhere !== null) actions.showConversation(elsewhere.conversation);
  };
  const words = isDocked
    ? t("{0, number} more in another conversation", count)
    : t("{0, plural, one {# needs you} other {# need you}}", count);
  return html`<span class="strip-part">
    <span class="codicon codicon-bell-dot" aria-hidden="true"></span>
    <span>${words}</span>
    ${
      waiting === undefined && elsewhere === null
        ? nothing
        : html`<button type="button" class="link-button" @click=${show}>${t("Show")}</button>`
    }
  </span>`;
}

/** Renders how many tasks are queued, with a button to run them unless they run already. */
function queuedTasks(status: PanelStatus, actions: StripActions): TemplateResult {
  return html`<span class="strip-part">
    <span class="codicon codicon-list-ordered" aria-hidden="true"></span>
    <span>${t("{0, plural, one {# queued} other {# queued}}", status.queued)}</span>
    ${
      status.busy || status.heldBy !== null
        ? nothing
        : html`<button type="button" class="link-button" @click=${actions.proceed}>
            ${t("Proceed")}
          </button>`
    }
  </span>`;
}

/** Renders work that goes on by itself: its questions scroll out of view meanwhile. */
function workNow(
  work: WorkAtWork,
  items: readonly Item[],
  { reveal, stopWork }: StripActions,
): TemplateResult {
  const { ref, questions } = work;
  const { line, stop } = looks[ref.kind](work);
  const asked = items.findLast(
    (item) => item.kind === "question" && questions.includes(item.id) && waitsForUser(item),
  );
  return html`<span class="strip-part">
    <span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>
    <span>${line}</span>
    ${
      asked === undefined
        ? nothing
        : html`<button
            type="button"
            class="link-button"
            @click=${() => {
              reveal(asked.id);
            }}
          >
            ${t("{0, plural, one {# question} other {# questions}}", questions.length)}
          </button>`
    }
    <button
      type="button"
      class="link-button"
      aria-label=${stop}
      @click=${() => {
        stopWork(ref);
      }}
    >
      ${t("Stop")}
    </button>
  </span>`;
}

/** How far each kind of long work is, in a line, and what a screen reader says of the button that stops it. */
const looks = {
  job: ({ ref, title, progress }: WorkAtWork) => ({
    line: rich("Job {0}: {1}%", visibleText(title), String(progress.percent ?? 0)),
    stop: t("Stop job {0}", ref.name),
  }),
  run: ({ ref, title, progress: { done, total } }: WorkAtWork) => ({
    line: rich(
      "Run “{0}”: {1} of {2, plural, one {# task} other {# tasks}}",
      visibleText(title),
      String(done),
      total,
    ),
    stop: t("Stop run {0}", ref.name),
  }),
};

/** Renders the current step: the checklist itself scrolls out of view during the work. */
function stepNow(items: readonly Item[], { reveal }: StripActions) {
  const task = items.findLast((item) => item.kind === "task" && item.running);
  const list = items.findLast((item) => item.kind === "checklist");
  if (task?.kind !== "task" || list?.kind !== "checklist") return nothing;
  const doing = list.steps.findLast(({ state }) => state === "doing");
  if (list.taskId !== task.taskId || doing === undefined) return nothing;
  const done = list.steps.filter(({ state }) => state === "done").length;
  return html`<button
    type="button"
    class="strip-part step-now"
    title=${t("Show All Steps")}
    @click=${() => {
      reveal(list.id);
    }}
  >
    <span class="codicon codicon-checklist" aria-hidden="true"></span>
    <span class="step-now-text">${inlineCode(doing.text)}</span>
    <span>${t("{0} of {1} done", done, list.steps.length)}</span>
  </button>`;
}

/** Renders how far the plan at work is: its card scrolls out of view meanwhile. */
function planNow(
  items: readonly Item[],
  { reveal }: StripActions,
): TemplateResult | typeof nothing {
  const plan = items.findLast((item) => item.kind === "plan");
  const progress = plan?.kind === "plan" ? planStatus(plan).progress : undefined;
  if (plan === undefined || progress === undefined) return nothing;
  return html`<span class="strip-part">
    <span class="codicon codicon-list-tree" aria-hidden="true"></span>
    <button
      type="button"
      class="link-button"
      title=${t("Show Plan")}
      @click=${() => {
        reveal(plan.id);
      }}
    >
      ${t("Plan: {0}", progress)}
    </button>
  </span>`;
}

function modelNeeded(
  { name, profile }: PanelStatus["model"],
  { command }: StripActions,
): TemplateResult {
  const missing =
    profile === undefined ? t("No model selected") : t("There is no model profile “{0}”", profile);
  const [icon, words, label, next] =
    name === ""
      ? (["server", missing, t("Select Model…"), "selectModel"] as const)
      : (["key", t("The model needs an API key"), t("Set API Key…"), "setApiKey"] as const);
  return html`<span class="strip-part">
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <span>${words}</span>
    <button
      type="button"
      class="link-button"
      @click=${() => {
        command(next);
      }}
    >
      ${label}
    </button>
  </span>`;
}
