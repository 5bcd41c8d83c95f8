import { LitElement, html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Item } from "../core/conversation/items.js";
import type { HostCommand } from "../core/conversation/events.js";
import type {
  PanelMethod,
  PanelParams,
  PanelStatus,
  SandboxOffer,
  ToPanel,
} from "../protocol/messages.js";
import { PanelState } from "../protocol/panelState.js";
import { RpcClient } from "../protocol/rpcClient.js";
import "./announcer.js";
import type { Announcer } from "./announcer.js";
import "./composer.js";
import type { Composer } from "./composer.js";
import { HostConnection } from "./hostConnection.js";
import { loadMarkdown } from "./lateMarkdown.js";
import { linkClicks } from "./linkClicks.js";
import { statusStrip } from "./statusStrip.js";
import "./transcript.js";
import type { Transcript } from "./transcript.js";
import { welcomeTemplate } from "./welcomeTemplate.js";

/** Milliseconds that the page waits for its snapshot before it asks again. */
const snapshotPatienceMs = 3_000;

/** The whole page: shows what the host sends, and passes on what the user does. */
export class Panel extends LitElement {
  static override properties = {
    status: { state: true },
    items: { state: true },
    problem: { state: true },
    readable: { state: true },
    offer: { state: true },
  };
  declare private status: PanelStatus | undefined;
  declare private items: readonly Item[];
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
  private composeLater: string | undefined;
  private hasAskedForOffer = false;

  constructor() {
    super();
    this.items = [];
    this.readable = false;
    this.offer = null;
    linkClicks(this, this.request);
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
    if (!status) return html`<div class="loading" role="status" aria-label="Loading"></div>`;
    return html`
      <h1 class="sr-only">Rooroo Navigator</h1>
      <main class="conversation">${this.conversation(status)}</main>
      <div class="footer">
        ${statusStrip(status, this.items, {
          proceed: () => {
            this.ask("act", { action: { action: "proceed", one: false } });
          },
          reveal: (id) => void this.transcript?.reveal(id),
          command: (command) => {
            this.ask("hostCommand", { command });
          },
          stopRun: (runId) => {
            this.ask("stopRun", { runId });
          },
          stopJob: (name) => {
            this.ask("stopJob", { name });
          },
        })}
        ${this.problem === undefined ? nothing : this.problemLine(this.problem)}
        <rooroo-composer
          .status=${status}
          .usage=${this.state.usage}
          .said=${this.history}
          @rooroo-send=${this.send}
          @rooroo-stop=${() => {
            this.ask("stop", {});
          }}
          @rooroo-select-model=${() => {
            this.ask("hostCommand", { command: "selectModel" });
          }}
          @rooroo-draft=${({ detail }: CustomEvent<string>) => {
            this.host.keep({ draft: detail });
          }}
        ></rooroo-composer>
      </div>
      <rooroo-announcer></rooroo-announcer>
    `;
  }

  private conversation(status: PanelStatus): TemplateResult | typeof nothing {
    if (this.items.length === 0 && this.state.earlier === 0) {
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
    if (!this.readable) return nothing;
    return html`<rooroo-transcript
      .items=${this.items}
      .earlier=${this.state.earlier}
      .loadEarlier=${this.loadEarlier}
      .request=${this.request}
    ></rooroo-transcript>`;
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
    if (composer && !composer.hasUpdated) composer.draft = this.host.kept.draft;
    if (composer && this.composeLater !== undefined) {
      composer.compose(this.composeLater);
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
        title="Dismiss"
        aria-label="Dismiss"
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
        this.status = message.snapshot.status;
        this.showState();
        break;
      case "increment":
        if (!this.state.apply(message.increment)) this.askForSnapshot();
        else this.showState();
        break;
      case "status":
        if (this.status) this.takeStatus(this.status, message.status);
        break;
      case "compose":
        if (this.composer) this.composer.compose(message.text);
        else this.composeLater = message.text;
        break;
      case "response":
        this.rpc.settle(message);
        break;
    }
  }

  private takeStatus(before: PanelStatus, now: PanelStatus): void {
    // A problem from the previous state of the workspace no longer applies.
    if (before.workspace !== now.workspace) this.problem = undefined;
    this.status = now;
  }

  private showState(): void {
    this.items = this.state.items;
    if (this.items.length > 0 && !this.readable) void this.makeReadable();
    // The usage may be all that has changed.
    this.requestUpdate();
  }

  private askForSnapshot(): void {
    if (this.awaitingSnapshot !== undefined) return;
    this.awaitingSnapshot = setTimeout(() => {
      this.awaitingSnapshot = undefined;
      this.askForSnapshot();
    }, snapshotPatienceMs);
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

  private readonly send = ({ detail: text }: CustomEvent<string>): void => {
    this.transcript?.toEnd();
    this.request("send", { text }).catch(() => {
      // The host did not take the text: it returns to the input, where the user can send it again.
      if (this.composer?.draft === "") this.composer.compose(text);
    });
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

  private readonly history = (): readonly string[] =>
    this.items.flatMap((item) => (item.kind === "user" ? [item.text] : []));

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
