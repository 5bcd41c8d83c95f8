import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { ShownAttachment } from "../../core/conversation/input/attachment.js";
import type { Draft } from "../../core/conversation/input/draft.js";
import {
  type BadCommand,
  badCommandWords,
  parseInput,
} from "../../core/conversation/input/parseInput.js";
import { nearestCommand, slashCommands } from "../../core/conversation/input/slashCommands.js";
import type { Item, UsageTotals } from "../../core/conversation/state/items.js";
import { spoken } from "../../core/text/words.js";
import type {
  Completions,
  ExpertAtWork,
  PanelStatus,
  SandboxOffer,
} from "../../protocol/messages.js";
import type { RpcClient } from "../../protocol/rpcClient.js";
import { attachmentChips } from "../items/attachmentChips.js";
import { expertName } from "../text/expertName.js";
import { t } from "../text/words.js";
import "./menuButton.js";
import { commandHints } from "./commandHints.js";
import { approvalsMenu, autoMode, modeMenu } from "./composerMenus.js";
import { DraftAttachments } from "./draftAttachments.js";
import { type Hint, HintList } from "./hintList.js";
import { InputHistory } from "./inputHistory.js";
import "./usageMeter.js";
import { Mentions } from "./mentions.js";
import type { MenuButton, MenuChoice } from "./menuButton.js";
import type { Worker } from "./usageMeter.js";

/** What is typed and attached, and which message is edited. */
export type ComposerText = Pick<Draft, "text" | "attachments" | "edits">;

/** What the user sends. */
export interface SentText extends ComposerText {
  /** The task whose expert is told it. Absent: the Navigator takes it. */
  readonly to: string | undefined;
  /** The slug of the expert to which a request goes. Absent: the Navigator decides. */
  readonly expert: string | undefined;
  /** Whether the request's plan works in a worktree. Absent: the setting says. */
  readonly isolated: boolean | undefined;
}

const nothingKnown: Completions = {
  commands: [],
  experts: [],
  jobs: [],
  asking: [],
  resumable: [],
  foreign: [],
};

/** The choice to send a request although experts are at work. */
const newRequest = "new";

/** The input field, with command hints above it and the model, the usage and the buttons below. */
export class Composer extends LitElement {
  static override properties = {
    status: { attribute: false },
    usage: { attribute: false },
    worker: { attribute: false },
    draft: { attribute: false },
    mode: { attribute: false },
    isolated: { state: true },
    problem: { state: true },
    sandbox: { state: true },
    known: { state: true },
    chosenExpert: { state: true },
    edits: { state: true },
    request: { attribute: false },
  };
  declare status: PanelStatus;
  declare usage: UsageTotals;
  /** Whose context window the usage tells of: the expert and its task; may be empty. */
  declare worker: Worker | undefined;
  /** Returns earlier inputs, oldest first; Up in the first line recalls them. */
  declare inputs: () => readonly string[];
  declare draft: string;
  /** What a request becomes: `auto`, or an expert's slug. */
  declare mode: string;
  /** Whether the plans of requests work in worktrees, where that differs from the setting. */
  declare private isolated: boolean | undefined;
  /** Why what is typed was not sent. */
  declare private problem: BadCommand | undefined;
  declare private sandbox: SandboxOffer | undefined;
  declare private known: Completions;
  /** The expert that the user wants to write to, or `new` for a new request. Absent: the last at work. */
  declare private chosenExpert: ExpertAtWork | typeof newRequest | undefined;
  /** The message that is edited. */
  declare private edits: Draft["edits"];
  declare request: RpcClient["request"];
  private readonly attached = new DraftAttachments(
    this,
    () => {
      this.keep();
    },
    (problem) => {
      this.dispatchEvent(new CustomEvent("rooroo-problem", { detail: problem }));
    },
  );
  private readonly mentions = new Mentions({
    request: (method, params) => this.request(method, params),
    replace: (start, end, text) => {
      const { draft } = this;
      this.setDraft(draft.slice(0, start) + text + draft.slice(end), start + text.length);
      this.focusAt(start + text.length);
    },
    attach: (attachment) => {
      this.attached.add([{ attachment }]);
    },
    requestUpdate: () => {
      this.requestUpdate();
    },
  });
  private hasFocused = false;
  private readonly hintList = new HintList(this, () => this.hints());
  private readonly history = new InputHistory(() => this.inputs());

  constructor() {
    super();
    this.draft = "";
    this.mode = autoMode;
    this.known = nothingKnown;
  }

  /** Opens one of the menus below the input, or closes it. */
  openMenu(menu: "mode" | "approvals"): void {
    void this.updateComplete.then(() => {
      this.querySelector<MenuButton>(`.${menu}-menu`)?.toggle();
    });
  }

  /**
   * Inserts text into the input and puts the cursor after it. Text that was typed already is kept after
   * the inserted text. An empty text only puts the cursor into the input.
   *
   * @param attachments attached in addition
   */
  compose(added: string, attachments: readonly ShownAttachment[] = []): void {
    const { draft } = this;
    this.attached.add(attachments);
    const text = draft.startsWith(added) ? draft : added;
    if (text !== draft) this.setDraft(draft === "" ? text : `${text}${gap(text)}${draft}`);
    this.focusAt(text.length);
  }

  /** Puts back what was typed and attached before the page was loaded again. */
  restore({ text, attachments, edits }: ComposerText): void {
    this.draft = text;
    this.attached.all = attachments;
    this.edits = edits;
  }

  /** Adds words before what is typed, and attachments; does not take the focus. */
  add({ text, attachments }: ComposerText): void {
    this.attached.add(attachments);
    this.draft = this.draft === "" || text === "" ? text + this.draft : `${text}\n${this.draft}`;
    this.keep();
  }

  /** Puts the words and attachments of a message into the input, to be changed and sent in its place. */
  edit({ id, text, attachments = [] }: Extract<Item, { kind: "user" }>): void {
    const aside = this.edits?.aside ?? { text: this.draft, attachments: this.attached.all };
    this.edits = { id, aside };
    this.attached.all = attachments;
    this.setDraft(text);
    this.focusAt(text.length);
  }

  /** Ends the edit: what was typed before it comes back. */
  readonly endEdit = (): void => {
    if (this.edits === undefined) return;
    const { text, attachments } = this.edits.aside;
    this.edits = undefined;
    this.attached.all = attachments;
    this.setDraft(text);
    this.focusAt(text.length);
  };

  /** Renders that an earlier message is edited. */
  private editLine(): TemplateResult | typeof nothing {
    if (this.edits === undefined) return nothing;
    return html`<div class="edit-line" role="status">
      <span class="codicon codicon-edit" aria-hidden="true"></span>
      <span>${t("Editing an earlier message")}</span>
      <button
        type="button"
        class="link-button"
        title=${t("Cancel Edit (Escape)")}
        @click=${this.endEdit}
      >
        ${t("Cancel")}
      </button>
    </div>`;
  }

  private focusAt(position: number): void {
    void this.updateComplete.then(() => {
      const input = this.querySelector("textarea");
      input?.focus();
      input?.setSelectionRange(position, position);
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { status, hintList } = this;
    return html`
      ${hintList.template(this.draft.startsWith("/") ? t("Commands") : t("Context to add"))}
      ${this.problem ? this.problemLine(this.problem) : nothing} ${this.editLine()}
      <div
        class=${this.attached.isDropping ? "composer dropping" : "composer"}
        @dragover=${this.attached.dragOver}
        @dragleave=${this.attached.dragLeave}
        @drop=${this.attached.drop}
      >
        ${attachmentChips(this.attached.all, {
          request: this.request,
          blind: status.model.blind ? status.model.name : undefined,
          remove: (index) => {
            this.attached.remove(index);
            this.focusAt(this.querySelector("textarea")?.selectionStart ?? this.draft.length);
          },
        })}
        <textarea
          class="composer-input"
          rows="1"
          maxlength="200000"
          placeholder=${placeholder(status, this.expert)}
          aria-label=${t("Message to the Navigator")}
          aria-autocomplete="list"
          aria-controls=${hintList.controls}
          aria-activedescendant=${hintList.active}
          .value=${this.draft}
          @input=${(event: Event) => {
            this.history.reset();
            const { value, selectionStart } = event.target as HTMLTextAreaElement;
            this.setDraft(value, selectionStart);
          }}
          @keyup=${this.cursorMoved}
          @click=${this.cursorMoved}
          @keydown=${this.keyDown}
          @paste=${this.attached.paste}
          @focus=${() => {
            hintList.setClosed(false);
            if (!this.hasFocused && this.status.workspace === "open") this.mentions.prepare();
            this.hasFocused = true;
          }}
          @blur=${() => {
            hintList.setClosed(true);
          }}
        ></textarea>
        <div class="composer-bar">
          <button
            type="button"
            class="icon-button codicon codicon-attach"
            title=${t("Add Context…")}
            aria-label=${t("Add Context…")}
            @click=${this.attached.pick}
          ></button>
          ${this.expertButton()} ${this.modeButton()} ${this.approvalsButton()}
          ${this.modelButton()}
          <rooroo-usage
            .usage=${this.usage}
            .worker=${this.worker}
            @rooroo-compact=${() => {
              this.fire("rooroo-compact");
            }}
          ></rooroo-usage>
          ${this.buttons()}
        </div>
      </div>
    `;
  }

  /** The expert at work to which plain words go; `undefined` if they are a request to the Navigator. */
  private get expert(): ExpertAtWork | undefined {
    const { atWork } = this.status;
    const chosen = this.chosenExpert;
    if (chosen === newRequest) return undefined;
    // A job or run has one agent after the other.
    const isNext = ({ work }: ExpertAtWork): boolean =>
      work !== undefined && work.kind === chosen?.work?.kind && work.name === chosen.work.name;
    return (
      atWork.find(({ taskId }) => taskId === chosen?.taskId) ??
      atWork.findLast(isNext) ??
      atWork.at(-1)
    );
  }

  /** Renders whom the words go to, while experts are at work. */
  private expertButton(): TemplateResult | typeof nothing {
    const { atWork } = this.status;
    if (atWork.length === 0) return nothing;
    const { expert } = this;
    const choices: MenuChoice[] = [
      ...atWork.map(({ taskId, mode, goal }) => {
        return {
          value: taskId,
          label: t("To {0}", expertName(mode)),
          detail: goal,
          icon: "person",
        };
      }),
      {
        value: newRequest,
        label: t("New Request"),
        detail: t("The Navigator takes it"),
        icon: "add",
      },
    ];
    return html`<rooroo-menu-button
      .label=${t("Send to")}
      .icon=${expert ? "person" : "add"}
      .shown=${expert ? expertName(expert.mode) : t("New Request")}
      .choices=${choices}
      .value=${expert?.taskId ?? newRequest}
      @rooroo-choose=${({ detail }: CustomEvent<string>) => {
        this.chosenExpert = atWork.find(({ taskId }) => taskId === detail) ?? newRequest;
      }}
    ></rooroo-menu-button>`;
  }

  /** Renders what a request becomes; an expert at work or in a brainstorm takes the words as they are. */
  private modeButton(): TemplateResult | typeof nothing {
    if (this.expert !== undefined || this.status.talkingTo !== null) return nothing;
    const isIsolated = this.isolated ?? this.status.isolated;
    return modeMenu({ mode: this.mode, isIsolated }, this.status.experts, {
      choose: (mode) => {
        this.mode = mode;
        this.dispatchEvent(new CustomEvent("rooroo-mode", { detail: mode }));
      },
      isolate: (isWanted) => {
        this.isolated = isWanted === this.status.isolated ? undefined : isWanted;
      },
    });
  }

  private approvalsButton(): TemplateResult {
    return approvalsMenu(this.status.preset, this.sandbox, {
      choose: (preset) => {
        this.fire("rooroo-approvals", preset);
      },
      open: () => {
        this.request("sandboxAbility", {}).then(
          (sandbox) => (this.sandbox = sandbox),
          () => undefined,
        );
      },
    });
  }

  /** Renders why a command was not sent, and the command that was probably meant. */
  private problemLine(problem: BadCommand): TemplateResult {
    const own = this.known.commands.map(({ name }) => name);
    const names = [...slashCommands.map(({ name }) => name), ...own];
    const nearest = problem.command === undefined ? nearestCommand(problem.name, names) : undefined;
    return html`<div class="command-problem" role="alert">
      <span class="codicon codicon-info" aria-hidden="true"></span>
      <span>${spoken(badCommandWords(problem, own), t)}</span>
      ${
        nearest === undefined
          ? nothing
          : html`<button
              type="button"
              class="link-button"
              @click=${() => {
                const text = `/${nearest} ${problem.rest}`;
                this.setDraft(text);
                this.focusAt(text.length);
              }}
            >
              ${t("Use {0}", `/${nearest}`)}
            </button>`
      }
    </div>`;
  }

  private modelButton(): TemplateResult {
    const { name, profile, toolless } = this.status.model;
    const none = t("none");
    const named =
      profile === undefined ? name || none : t("{0}, profile {1}", name || none, profile);
    const model = toolless ? t("{0}, without tool calling", named) : named;
    return html`<button
      type="button"
      class="model-button"
      title=${t("Model: {0}. Select Model…", model)}
      aria-label=${t("Model: {0}. Select Model…", model)}
      @click=${() => {
        this.fire("rooroo-select-model");
      }}
    >
      <span class="codicon codicon-server" aria-hidden="true"></span>
      <span class="model-name">${(profile ?? name) || t("Select Model…")}</span>
      ${
        toolless
          ? html`<span class="model-note codicon codicon-warning" aria-hidden="true"></span>`
          : nothing
      }
    </button>`;
  }

  /** Renders Stop while something runs, and Send unless there is nothing to send meanwhile. */
  private buttons(): TemplateResult {
    const { status } = this;
    return html`<span class="composer-buttons">
      ${
        status.busy
          ? html`<button
              type="button"
              class="icon-button stop-button codicon codicon-stop-circle"
              title=${t("Stop")}
              aria-label=${t("Stop")}
              @click=${() => {
                this.fire("rooroo-stop");
              }}
            ></button>`
          : nothing
      }
      ${
        status.busy && this.draft.trim() === ""
          ? nothing
          : html`<button
              type="button"
              class="icon-button send-button codicon codicon-send"
              title=${t("Send (Enter)")}
              aria-label=${t("Send")}
              ?disabled=${this.draft.trim() === ""}
              @click=${this.send}
            ></button>`
      }
    </span>`;
  }

  private hints(): readonly Hint[] {
    const mentioned = this.mentions.hints;
    if (mentioned.length > 0) return mentioned;
    return commandHints(this.draft, this.known).map(({ text, name, description }) => ({
      name,
      description,
      isTyped: text.trim() === this.draft.trim(),
      take: () => {
        this.setDraft(text);
        this.focusAt(text.length);
      },
    }));
  }

  /** Gets what completes commands, when the user begins one. */
  private async learn(): Promise<void> {
    try {
      this.known = await this.request("completions", {});
    } catch {
      // The built-in commands are known anyway.
    }
    const { commands } = this.known;
    for (const waits of [false, true]) {
      const prompts = await this.request("prompts", { waits }).catch(() => []);
      if (prompts.length > 0) this.known = { ...this.known, commands: [...commands, ...prompts] };
    }
  }

  private readonly keyDown = (event: KeyboardEvent): void => {
    // While an input method is composing, Enter and the arrow keys belong to it.
    if (event.isComposing) return;
    if (this.hintList.key(event)) {
      event.preventDefault();
      return;
    }
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === "Escape" && isPlain && this.edits !== undefined) {
      event.preventDefault();
      this.endEdit();
    } else if ((event.ctrlKey || event.metaKey) && event.code === "Period" && !event.shiftKey) {
      event.preventDefault();
      this.openMenu(event.altKey ? "approvals" : "mode");
    } else if (event.key === "Enter" && isPlain) {
      event.preventDefault();
      this.send();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      if (this.recall(event.key === "ArrowUp" ? 1 : -1)) event.preventDefault();
    }
  };

  /** Handles Up in the first line and Down in the last one. Returns `false` if the cursor is elsewhere. */
  private recall(step: 1 | -1): boolean {
    const input = this.querySelector<HTMLTextAreaElement>(".composer-input");
    if (!input || input.selectionStart !== input.selectionEnd) return false;
    const { value, selectionStart: at } = input;
    const beyond = step === 1 ? value.slice(0, at) : value.slice(at);
    // Of a recalled text the cursor is at an end, from where both keys go on through the history.
    const isAtEnd = at === 0 || at === value.length;
    if (beyond.includes("\n") && !(this.history.isRecalled && isAtEnd)) return false;
    const text = this.history.move(step, value);
    if (text === undefined) return false;
    this.setDraft(text);
    this.focusAt(step === 1 ? 0 : text.length);
    return true;
  }

  private readonly send = (): void => {
    const draft = { text: this.draft, attachments: this.attached.all };
    const { text } = draft;
    if (text.trim() === "") return;
    const input = parseInput(text);
    // Whether there is such a prompt of a server, the host finds out.
    const isOwn =
      input.action === "badCommand" &&
      (input.name.includes(":") || this.known.commands.some(({ name }) => name === input.name));
    if (input.action === "badCommand" && !isOwn) {
      this.problem = input;
      return;
    }
    const { edits } = this;
    const isPlain = input.action === "request" && !isCommand(text) && edits === undefined;
    const sent: SentText = {
      ...draft,
      edits,
      to: isPlain ? this.expert?.taskId : undefined,
      expert: this.mode === autoMode ? undefined : this.mode,
      isolated: this.isolated,
    };
    // What is typed is kept until the host has been handed it.
    this.dispatchEvent(new CustomEvent("rooroo-send", { detail: sent }));
    this.history.reset();
    // The user is asked first whether what came after the edited message is taken back.
    if (edits !== undefined) return;
    this.attached.all = [];
    this.setDraft("");
  };

  /** Shows or hides mentions when the cursor has moved without a change of the text. */
  private readonly cursorMoved = (event: Event): void => {
    const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
    if (value !== this.draft || selectionStart !== selectionEnd) return;
    this.mentions.update(value, selectionStart);
    this.requestUpdate();
  };

  /** @param cursor where the cursor is then; absent: at the end */
  private setDraft(text: string, cursor = text.length): void {
    if (text.startsWith("/") && !this.draft.startsWith("/")) void this.learn();
    this.problem = undefined;
    this.draft = text;
    this.mentions.update(text, cursor);
    this.hintList.reset();
    this.keep();
  }

  /** Has what is typed and attached kept over a reload. */
  private keep(): void {
    const { draft: text, edits } = this;
    this.fire("rooroo-draft", { text, attachments: this.attached.all, edits });
  }

  private fire(type: string, detail?: ComposerText | string): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
customElements.define("rooroo-composer", Composer);

/** Returns whether the text begins like a command, such as one that makes a request of what follows it. */
function isCommand(text: string): boolean {
  return /^\s*\/[a-z]/i.test(text);
}

/** Returns the separator between inserted text and the text that was typed before. */
function gap(text: string): string {
  return /\s$/.test(text) ? "" : "\n";
}

function placeholder(status: PanelStatus, expert: ExpertAtWork | undefined): string {
  if (expert) return t("Tell the {0} more while it works", expertName(expert.mode));
  if (status.talkingTo !== null) return t("Message the {0}", expertName(status.talkingTo));
  if (status.workspace === "none") return t("Open a folder to begin");
  return t("Describe a task (@ for context, / for commands)");
}
