import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ApprovalView } from "../../core/conversation/items.js";
import type { PanelParams } from "../../protocol/messages.js";
import { sendOnce } from "../itemContext.js";
import type { ItemContext } from "../itemContext.js";
import { visibleText } from "../visibleText.js";

type Decision = PanelParams<"approve">["decision"];
type Decide = (decision: Decision) => void;

/** Renders the user's choices: allow, allow more, edit, or deny. */
export function approvalActions(approval: ApprovalView, context: ItemContext): TemplateResult {
  const decide: Decide = (decision) => {
    sendOnce(context, "approve", { approvalId: approval.approvalId, decision });
  };
  const { view } = context;
  if (view.edit !== undefined) return commandEditor(view.edit, decide, context);
  return html`
    ${view.editing ? editingNote() : nothing}
    <div class="approval-actions">
      ${allowButtons(approval, decide, context)} ${denial(approval, decide, context)}
    </div>
    ${view.scopes ? scopes(approval, decide, context) : nothing}
  `;
}

function allowButtons(
  approval: ApprovalView,
  decide: Decide,
  context: ItemContext,
): TemplateResult {
  const { view } = context;
  const disabled = view.sent ?? false;
  const { action, options = [], editable, approvalId } = approval;
  if (view.editing) return editedButtons(decide, context);
  const edit = (): void => {
    if (action.access === "command") context.change({ edit: action.command, scopes: false });
    else {
      void context.request("editProposal", { approvalId }).then(
        () => {
          context.change({ editing: true, scopes: false });
        },
        () => undefined,
      );
    }
  };
  return html`
    ${button(
      action.access === "spend" ? "Continue" : "Allow",
      () => {
        decide({ type: "allowed", scope: "once" });
      },
      { disabled },
    )}
    ${
      options.length === 0
        ? nothing
        : button(
            "Allow More…",
            () => {
              context.change({ scopes: !view.scopes });
            },
            { disabled, secondary: true, expanded: view.scopes ?? false },
          )
    }
    ${
      editable === undefined
        ? nothing
        : button(editable === "command" ? "Edit…" : "Edit in Editor…", edit, {
            disabled,
            secondary: true,
          })
    }
  `;
}

/** Renders the buttons for a text that is being edited. */
function editedButtons(decide: Decide, context: ItemContext): TemplateResult {
  const disabled = context.view.sent ?? false;
  return html`
    ${button(
      "Allow Edited Text",
      () => {
        decide({ type: "edited" });
      },
      { disabled },
    )}
    ${button(
      "Back to Proposed Text",
      () => {
        context.change({ editing: false });
      },
      { disabled, secondary: true },
    )}
  `;
}

interface ButtonOptions {
  readonly disabled: boolean;
  readonly secondary?: boolean;
  /** Whether the part that the button shows and hides is shown. Absent: it is another kind of button. */
  readonly expanded?: boolean;
}

function button(
  label: string,
  press: () => void,
  { disabled, secondary = false, expanded }: ButtonOptions,
): TemplateResult {
  return html`<vscode-button
    ?secondary=${secondary}
    ?disabled=${disabled}
    aria-expanded=${expanded ?? nothing}
    @click=${press}
    >${label}</vscode-button
  >`;
}

/** Renders the permissions beyond this call that can be given, and for how long to allow one. */
function scopes(
  { approvalId, options = [] }: ApprovalView,
  decide: Decide,
  { view, change }: ItemContext,
): TemplateResult {
  const disabled = view.sent ?? false;
  const option = Math.min(view.option ?? 0, options.length - 1);
  const allow = (scope: "task" | "session" | "always") => () => {
    decide({ type: "allowed", scope, option });
  };
  return html`
    <fieldset class="approval-scopes">
      <legend>Allow without asking again</legend>
      ${
        options.length === 1
          ? html`<p>${visibleText(options[0] ?? "")}</p>`
          : options.map(
              (text, index) =>
                html`<label class="approval-offer">
                  <input
                    type="radio"
                    name=${`offer-${approvalId}`}
                    aria-label=${text}
                    .checked=${index === option}
                    ?disabled=${disabled}
                    @change=${() => {
                      change({ option: index });
                    }}
                  />
                  <span>${visibleText(text)}</span>
                </label>`,
            )
      }
      <div class="approval-actions">
        ${button("This Task", allow("task"), { disabled, secondary: true })}
        ${button("This Session", allow("session"), { disabled, secondary: true })}
        ${button("Always", allow("always"), { disabled, secondary: true })}
      </div>
    </fieldset>
  `;
}

function denial({ action }: ApprovalView, decide: Decide, context: ItemContext): TemplateResult {
  const { view } = context;
  const disabled = view.sent ?? false;
  const deny = (): void => {
    const reason = view.draft?.trim();
    decide({ type: "denied", ...(reason ? { reason } : {}) });
  };
  if (action.access === "spend") return button("Stop", deny, { disabled, secondary: true });
  return html`
    ${button("Deny", deny, { disabled, secondary: true })}
    <input
      class="text-input"
      type="text"
      maxlength="10000"
      ?disabled=${disabled}
      placeholder="What to do instead (optional)"
      aria-label="When denied, what to do instead"
      .value=${view.draft ?? ""}
      @input=${(event: Event) => {
        view.draft = (event.target as HTMLInputElement).value;
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Enter" || event.isComposing || !view.draft?.trim()) return;
        event.preventDefault();
        deny();
      }}
    />
  `;
}

function editingNote(): TemplateResult {
  return html`<p class="approval-editing">
    <span class="codicon codicon-edit" aria-hidden="true"></span>
    <span
      >The text is open in the editor. Edit it there; the edited text is what will be written.</span
    >
  </p>`;
}

/** Renders a field to edit the command; Enter runs the edited command, Escape discards the edit. */
function commandEditor(command: string, decide: Decide, context: ItemContext): TemplateResult {
  const disabled = context.view.sent ?? false;
  const run = (): void => {
    const text = context.view.edit ?? "";
    if (text.trim() !== "") decide({ type: "edited", text });
  };
  const cancel = (): void => {
    context.change({ edit: undefined });
  };
  return html`
    <textarea
      class="text-input command-edit"
      rows=${Math.min(8, command.split("\n").length)}
      maxlength="200000"
      spellcheck="false"
      aria-label="Command to run instead"
      ?disabled=${disabled}
      .value=${command}
      @input=${(event: Event) => {
        context.change({ edit: (event.target as HTMLTextAreaElement).value });
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        if (event.key === "Escape") cancel();
        else if (event.key === "Enter" && !event.shiftKey) run();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    ></textarea>
    <div class="approval-actions">
      ${button("Run Edited Command", run, { disabled: disabled || command.trim() === "" })}
      ${button("Cancel", cancel, { disabled, secondary: true })}
    </div>
  `;
}
