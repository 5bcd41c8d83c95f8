import { html, type TemplateResult } from "lit";
import type { PlanEdit } from "../../core/conversation/input/planEdit.js";
import { expertName } from "../text/expertName.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";

/**
 * Renders the fields of a plan's task. Enter saves them, Escape leaves the task as it is.
 *
 * @param save called with the edit that the user has made
 */
export function planForm(
  { view, change }: ItemContext,
  save: (edit: PlanEdit) => void,
): TemplateResult {
  const form = view.planForm ?? { taskId: null, was: empty, ...empty, experts: [] };
  const { taskId, was, mode, goal, experts } = form;
  const close = (): void => {
    change({ planForm: undefined, focus: taskId === null ? "add" : `task ${taskId}` });
  };
  const submit = (): void => {
    if (goal.trim() === "") return;
    const isSame = taskId !== null && goal === was.goal && mode === was.mode;
    close();
    if (isSame) return;
    save(
      taskId === null ? { type: "add", mode, goal } : { type: "change", taskId, was, mode, goal },
    );
  };
  return html`
    <form
      class="plan-form"
      aria-label=${taskId === null ? t("Add Task") : t("Edit Task")}
      @submit=${(event: Event) => {
        event.preventDefault();
        submit();
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        const isText = event.target instanceof HTMLTextAreaElement;
        if (event.key === "Escape") close();
        else if (event.key === "Enter" && isText && !event.shiftKey && !event.altKey) submit();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <textarea
        class="text-input"
        rows="2"
        maxlength="200000"
        data-focus="goal"
        aria-label=${t("Goal")}
        placeholder=${t("What should the expert do?")}
        .value=${goal}
        @input=${(event: Event) => {
          const text = (event.target as HTMLTextAreaElement).value;
          change({ planForm: { ...form, goal: text } });
        }}
      ></textarea>
      <div class="approval-actions">
        <select
          class="text-input plan-expert"
          aria-label=${t("Expert")}
          data-focus="expert"
          @change=${(event: Event) => {
            change({ planForm: { ...form, mode: (event.target as HTMLSelectElement).value } });
          }}
        >
          ${experts.map(
            (slug) =>
              html`<option value=${slug} ?selected=${slug === mode}>${expertName(slug)}</option>`,
          )}
        </select>
        <vscode-button data-focus="save" ?disabled=${goal.trim() === ""} @click=${submit}
          >${taskId === null ? t("Add") : t("Save")}</vscode-button
        >
        <vscode-button secondary data-focus="cancel" @click=${close}>${t("Cancel")}</vscode-button>
      </div>
    </form>
  `;
}

const empty = { mode: "", goal: "" };
