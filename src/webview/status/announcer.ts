import { LitElement, html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { replyRemark } from "../../core/conversation/state/replyRemark.js";
import { levelLabels } from "../items/noticeItem.js";
import { planStatus } from "../items/planStatus.js";
import { endWords } from "../items/reportItem.js";
import { markdown } from "../markdown/loadMarkdown.js";
import { expertName } from "../text/expertName.js";
import { t } from "../text/words.js";

/** The number of lines that are kept: a screen reader speaks what is added, and ignores what is removed. */
const kept = 12;
const longest = 2_000;

/**
 * Announces news to screen readers, each thing once: complete texts, notices and results when the reader
 * is idle, and what waits for the user at once.
 */
export class Announcer extends LitElement {
  static override properties = {
    calm: { state: true },
    urgent: { state: true },
  };
  declare private calm: readonly string[];
  declare private urgent: readonly string[];
  private readonly announced = new Set<string>();
  private begun = false;

  constructor() {
    super();
    this.calm = [];
    this.urgent = [];
  }

  /** Announces what is new in the conversation. What was there at the first call is not announced. */
  hear(items: readonly Item[]): void {
    // Changes happen near the end; items far above have been announced or were there from the start.
    for (const item of items.slice(-60)) {
      const line = sayable(item);
      if (line === undefined || this.announced.has(line.key)) continue;
      this.announced.add(line.key);
      if (!this.begun) continue;
      const words = line.words.slice(0, longest);
      if (line.urgent) this.urgent = [...this.urgent, words].slice(-kept);
      else this.calm = [...this.calm, words].slice(-kept);
    }
    this.begun = true;
  }

  /** Says what the user's last action has done, where only its look would tell. */
  say(words: string): void {
    this.calm = [...this.calm, words].slice(-kept);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`
      <div class="sr-only" role="status" aria-live="polite" aria-relevant="additions">
        ${this.calm.map((words) => html`<p>${words}</p>`)}
      </div>
      <div class="sr-only" role="alert" aria-live="assertive" aria-relevant="additions">
        ${this.urgent.map((words) => html`<p>${words}</p>`)}
      </div>
    `;
  }
}
customElements.define("rooroo-announcer", Announcer);

const proposalAnswers = {
  confirmed: t("The proposal is confirmed."),
  changed: t("A new proposal is requested."),
  cancelled: t("The run is cancelled."),
} as const;

interface Announcement {
  readonly key: string;
  readonly words: string;
  readonly urgent?: boolean;
}

/** Returns an item's announcement; `undefined` if it fails, so that the other items are still announced. */
function sayable(item: Item): Announcement | undefined {
  try {
    return announcement(item);
  } catch {
    return undefined;
  }
}

function announcement(item: Item): Announcement | undefined {
  switch (item.kind) {
    case "text": {
      if (item.streaming) {
        const { retry } = item;
        return retry && { key: `${item.id} ${retry.attempt}`, words: replyRemark({ retry }, t) };
      }
      return item.text === "" ? undefined : { key: item.id, words: spoken(item.text) };
    }
    case "notice":
      return { key: item.id, words: `${levelLabels[item.level]}: ${spoken(item.text)}` };
    case "report":
      return item.undone === undefined
        ? {
            key: item.id,
            words: `${expertName(item.mode)}, ${endWords(item.end)}: ${spoken(item.message)}`,
          }
        : { key: `${item.id} undone`, words: t("Undone: {0}", spoken(item.message)) };
    case "question":
      return {
        key: item.id,
        words: item.repeats
          ? t("{0} is awaiting your answer", expertName(item.mode))
          : t("{0} asks: {1}", expertName(item.mode), spoken(item.text)),
        urgent: true,
      };
    case "proposal":
      return item.answer === undefined
        ? {
            key: item.id,
            words: t("A run is awaiting your confirmation of its proposal: {0}", item.summary),
            urgent: true,
          }
        : { key: `${item.id} ${item.answer}`, words: proposalAnswers[item.answer] };
    case "tool":
      return item.approval?.state === "open"
        ? {
            key: item.approval.approvalId,
            words: t("Your approval is needed: {0}", item.approval.action.title),
            urgent: true,
          }
        : undefined;
    case "task":
      return { key: item.id, words: t("{0} begins: {1}", expertName(item.mode), item.goal) };
    case "checklist": {
      const doing = item.steps.findLast(({ state }) => state === "doing");
      return doing && { key: `${item.id} ${doing.text}`, words: t("Step: {0}", doing.text) };
    }
    case "plan": {
      const { heading, note, waits } = planStatus(item);
      const words = `${heading} ${note}: ${item.goal}`;
      const key = `${item.id} ${heading} ${item.tasks.length}`;
      return waits
        ? {
            key: `${key} waits`,
            words: t("The plan is waiting for you to start it. {0}", words),
            urgent: true,
          }
        : { key, words };
    }
    case "user":
    case "reasoning":
      return undefined;
  }
}

function spoken(text: string): string {
  const { renderMarkdown, sanitized } = markdown();
  return renderMarkdown(text.slice(0, longest))
    .blocks.map((block) => sanitized(block).textContent.trim())
    .join(" ");
}
