import type { Page } from "playwright-core";
import type { AgentEvent } from "../../src/core/agent/events.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import type { Draft } from "../../src/core/conversation/input/draft.js";
import { newConversation } from "../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../src/core/conversation/state/reduce.js";
import { movesItems } from "../../src/core/conversation/state/reduceRestored.js";
import { english, type Translate } from "../../src/core/text/translator.js";
import type { ToPanel } from "../../src/protocol/messages.js";
import { PanelFeed } from "../../src/protocol/panelFeed.js";
import { calmStatus } from "../fakes/calmStatus.js";

const at = "2026-01-05T10:00:00.000Z";

/** What is needed of a page, or of a frame in one. */
type PanelPage = Pick<Page, "evaluate" | "getByRole" | "waitForSelector">;

/** A page of the panel that shows the events that it is given, through the feed that the extension uses. */
export class FedPanel {
  readonly state = newConversation();
  /** Whatever the page's policy has forbidden, every error in it, and every request that its host would refuse. */
  readonly complaints: string[] = [];
  /** What the page has had kept. */
  draft: Draft = { text: "", attachments: [] };
  readonly feed = new PanelFeed({
    conversation: "20260102-030405-ab12cd",
    state: this.state,
    status: calmStatus,
    draft: () => this.draft,
    rest: { exists: () => false, read: () => Promise.resolve() },
    post: (message) => {
      this.track(this.post(message));
    },
    schedule: (callback) => {
      const frame = new Promise<void>((resolve) =>
        setTimeout(() => {
          callback();
          resolve();
        }, 33),
      );
      this.track(frame);
    },
  });
  /** Frames that are to come, and messages on their way. */
  private readonly underWay = new Set<Promise<void>>();

  /** @param t what translates into the page's language */
  constructor(
    readonly page: PanelPage,
    readonly t: Translate = english,
  ) {}

  event(event: ConversationEvent): void {
    this.feed.changed(applyEvent(this.state, event));
    if (movesItems(event)) this.feed.snapshot();
  }

  agent(event: AgentEvent, taskId = "ROO#20260105-100000#a1b2"): void {
    this.event({ type: "agent", at, taskId, event });
  }

  async post(message: ToPanel): Promise<void> {
    // What crosses is JSON, as between the editor and its webviews.
    const json = JSON.stringify(message);
    try {
      await this.page.evaluate((text) => {
        window.postMessage(JSON.parse(text), "*");
      }, json);
    } catch (error) {
      // A page that is being loaded anew asks for everything itself.
      if (!/closed|navigation/.test(String(error))) this.complaints.push(String(error));
    }
  }

  private track(work: Promise<void>): void {
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  /** Waits until the page has drawn what was posted. */
  async drawn(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    // The page shows its first item when it has loaded what renders Markdown.
    if (this.state.items.length > 0) await this.page.waitForSelector("rooroo-transcript");
    await this.page.evaluate(
      () =>
        new Promise((resolve) => {
          // Where there is much to do, frames come before what was posted; this comes after it.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(resolve));
          port2.postMessage(null);
        }),
    );
  }
}
