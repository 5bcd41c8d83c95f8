import type { PlanEntry } from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import { newConversation } from "../../core/conversation/state/conversationState.js";
import type { Item, PlanTask } from "../../core/conversation/state/items.js";
import { applyEvent } from "../../core/conversation/state/reduce.js";
import { modeName } from "../../core/experts/modeName.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { t } from "../language/language.js";

type PlanItem = Extract<Item, { kind: "plan" }>;

/** The most characters of an entry. */
const longest = 300;

/** Follows what clients show as the plan: the tasks of the plan at work or, without one, the expert's own steps. */
export class PlanEntries {
  private readonly state = newConversation();
  private last = "[]";

  /** Returns the entries if the event has changed them. */
  after(event: ConversationEvent): PlanEntry[] | undefined {
    const entries = this.entries(event);
    const json = JSON.stringify(entries);
    if (entries === undefined || json === this.last) return undefined;
    this.last = json;
    return entries;
  }

  private entries(event: ConversationEvent): PlanEntry[] | undefined {
    switch (event.type) {
      case "plan":
      case "sessionStarted":
      case "sessionEnded":
      case "question": {
        const plan = applyEvent(this.state, event).findLast(({ after }) => after.kind === "plan");
        return plan && entriesOf(plan.after as PlanItem);
      }
      case "agent": {
        const { taskId, event: own } = event;
        if (own.type !== "checklist" || this.state.plans.has(taskId)) return undefined;
        const statuses = { open: "pending", doing: "in_progress", done: "completed" } as const;
        return own.steps.map(({ text, state }) => ({
          content: visibleLine(text, longest),
          priority: "medium",
          status: statuses[state],
        }));
      }
      case "user":
      case "answered":
      case "notice":
      case "proposal":
      case "proposalAnswered":
      case "questionClosed":
      case "changesUndone":
      case "restored":
      case "restoreEnded":
      case "restoreUndone":
      case "announced":
      case "tasksChanged":
        return undefined;
    }
  }
}

function entriesOf({ tasks }: PlanItem): PlanEntry[] {
  return tasks
    .filter(({ state }) => state !== "skipped")
    .map(({ mode, goal, state }) => {
      const shown = visibleLine(goal, longest);
      const said = state === "failed" ? t("Failed: {0}", shown) : shown;
      return {
        content: `${said} (${t(modeName(mode))})`,
        priority: "medium",
        status: statuses[state],
      };
    });
}

const statuses: Readonly<Record<PlanTask["state"], PlanEntry["status"]>> = {
  waiting: "pending",
  running: "in_progress",
  needsYou: "in_progress",
  stopped: "pending",
  failed: "pending",
  done: "completed",
  skipped: "completed",
};
