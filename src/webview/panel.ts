import { LitElement, html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { ApprovalPreset } from "../core/approvals/approvalRules.js";
import type { HostCommand } from "../core/conversation/events/events.js";
import type { Draft } from "../core/conversation/input/draft.js";
import { mostAnswers } from "../core/conversation/input/mostAnswers.js";
import type { Item } from "../core/conversation/state/items.js";
import type {
  PanelMethod,
  PanelParams,
  PanelStatus,
  SandboxOffer,
  Snapshot,
  ToPanel,
} from "../protocol/messages.js";
import { PanelState } from "../protocol/panelState.js";
import { RpcClient } from "../protocol/rpcClient.js";
import type { Composer, ComposerText, SentText } from "./composer/composer.js";
import "./status/announcer.js";
import { withInput } from "./composer/inputHistory.js";
import type { Worker } from "./composer/usageMeter.js";
import "./composer/composer.js";
import type { Dock, KeptWords } from "./dock/dock.js";
import "./dock/dock.js";
import { waitingItems } from "./dock/waiting.js";
import { keepFocus } from "./focusKeeper.js";
import { HostConnection } from "./hostConnection.js";
import { loadMarkdown } from "./markdown/loadMarkdown.js";
import type { Announcer } from "./status/announcer.js";
import { areLast, changesPill, pillKey } from "./status/changesPill.js";
import { statusStrip } from "./status/statusStrip.js";
import { welcomeTemplate } from "./status/welcomeTemplate.js";
import "./composer/pendingMessages.js";
import { expertName } from "./text/expertName.js";
import { t } from "./text/words.js";
import "./transcript/transcript.js";
import type { KeptAnswer } from "./transcript/itemElement.js";
import { linkClicks } from "./transcript/linkClicks.js";
import { isThinking, thinkingLine } from "./transcript/thinking.js";
import type { Transcript } from "./transcript/transcript.js";

/** Milliseconds that the page waits for its snapshot before it asks again. */
const snapshotTimeoutMs = 3_000;

/** The whole page: shows what the host sends, and passes on what the user does. */
export class Panel extends LitElement {
  static override properties = {
    status: { state: true },
    items: { state: true },
    problem: { state: true },
    isSent: { state: true },
    readable: { state: true },
    offer: { state: true },
  };
  declare private status: PanelStatus | undefined;
  declare private items: readonly Item[];
  /** Whether the user has sent something that the host has not answered yet. */
  declare private isSent: boolean;
  /** The reason why the last request to the host failed. */
  declare private problem: string | undefined;
  /** Whether Markdown rendering has been loaded, or has failed to load, so that items can be shown. */
  declare private readable: boolean;
  /** The facts about the sandbox for the welcome view. */
  declare private offer: SandboxOffer | null;

  private readonly host = new HostConnection();
  private readonly state = new PanelState();
  private readonly rpc = new RpcClient((message) => {
    this.host.post(message);
  });
  private awaitingSnapshot: ReturnType<typeof setTimeout> | undefined;
  /** The last that the host was told of the focus. */
  private lastFocusTold: Promise<unknown> | undefined;
  /** The id of the last item when the user sent something. */
  private sentAfter: string | undefined;
  private composeLater: ComposerText | undefined;
  private menuLater: "mode" | "approvals" | undefined;
  private hasAskedForOffer = false;
  /** The ids of items whose texts were asked for. */
  private readonly wantedTexts = new Set<string>();
  /** The id of the conversation that is shown. */
  private shown = "";
  /** What is typed in it. */
  private draft: Draft = { text: "", attachments: [] };
  /** Whether the input does not have the draft yet. */
  private isToRestore = false;

  constructor() {
    super();
    this.items = [];
    this.readable = false;
    this.isSent = false;
    this.offer = null;
    linkClicks(this, this.request, (words) => this.announcer?.say(words));
    keepFocus(this, this.focusWaiting);
    for (const type of ["focus", "blur"]) {
      window.addEventListener(type, () => {
        this.tellFocus(type === "focus");
      });
    }
    if (document.hasFocus()) this.tellFocus(true);
    this.host.listen((message) => {
      try {
        this.take(message);
      } catch (error) {
        // The message may have been applied in part: a snapshot repairs the state.
        reportError(error);
        this.askForSnapshot();
      }
    });
    this.askForSnapshot();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { status } = this;
    if (!status) return html`<div class="loading" role="status" aria-label=${t("Loading")}></div>`;
    const waiting = waitingItems(this.items, status);
    return html`
      <main class="conversation">
        <h1 class="sr-only">Rooroo Navigator</h1>
        ${this.conversation(status)}
      </main>
      <section class="footer" aria-label=${t("Message")}>
        ${this.strip(status, waiting.length > 0)}
        ${this.problem === undefined ? nothing : this.problemLine(this.problem)}
        ${this.waitingDock(waiting)} ${this.changes(status)}
        <rooroo-pending
          .messages=${status.pending}
          .request=${this.request}
          @rooroo-leave=${() => {
            this.composer?.compose("");
          }}
        ></rooroo-pending>
        ${this.input(status)}
      </section>
      ${keyed(this.shown, html`<rooroo-announcer></rooroo-announcer>`)}
    `;
  }

  private strip(status: PanelStatus, hasWaiting: boolean): TemplateResult | typeof nothing {
    return statusStrip(status, this.items, hasWaiting, {
      proceed: () => {
        this.ask("act", { action: { action: "proceed", one: false } });
      },
      reveal: (id) => void this.transcript?.reveal(id),
      showConversation: (conversation) => {
        this.ask("showConversation", { conversation });
      },
      command: (command) => {
        this.ask("hostCommand", { command });
      },
      stopWork: (ref) => {
        this.ask("stopWork", { ref });
      },
    });
  }

  private waitingDock(waiting: ReturnType<typeof waitingItems>): unknown {
    // A dock of its own for each conversation.
    return keyed(
      this.shown,
      html`<rooroo-dock
        .waiting=${waiting}
        .request=${this.request}
        .kept=${this.draft.words}
        @rooroo-show=${({ detail }: CustomEvent<string>) => void this.show(detail)}
        @rooroo-words=${({ detail }: CustomEvent<string>) => {
          this.addToDraft({ text: detail, attachments: [] });
        }}
        @rooroo-keep=${({ detail }: CustomEvent<KeptWords | null>) => {
          // An event without a detail has null there, which is no draft.
          this.keepDraft({ words: detail ?? undefined });
        }}
        @rooroo-leave=${this.focusWaiting}
      ></rooroo-dock>`,
    );
  }

  private input(status: PanelStatus): TemplateResult {
    return html`<rooroo-composer
      .status=${status}
      .usage=${this.state.usage}
      .worker=${workerOf(this.items, this.state.usage.context?.taskId)}
      @rooroo-compact=${() => {
        this.ask("act", { action: { action: "compact" } });
      }}
      .inputs=${this.inputs}
      @rooroo-mode=${({ detail }: CustomEvent<string>) => {
        this.host.keep({ mode: detail });
      }}
      @rooroo-approvals=${({ detail }: CustomEvent<ApprovalPreset>) => {
        this.ask("setApprovals", { preset: detail });
      }}
      @rooroo-send=${this.send}
      @rooroo-stop=${() => {
        this.ask("stop", {});
      }}
      @rooroo-select-model=${() => {
        this.ask("hostCommand", { command: "selectModel" });
      }}
      .request=${this.request}
      @rooroo-problem=${({ detail }: CustomEvent<string>) => {
        this.problem = detail;
      }}
      @rooroo-draft=${({ detail }: CustomEvent<ComposerText>) => {
        this.keepDraft(detail);
      }}
    ></rooroo-composer>`;
  }

  private changes({ changes }: PanelStatus): TemplateResult | typeof nothing {
    if (changes === null || this.host.kept.dismissed === pillKey(changes)) return nothing;
    const { earlier, hasMore } = this.state;
    if (!areLast(changes, this.items, earlier > 0 || hasMore)) return nothing;
    return changesPill(changes, {
      review: () => {
        this.ask("reviewChanges", { taskId: changes.id });
      },
      undo: () => {
        this.ask("undoChanges", { taskId: changes.id });
      },
      dismiss: () => {
        this.host.keep({ dismissed: pillKey(changes) });
        this.requestUpdate();
        this.composer?.compose("");
      },
    });
  }

  private conversation(status: PanelStatus): unknown {
    if (this.items.length === 0 && !this.state.hasMore && !this.isSent) {
      if (status.workspace === "open") void this.askForOffer();
      return welcomeTemplate(status, this.offer, {
        compose: (text) => {
          this.composer?.compose(text);
        },
        openFolder: () => {
          this.ask("openFolder", {});
        },
        command: (command) => {
          void this.fromWelcome(command);
        },
      });
    }
    const thinks = this.isSent || isThinking(this.items, status.busy);
    if (!this.readable) return thinks ? thinkingLine() : nothing;
    // A transcript of its own for each conversation: scrolled to the end, with nothing selected.
    return keyed(
      this.shown,
      html`<h2 class="sr-only">${t("Conversation")}</h2>
        <rooroo-transcript
          .items=${this.items}
          .thinks=${thinks}
          .busy=${status.busy}
          .earlier=${this.state.earlier}
          .hasMore=${this.state.hasMore}
          .loadEarlier=${this.loadEarlier}
          .released=${this.state.released}
          .loadTexts=${this.loadTexts}
          .request=${this.request}
          .kept=${this.draft.answers ?? []}
          @rooroo-answer=${({ detail }: CustomEvent<KeptAnswer>) => {
            this.keepAnswers([...this.answersBeside(detail.id), detail]);
          }}
          @rooroo-edit=${({ detail }: CustomEvent<Extract<Item, { kind: "user" }>>) => {
            this.composer?.edit(detail);
          }}
        ></rooroo-transcript>`,
    );
  }

  /** Loads Markdown rendering, as soon as there are items or when the first page has been painted. */
  private async makeReadable(): Promise<void> {
    await loadMarkdown();
    this.readable = true;
  }

  protected override updated(): void {
    if (this.status && !this.readable) {
      requestAnimationFrame(() => setTimeout(() => void this.makeReadable()));
    }
    if (this.readable || this.items.length === 0) this.announcer?.hear(this.items);
    const { composer } = this;
    if (composer && this.isToRestore) {
      composer.restore(this.draft);
      composer.mode = this.host.kept.mode;
      this.isToRestore = false;
    }
    if (composer && this.menuLater !== undefined) {
      composer.openMenu(this.menuLater);
      this.menuLater = undefined;
    }
    if (composer && this.composeLater !== undefined) {
      composer.compose(this.composeLater.text, this.composeLater.attachments);
      this.composeLater = undefined;
    }
  }

  private problemLine(problem: string): TemplateResult {
    return html`<div class="problem" role="alert">
      <span class="codicon codicon-error" aria-hidden="true"></span>
      <span class="problem-text">${problem}</span>
      <button
        type="button"
        class="icon-button codicon codicon-close"
        title=${t("Dismiss")}
        aria-label=${t("Dismiss")}
        @click=${() => {
          this.problem = undefined;
        }}
      ></button>
    </div>`;
  }

  private take(message: ToPanel): void {
    switch (message.type) {
      case "snapshot":
        clearTimeout(this.awaitingSnapshot);
        this.awaitingSnapshot = undefined;
        this.state.show(message.snapshot);
        this.showConversation(message.snapshot);
        this.status = message.snapshot.status;
        this.showState();
        break;
      case "increment":
        if (!this.state.apply(message.increment)) this.askForSnapshot();
        else {
          if (this.transcript?.isAtEnd) this.state.release(this.transcript.drawnIds);
          this.showState();
        }
        break;
      case "status":
        if (this.status) this.takeStatus(this.status, message.status);
        break;
      case "decide":
        this.dock?.decide(message.decision);
        break;
      case "compose":
        {
          const { text, attachments = [] } = message;
          if (this.composer) this.composer.compose(text, attachments);
          else this.composeLater = { text, attachments };
        }
        break;
      case "openMenu":
        if (this.composer) this.composer.openMenu(message.menu);
        else this.menuLater = message.menu;
        break;
      case "reveal":
        void this.reveal(message.itemId);
        break;
      case "response":
        this.rpc.settle(message);
        break;
    }
  }

  /** Begins to show a conversation, with what is typed in it; changes nothing if it is shown already. */
  private showConversation({ conversation, draft }: Snapshot): void {
    if (conversation === this.shown && this.status !== undefined) return;
    this.shown = conversation;
    this.host.keep({ conversation });
    this.draft = draft;
    this.isToRestore = true;
    this.isSent = false;
    this.problem = undefined;
  }

  private takeStatus(before: PanelStatus, now: PanelStatus): void {
    // A problem from the previous state of the workspace no longer applies.
    if (before.workspace !== now.workspace) this.problem = undefined;
    this.status = now;
    if (now.busy) this.isSent = false;
  }

  private showState(): void {
    this.items = this.state.items;
    const last = this.items.at(-1);
    if (last !== undefined && last.kind !== "user" && last.id !== this.sentAfter) {
      this.isSent = false;
    }
    this.forgetAnswers();
    if (this.items.length > 0 && !this.readable) void this.makeReadable();
    // The usage may be all that has changed.
    this.requestUpdate();
  }

  private askForSnapshot(): void {
    if (this.awaitingSnapshot !== undefined) return;
    this.awaitingSnapshot = setTimeout(() => {
      this.awaitingSnapshot = undefined;
      this.askForSnapshot();
    }, snapshotTimeoutMs);
    this.host.post({ type: "ready" });
  }

  private readonly request: RpcClient["request"] = async (method, params) => {
    this.problem = undefined;
    try {
      return await this.rpc.request(method, params);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };

  /** Says whether the panel has the focus: the keys of the manifest ask for it. `data-keys` tells a test when they count. */
  private tellFocus(focused: boolean): void {
    delete document.body.dataset["keys"];
    const told = this.rpc.request("panelFocus", { focused });
    this.lastFocusTold = told;
    told.then(
      () => {
        // Of a focus that went and came back, the host has heard only when it has heard of the last one.
        if (focused && told === this.lastFocusTold) document.body.dataset["keys"] = "on";
      },
      () => undefined,
    );
  }

  /** Sends a request of which a failure needs only to be shown. */
  private ask<M extends PanelMethod>(method: M, params: PanelParams<M>): void {
    this.request(method, params).catch(() => undefined);
  }

  /** Asks for the sandbox offer, once per page: finding out what the machine can do takes a moment. */
  private async askForOffer(): Promise<void> {
    if (this.hasAskedForOffer) return;
    this.hasAskedForOffer = true;
    try {
      this.offer = (await this.rpc.request("sandboxOffer", {})) ?? null;
    } catch {
      // If the request fails, the sandbox is not offered.
      this.offer = null;
    }
  }

  private async fromWelcome(command: HostCommand): Promise<void> {
    try {
      await this.request("hostCommand", { command });
      if (command !== "useSandbox") return;
      this.hasAskedForOffer = false;
      await this.askForOffer();
    } catch {
      // The problem is shown.
    }
  }

  private readonly send = ({ detail }: CustomEvent<SentText>): void => {
    this.transcript?.toEnd();
    const { text, attachments, to, expert, isolated, edits } = detail;
    this.host.keep({ inputs: withInput(this.host.kept.inputs, text) });
    const attached =
      attachments.length === 0
        ? {}
        : { attachments: attachments.map(({ attachment }) => attachment) };
    this.isSent = to === undefined && edits === undefined;
    this.sentAfter = this.items.at(-1)?.id;
    const chosen = {
      ...(expert === undefined ? {} : { expert }),
      ...(isolated === undefined ? {} : { isolated }),
    };
    const sent =
      to === undefined
        ? this.request("send", { text, ...attached, ...chosen, ...(edits && { edits: edits.id }) })
        : this.request("tell", { taskId: to, text, ...attached });
    const isNotTaken = (): void => {
      this.isSent = false;
      // The host did not take the text: it returns to the input, where the user can send it again.
      if (this.composer?.draft === "") this.composer.compose(text, attachments);
    };
    sent.then((isTaken) => {
      if (isTaken === false) isNotTaken();
      else if (edits !== undefined) this.composer?.endEdit();
    }, isNotTaken);
  };

  private readonly loadEarlier = async (): Promise<void> => {
    const before = this.state.items[0]?.id;
    if (before === undefined) return;
    try {
      this.state.prepend(before, await this.request("earlier", { before }));
      this.showState();
    } catch {
      // The problem is shown; the user may try again.
    }
  };

  /** Gets texts that were released; what has been asked for already is not asked for again. */
  private readonly loadTexts = (ids: readonly string[]): void => {
    const wanted = ids.filter((id) => !this.wantedTexts.has(id)).slice(0, 200);
    if (wanted.length === 0) return;
    for (const id of wanted) this.wantedTexts.add(id);
    this.request("texts", { ids: wanted }).then(
      (texts) => {
        for (const id of wanted) this.wantedTexts.delete(id);
        this.state.restore(wanted, texts);
        this.showState();
      },
      // The problem is shown.
      () => undefined,
    );
  };

  /** Earlier inputs: those of the conversation that is loaded, and those that the page has kept. */
  private readonly inputs = (): readonly string[] => {
    const shown = this.items.flatMap((item) => (item.kind === "user" ? [item.text] : []));
    return [...shown, ...this.host.kept.inputs].reduce(withInput, []);
  };

  /** Loads earlier items until the wanted one is there, and scrolls to it. */
  private async reveal(itemId: string): Promise<void> {
    const isHere = () => this.state.items.some(({ id }) => id === itemId);
    while (!isHere() && (this.state.earlier > 0 || this.state.hasMore)) {
      const { length } = this.state.items;
      await this.loadEarlier();
      if (this.state.items.length === length) return;
    }
    if (!this.readable) await this.makeReadable();
    await this.updateComplete;
    await this.transcript?.show(itemId);
  }

  /** Brings an item into sight and puts the focus where it is answered. */
  private async show(id: string): Promise<void> {
    await this.transcript?.reveal(id);
    this.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] textarea`)?.focus();
  }

  /** Puts the focus on what waits for the user, else into the input. */
  private readonly focusWaiting = (): void => {
    if (this.dock?.focusShown() !== true)
      this.querySelector<HTMLElement>(".composer-input")?.focus();
  };

  /** Puts words that were not sent into the input, before what is there; does not take the focus. */
  private addToDraft(words: ComposerText): void {
    const { composer } = this;
    if (!composer || (words.text === "" && words.attachments.length === 0)) return;
    composer.add(words);
  }

  /** Has the host keep what is typed, with every change: a page may be gone at any time. */
  private keepDraft(changed: Partial<Draft>): void {
    this.draft = { ...this.draft, ...changed };
    const conversation = this.shown;
    this.rpc.request("keepDraft", { conversation, ...this.draft }).catch(() => undefined);
  }

  /** Returns what is typed in answer to other items than this. */
  private answersBeside(id: string): readonly KeptAnswer[] {
    return (this.draft.answers ?? []).filter((one) => one.id !== id);
  }

  private keepAnswers(answers: readonly KeptAnswer[]): void {
    const typed = answers.filter(({ text }) => text !== "").slice(-mostAnswers);
    this.keepDraft({ answers: typed.length === 0 ? undefined : typed });
  }

  /** Forgets what was typed in answer to what has been answered. */
  private forgetAnswers(): void {
    const { answers = [] } = this.draft;
    if (answers.length === 0) return;
    const answered = new Set(
      this.items.flatMap((item) =>
        (item.kind === "question" || item.kind === "proposal") && item.answer !== undefined
          ? [item.id]
          : [],
      ),
    );
    const open = answers.filter(({ id }) => !answered.has(id));
    if (open.length < answers.length) this.keepAnswers(open);
  }

  private get dock(): Dock | null {
    return this.querySelector("rooroo-dock");
  }

  private get composer(): Composer | null {
    return this.querySelector("rooroo-composer");
  }

  private get transcript(): Transcript | null {
    return this.querySelector("rooroo-transcript");
  }

  private get announcer(): Announcer | null {
    return this.querySelector("rooroo-announcer");
  }
}
customElements.define("rooroo-panel", Panel);

/** Returns whose the window is; `undefined` if no loaded item tells of it. */
function workerOf(items: readonly Item[], taskId: string | undefined): Worker | undefined {
  const task = items.findLast((item) => item.kind === "task" && item.taskId === taskId);
  if (task?.kind !== "task") return undefined;
  const words = `${expertName(task.mode)}: ${task.goal}`;
  // The sessions of jobs and runs are short, and take no orders.
  return { words, isCompactable: task.work === undefined };
}
