import { html, nothing, type TemplateResult } from "lit";
import { costText } from "../../core/agent/costText.js";
import type { PlanEdit } from "../../core/conversation/input/planEdit.js";
import type { Item, PlanTask } from "../../core/conversation/state/items.js";
import { durationWords } from "../../core/text/durationWords.js";
import { withoutMarks } from "../../core/text/withoutMarks.js";
import { expertName } from "../text/expertName.js";
import { inlineCode } from "../text/inlineCode.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";
import { planForm } from "./planForm.js";
import { planStatus } from "./planStatus.js";

type PlanItem = Extract<Item, { kind: "plan" }>;

/** What a person can do with a plan's card. */
interface PlanActions {
  readonly edit: (edit: PlanEdit, focus?: string) => void;
  /** Shows the form for a task; `null`: for a new one. */
  readonly open: (task: PlanTask | null) => void;
}

const presentations: Readonly<Record<PlanTask["state"], readonly [icon: string, words: string]>> = {
  waiting: ["circle-large-outline", t("waiting")],
  running: ["loading codicon-modifier-spin", t("running")],
  needsYou: ["bell-dot", t("needs you")],
  stopped: ["debug-pause", t("stopped")],
  done: ["pass-filled", t("done")],
  failed: ["error", t("failed")],
  skipped: ["circle-slash", t("skipped")],
};

const mainLabels = { Start: t("Start"), Pause: t("Pause"), Resume: t("Resume") } as const;

/** Renders a plan: what its tasks are and how far each is, and what the user can do about them. */
export function planItem(item: PlanItem, context: ItemContext): TemplateResult {
  const { view, change, request } = context;
  const status = planStatus(item);
  const isEditing = view.editing === true && status.canEdit;
  const edit = (made: PlanEdit, focus?: string): void => {
    if (focus !== undefined) change({ focus });
    // The context's `request` shows a refusal to the user.
    request("editPlan", { planId: item.planId, edit: made }).catch(() => undefined);
  };
  const open = (task: PlanTask | null): void => {
    const { taskId = null, mode = "rooroo-developer", goal = "" } = task ?? {};
    const was = { mode, goal };
    change({ planForm: { taskId, was, mode, goal, experts: [mode] }, focus: "goal" });
    request("experts", {}).then(
      (experts) => {
        const form = view.planForm;
        if (form === undefined) return;
        change({ planForm: { ...form, experts: [...new Set([mode, ...experts])] } });
      },
      () => undefined,
    );
  };
  const actions = { edit, open };
  return html`
    <section class="plan" aria-label=${t("Plan: {0}", item.goal)}>
      <h2 class="task-head" title=${t("Plan {0}", item.planId)}>
        <span class="codicon codicon-list-tree" aria-hidden="true"></span>
        <span>${status.heading}</span>
        <span class="subtle">${status.note}</span>
        ${
          status.isBusy
            ? html`<span
                class="codicon codicon-loading codicon-modifier-spin task-running"
                role="img"
                aria-label=${t("Running")}
              ></span>`
            : nothing
        }
      </h2>
      <rooroo-markdown class="task-goal" .source=${{ text: item.goal }}></rooroo-markdown>
      ${overview(item, context)}
      ${
        item.tasks.length === 0
          ? nothing
          : html`<ol class="plan-tasks" aria-label=${t("Tasks")}>
              ${item.tasks.map((task) => taskRow(item, task, isEditing, context, actions))}
            </ol>`
      }
      ${
        view.planForm?.taskId === null
          ? planForm(context, (made) => {
              edit(made, "add");
            })
          : nothing
      }
      ${buttons(item, isEditing, context, actions)}
    </section>
  `;
}

function overview({ overview: text }: PlanItem, { view, change }: ItemContext) {
  if (text === undefined || text === "") return nothing;
  const isOpen = view.open === true;
  return html`
    <button
      type="button"
      class="tool-row plan-overview"
      aria-expanded=${isOpen}
      @click=${() => {
        change({ open: !isOpen });
      }}
    >
      <span
        class="codicon codicon-chevron-${isOpen ? "down" : "right"} quiet"
        aria-hidden="true"
      ></span>
      <span>${t("Overview")}</span>
    </button>
    ${
      isOpen
        ? html`<rooroo-markdown class="plan-words" .source=${{ text }}></rooroo-markdown>`
        : nothing
    }
  `;
}

function taskRow(
  item: PlanItem,
  task: PlanTask,
  isEditing: boolean,
  context: ItemContext,
  actions: PlanActions,
): TemplateResult {
  const { taskId, state } = task;
  const [icon, words] = presentations[state];
  const canEdit = isEditing && state === "waiting";
  const facts = factsOf(task);
  // The sign before the row says it, too.
  const isSeen = state === "done" || state === "waiting";
  const name = [expertName(task.mode), withoutMarks(task.goal), words, facts]
    .filter((one) => one !== "")
    .join(", ");
  if (canEdit && context.view.planForm?.taskId === taskId) {
    return html`<li class="plan-task">
      ${planForm(context, (made) => {
        actions.edit(made, rowKey(taskId));
      })}
    </li>`;
  }
  const keys = canEdit ? rowKeys(item, task, actions) : nothing;
  return html`<li class="plan-task ${state}" title=${t("Task {0}", taskId)}>
    <div
      class="plan-row"
      role="group"
      data-focus=${rowKey(taskId)}
      tabindex=${canEdit ? "0" : nothing}
      aria-label=${name}
      aria-keyshortcuts=${canEdit ? "Alt+ArrowUp Alt+ArrowDown Enter Delete" : nothing}
      @keydown=${keys}
    >
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
      <span class="plan-text">
        <span class="plan-goal">${inlineCode(task.goal)}</span>
        <span class="subtle plan-facts"
          >${[expertName(task.mode), isSeen ? "" : words, facts]
            .filter((one) => one !== "")
            .join(" · ")}</span
        >
      </span>
      ${canEdit ? rowButtons(item, task, actions) : nothing}
    </div>
  </li>`;
}

function rowButtons(item: PlanItem, task: PlanTask, actions: PlanActions): TemplateResult {
  const { up, down } = places(item, task.taskId);
  const button = (icon: string, label: string, disabled: boolean, act: () => void) =>
    html`<button
      type="button"
      class="icon-button codicon codicon-${icon}"
      tabindex="-1"
      title=${label}
      aria-label=${label}
      ?disabled=${disabled}
      @click=${act}
    ></button>`;
  const move = (before: string | null | undefined) => () => {
    moveTo(task.taskId, before, actions);
  };
  return html`<span class="plan-buttons">
    ${button("arrow-up", t("Move Up (Alt+Up)"), up === undefined, move(up))}
    ${button("arrow-down", t("Move Down (Alt+Down)"), down === undefined, move(down))}
    ${button("edit", t("Edit (Enter)"), false, () => {
      actions.open(task);
    })}
    ${button("trash", t("Remove (Delete)"), false, () => {
      remove(item, task.taskId, actions);
    })}
  </span>`;
}

function rowKeys(item: PlanItem, task: PlanTask, actions: PlanActions) {
  return (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const { up, down } = places(item, task.taskId);
    const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
    if (ctrlKey || metaKey || shiftKey) return;
    if (altKey && key === "ArrowUp") moveTo(task.taskId, up, actions);
    else if (altKey && key === "ArrowDown") moveTo(task.taskId, down, actions);
    else if (!altKey && key === "Enter") actions.open(task);
    else if (!altKey && key === "Delete") remove(item, task.taskId, actions);
    else return;
    event.preventDefault();
    // The transcript's own Alt+Up and Alt+Down would go to another item.
    event.stopPropagation();
  };
}

/** Returns before which task a task goes when it moves up or down; `undefined`: it cannot, `null`: to the end. */
function places({ tasks }: PlanItem, taskId: string) {
  const waiting = tasks.filter(({ state }) => state === "waiting").map((task) => task.taskId);
  const at = waiting.indexOf(taskId);
  return {
    up: waiting[at - 1],
    down: at === waiting.length - 1 ? undefined : (waiting[at + 2] ?? null),
  };
}

function moveTo(taskId: string, before: string | null | undefined, { edit }: PlanActions): void {
  if (before !== undefined) edit({ type: "move", taskId, before }, rowKey(taskId));
}

function remove({ tasks }: PlanItem, taskId: string, { edit }: PlanActions): void {
  const waiting = tasks.filter(({ state }) => state === "waiting").map((task) => task.taskId);
  const at = waiting.indexOf(taskId);
  const next = waiting[at + 1] ?? waiting[at - 1];
  edit({ type: "remove", taskId }, next === undefined ? "main" : rowKey(next));
}

function rowKey(taskId: string): string {
  return `task ${taskId}`;
}

function factsOf({ workedMs, costUsd, tokens }: PlanTask): string {
  const cost = costText(costUsd ?? undefined);
  return [
    workedMs >= 1000 ? durationWords(workedMs, t) : "",
    cost === "" && tokens > 0 ? t("{0, number} tokens", tokens) : cost,
  ]
    .filter((one) => one !== "")
    .join(" · ");
}

function buttons(
  item: PlanItem,
  isEditing: boolean,
  { change, view }: ItemContext,
  { edit, open }: PlanActions,
): TemplateResult | typeof nothing {
  const { main, canEdit, canDiscard, waits } = planStatus(item);
  if (!canEdit && main === undefined) return nothing;
  return html`<div class="approval-actions">
    ${
      main === undefined
        ? nothing
        : html`<vscode-button
            data-focus="main"
            ?secondary=${!waits}
            @click=${() => {
              edit({ type: main === "Pause" ? "pause" : "start" });
            }}
            >${mainLabels[main]}</vscode-button
          >`
    }
    ${
      canEdit
        ? html`<vscode-button
            secondary
            data-focus="edit"
            @click=${() => {
              change({ editing: !isEditing, planForm: undefined });
            }}
            >${isEditing ? t("Finish Editing") : t("Edit")}</vscode-button
          >`
        : nothing
    }
    ${
      isEditing && view.planForm?.taskId !== null
        ? html`<vscode-button
            secondary
            data-focus="add"
            @click=${() => {
              open(null);
            }}
            >${t("Add Task")}</vscode-button
          >`
        : nothing
    }
    ${
      canDiscard
        ? html`<vscode-button
            secondary
            data-focus="discard"
            @click=${() => {
              edit({ type: "discard" });
            }}
            >${t("Discard")}</vscode-button
          >`
        : nothing
    }
  </div>`;
}
