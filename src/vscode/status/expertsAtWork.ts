import type { LongWork, TaskId } from "../../core/ids.js";
import type { TaskView, UnitMessages } from "../../core/navigator/overview/overview.js";
import type { Translate } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import type { Work } from "../../core/work/work.js";
import type { ExpertAtWork, PanelStatus, PendingView } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";

/** What the experts at work, and the messages to them, are read from. */
interface AtWork {
  readonly tasks: readonly TaskView[];
  readonly works: readonly Work[];
  /** The messages that wait for agents of long work. */
  readonly toUnits: readonly UnitMessages[];
  /** Ids of the tasks and agents that wait for an approval in this window: their experts are at work. */
  readonly waiting: ReadonlySet<string>;
}

/**
 * Returns the experts that work now, first those of long work, then those of tasks, and the user's messages that are
 * still to be delivered.
 */
export function expertsAtWork(
  given: AtWork,
  t: Translate,
): Pick<PanelStatus, "atWork" | "pending"> {
  const { tasks, works, toUnits, waiting } = given;
  const ofTasks = tasks
    .filter(({ taskId, state, away }) => !away && (state === "running" || waiting.has(taskId)))
    .toSorted((a, b) => a.changedAt - b.changedAt);
  const pending: (PendingView & { readonly at: string })[] = [
    ...tasks.flatMap(({ taskId, mode, state, messages = [] }) =>
      messages.map((one) => ({ ...one, taskId, mode, when: whenDelivered(state) })),
    ),
    ...toUnits.flatMap(({ taskId, messages }) => {
      const to = recipientOf(taskId, given);
      return messages.map((one) => ({ ...one, taskId, ...to }));
    }),
  ];
  return {
    atWork: [...works.flatMap((work) => agentsOf(work, t)), ...ofTasks].map(({ goal, ...one }) => {
      const { taskId, mode } = one;
      const work = "work" in one ? { work: one.work } : {};
      return { taskId, mode, goal: shorten(goal, 100), ...work };
    }),
    pending: pending
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ id, taskId, mode, text, when, work }) => {
        return { id, taskId, mode, text, when, ...(work && { work }) };
      }),
  };
}

type Agent = ExpertAtWork & { readonly work: LongWork };

/**
 * Returns the agents of a piece of work that is at work; between two of them, the last one: what is said to it then waits
 * for the next, and does not become a new request.
 */
function agentsOf({ ref, title, agents, lastAgent }: Work, t: Translate): Agent[] {
  const now = lastAgent === null ? agents : [lastAgent];
  return now.map(({ taskId, mode, goal }) => {
    return { taskId, mode, goal: `${shorten(title, 40)}: ${spoken(goal, t)}`, work: ref };
  });
}

/** Returns for whom a message to an agent of long work waits, and when it is delivered. */
function recipientOf(
  taskId: TaskId,
  { works, waiting }: AtWork,
): Pick<PendingView, "mode" | "when"> & { readonly work?: LongWork } {
  const work = works.find(({ owns }) => owns(taskId));
  if (work === undefined) return { mode: "", when: "never" };
  const agent = work.agents.find((one) => one.taskId === taskId);
  if (agent !== undefined) {
    const when = waiting.has(taskId) ? "decided" : "nextTurn";
    return { mode: agent.mode, work: work.ref, when };
  }
  return { mode: "", work: work.ref, when: work.isOver ? "never" : "nextAgent" };
}

function whenDelivered(state: TaskView["state"]): PendingView["when"] {
  switch (state) {
    case "running":
      return "nextTurn";
    case "needsYou":
      return "decided";
    case "queued":
    case "interrupted":
      return "resumed";
    case "done":
    case "failed":
    case "foreign":
      return "never";
  }
}
