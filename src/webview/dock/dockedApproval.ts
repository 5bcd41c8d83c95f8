import { html, nothing, type TemplateResult } from "lit";
import type { ToldAction } from "../../core/agent/tool.js";
import type { ApprovalView } from "../../core/conversation/state/items.js";
import type { PanelParams } from "../../protocol/messages.js";
import { decisionReason, outsideWarning } from "../items/approvalView.js";
import { diffCounts } from "../items/diffView.js";
import { sendOnce, type ItemContext } from "../items/itemContext.js";
import type { ToolItem } from "../items/toolCallGroup.js";
import { visibleText } from "../text/visibleText.js";
import { t } from "../text/words.js";

type Decision = PanelParams<"approve">["decision"];

const questions: Record<ToldAction["access"], string> = {
  read: t("Read this?"),
  write: t("Make this change?"),
  command: t("Run this command?"),
  web: t("Send this request?"),
  tool: t("Use this tool?"),
  spend: t("Continue?"),
};

/** Returns the name of an approval for screen readers. */
export function approvalLabel({ action }: ApprovalView): string {
  return `${questions[action.access]} ${action.title}`;
}

/** Decides as the first button, or as Deny, would: with the text that is being edited, or with the typed words. */
export function takeDecision(
  decision: "allow" | "deny",
  approval: ApprovalView,
  context: ItemContext,
): void {
  const { view } = context;
  const decide = (taken: Decision): void => {
    sendOnce(context, "approve", { approvalId: approval.approvalId, decision: taken });
  };
  if (decision === "deny") {
    const reason = view.saying ? (view.draft?.trim() ?? "") : "";
    if (reason !== "") context.change({ sentWords: reason });
    decide({ type: "denied", ...(reason === "" ? {} : { reason }) });
  } else if (view.edit !== undefined) {
    if (view.edit.trim() !== "") decide({ type: "edited", text: view.edit });
  } else if (view.editing) decide({ type: "edited" });
  else decide({ type: "allowed", scope: "once" });
}

/**
 * Renders an approval: what is asked, why, and the decision. What exactly would happen is shown in the
 * conversation.
 *
 * @param links what stands at the end of the first line
 */
export function dockedApproval(
  item: ToolItem,
  approval: ApprovalView,
  context: ItemContext,
  links: readonly unknown[],
): TemplateResult {
  const { action, why } = approval;
  const { view } = context;
  return html`
    <div class="dock-head">
      <span class="codicon codicon-shield attention" aria-hidden="true"></span>
      <strong class="dock-words">${questions[action.access]}</strong>
      ${links}
    </div>
    ${view.edit === undefined ? subject(item, action) : commandEditor(view.edit, approval, context)}
    ${outsideWarning(action)} ${view.editing ? editingNote() : nothing}
    ${why === undefined ? nothing : decisionReason(why, context)}
    ${view.saying ? reasonField(approval, context) : nothing}
    ${view.scopes ? scopes(approval, context) : nothing}
    <div class="dock-buttons" role="toolbar" aria-label=${t("Decision")}>
      ${buttons(approval, context)}
    </div>
  `;
}

function subject(item: ToolItem, action: ToldAction): TemplateResult {
  if (action.access === "spend") return html`<p>${visibleText(action.preview.text)}</p>`;
  if (action.access === "command") {
    return html`<pre
      class="dock-subject scroll-area"
      tabindex="0"
      role="group"
      aria-label=${t("Command to run")}
    >
${visibleText(action.preview.text)}</pre>`;
  }
  const counts = action.preview.kind === "diff" ? diffCounts(action.preview.text) : undefined;
  return html`<p class="dock-subject" title=${item.title}>
    ${visibleText(action.title)}
    ${
      counts === undefined
        ? nothing
        : html`<span class="tool-counts"
            ><span class="count-added">+${counts.added}</span>
            <span class="count-removed">−${counts.removed}</span></span
          >`
    }
  </p>`;
}

function buttons(approval: ApprovalView, context: ItemContext): TemplateResult {
  const { view, change } = context;
  const { action, options = [] } = approval;
  const take = (decision: "allow" | "deny") => () => {
    takeDecision(decision, approval, context);
  };
  const disabled = view.sent ?? false;
  if (view.edit !== undefined) {
    return html`
      ${button(t("Run Edited Command"), take("allow"), {
        disabled: disabled || view.edit.trim() === "",
      })}
      ${button(t("Cancel"), cancelEdit(context), { disabled, secondary: true })}
    `;
  }
  if (view.editing) {
    const discard = (): void => {
      change({ editing: false });
    };
    return html`
      ${button(t("Apply My Version"), take("allow"), { disabled })}
      ${button(t("Discard My Edits"), discard, { disabled, secondary: true })}
    `;
  }
  const isSpend = action.access === "spend";
  return html`
    <span class="split-button">
      ${button(isSpend ? t("Continue") : t("Allow"), take("allow"), { disabled, keys: "Enter" })}
      ${
        options.length === 0
          ? nothing
          : button(t("Always Allow…"), toggleScopes(context), {
              disabled,
              icon: "chevron-down",
              expanded: view.scopes ?? false,
            })
      }
    </span>
    ${button(isSpend ? t("Stop") : t("Deny"), take("deny"), { disabled, secondary: true, keys: "Alt+Enter" })}
    ${editButton(approval, context)}
    ${
      isSpend || view.saying
        ? nothing
        : html`<button
            type="button"
            class="link-button"
            aria-disabled=${disabled}
            @click=${(event: Event) => {
              if (disabled) return;
              change({ saying: true, scopes: false });
              focusIn(event, "textarea");
            }}
          >
            ${t("Deny and Say Why…")}
          </button>`
    }
  `;
}

function editButton(
  { action, editable, approvalId }: ApprovalView,
  context: ItemContext,
): TemplateResult | typeof nothing {
  const { view, change, request } = context;
  if (editable === undefined) return nothing;
  const edit = (event: Event): void => {
    if (action.access === "command") {
      change({ edit: action.command, scopes: false });
      focusIn(event, "textarea");
      return;
    }
    request("editProposal", { approvalId }).then(
      () => {
        change({ editing: true, scopes: false });
      },
      () => undefined,
    );
  };
  const label = editable === "command" ? t("Edit…") : t("Edit in Editor…");
  return button(label, edit, { disabled: view.sent ?? false, secondary: true });
}

interface ButtonOptions {
  readonly disabled: boolean;
  readonly secondary?: boolean;
  /** Shown instead of the label. */
  readonly icon?: string;
  /** Whether the part that the button shows and hides is shown. Absent: it is another kind of button. */
  readonly expanded?: boolean;
  /** The keys that do the same, beside Ctrl or Command. */
  readonly keys?: string;
}

/** Renders a button. One that is disabled can still have the focus, so that the focus has a place to be. */
function button(
  label: string,
  press: (event: Event) => void,
  { disabled, secondary = false, icon, expanded, keys }: ButtonOptions,
): TemplateResult {
  const hint = keys === undefined ? "" : ` (${commandKey}+${keys})`;
  return html`<button
    type="button"
    class="button ${secondary ? "secondary" : ""}"
    title=${icon !== undefined || keys !== undefined ? `${label}${hint}` : nothing}
    aria-label=${icon === undefined ? nothing : label}
    aria-disabled=${disabled}
    aria-expanded=${expanded ?? nothing}
    @click=${(event: MouseEvent) => {
      // The second click of a double click would decide about what comes next, unseen.
      if (!disabled && event.detail < 2) press(event);
    }}
  >
    ${
      icon === undefined
        ? label
        : html`<span class="codicon codicon-${icon}" aria-hidden="true"></span>`
    }
  </button>`;
}

const commandKey = navigator.userAgent.includes("Macintosh") ? "⌘" : "Ctrl";

function toggleScopes({ view, change }: ItemContext) {
  return (event: Event): void => {
    change({ scopes: !view.scopes, saying: false });
    if (view.scopes) focusIn(event, ".approval-scopes :is(input, button)");
  };
}

/** Renders the permissions beyond this call that can be given, and for how long to allow one. */
function scopes({ approvalId, options = [] }: ApprovalView, context: ItemContext): TemplateResult {
  const { view, change } = context;
  const disabled = view.sent ?? false;
  const option = Math.min(view.option ?? 0, options.length - 1);
  const allow = (scope: "task" | "session" | "always") => () => {
    sendOnce(context, "approve", { approvalId, decision: { type: "allowed", scope, option } });
  };
  return html`
    <fieldset
      class="approval-scopes"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        change({ scopes: false });
        focusIn(event, "[aria-expanded]");
      }}
    >
      <legend>${t("Always allow")}</legend>
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
      <div class="dock-buttons">
        ${button(t("In This Task"), allow("task"), { disabled, secondary: true })}
        ${button(t("Until I Close This Window"), allow("session"), { disabled, secondary: true })}
        ${button(t("Always"), allow("always"), { disabled, secondary: true })}
      </div>
    </fieldset>
  `;
}

/** Renders a field for why the user denies. Enter denies, Escape goes back and keeps the words. */
function reasonField(approval: ApprovalView, context: ItemContext): TemplateResult {
  const { view, change } = context;
  return html`<textarea
    class="text-input dock-field"
    rows="1"
    maxlength="10000"
    placeholder=${t("Why, or what to do instead (Enter denies)")}
    aria-label=${t("Why you deny, or what to do instead")}
    ?readonly=${view.sent}
    .value=${view.draft ?? ""}
    @input=${(event: Event) => {
      change({ draft: (event.target as HTMLTextAreaElement).value });
    }}
    @keydown=${fieldKeys(
      () => {
        takeDecision("deny", approval, context);
      },
      (event) => {
        change({ saying: false });
        focusIn(event, "[role=toolbar] .link-button");
      },
    )}
  ></textarea>`;
}

function editingNote(): TemplateResult {
  return html`<p class="approval-editing">
    <span class="codicon codicon-edit" aria-hidden="true"></span>
    <span
      >${t("The text is open in the editor. Edit it there; the edited text is what will be written.")}</span
    >
  </p>`;
}

/** Renders a field to edit the command; Enter runs the edited command, Escape discards the edit. */
function commandEditor(
  command: string,
  approval: ApprovalView,
  context: ItemContext,
): TemplateResult {
  return html`<textarea
    class="text-input dock-field command-edit"
    rows=${Math.min(8, command.split("\n").length)}
    maxlength="200000"
    spellcheck="false"
    aria-label=${t("Command to run instead")}
    ?readonly=${context.view.sent}
    .value=${command}
    @input=${(event: Event) => {
      context.change({ edit: (event.target as HTMLTextAreaElement).value });
    }}
    @keydown=${fieldKeys(() => {
      takeDecision("allow", approval, context);
    }, cancelEdit(context))}
  ></textarea>`;
}

function cancelEdit({ change }: ItemContext) {
  return (event: Event): void => {
    change({ edit: undefined });
    focusIn(event, "[role=toolbar] button");
  };
}

/** Returns a field's handler: Enter sends, Escape leaves. Enter with a modifier is a key of the editor. */
function fieldKeys(send: () => void, leave: (event: Event) => void) {
  return (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Escape" && isPlain) leave(event);
    else if (event.key === "Enter" && isPlain) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Focuses an element of the dock when it has been drawn; one frame later, so that the key is not typed into it. */
function focusIn({ target }: Event, selector: string): void {
  const dock = (target as HTMLElement).closest("rooroo-dock");
  requestAnimationFrame(() => {
    dock?.querySelector<HTMLElement>(selector)?.focus();
  });
}
