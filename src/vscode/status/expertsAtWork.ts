import type { LongWork } from "../../core/conversation/events.js";
import type { TaskId } from "../../core/ids.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { TaskView, UnitMessages } from "../../core/navigator/overview/overview.js";
import type { RunOverview } from "../../core/runs/runOverview.js";
import { runUnitId } from "../../core/runs/work/runUnit.js";
import type { Translate } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import type { ExpertAtWork, PanelStatus, PendingView } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";

/** What the experts at work, and the messages to them, are read from. */
interface AtWork {
  readonly tasks: readonly TaskView[];
  readonly jobs: readonly JobOverview[];
  readonly runs: readonly RunOverview[];
  /** The messages that wait for agents of jobs and runs. */
  readonly toUnits: readonly UnitMessages[];
  /** Ids of the tasks and units that wait for an approval in this window: their experts are at work. */
  readonly waiting: ReadonlySet<string>;
}

/**
 * Returns the experts that work now, first those of jobs and runs, then those of tasks, and the user's messages that are
 * still to be delivered.
 */
export function expertsAtWork(
  given: AtWork,
  t: Translate,
): Pick<PanelStatus, "atWork" | "pending"> {
  const { tasks, toUnits, waiting } = given;
  const units = unitsAtWork(given);
  const ofTasks = tasks
    .filter(({ taskId, state, away }) => !away && (state === "running" || waiting.has(taskId)))
    .toSorted((a, b) => a.changedAt - b.changedAt);
  const pending: (PendingView & { readonly at: string })[] = [
    ...tasks.flatMap(({ taskId, mode, state, messages = [] }) =>
      messages.map((one) => ({ ...one, taskId, mode, when: whenDelivered(state) })),
    ),
    ...toUnits.flatMap(({ taskId, messages }) => {
      const to = unitOf(taskId, units, given);
      return messages.map((one) => ({ ...one, taskId, ...to }));
    }),
  ];
  return {
    atWork: [...units, ...betweenAgents(given, t), ...ofTasks].map(({ goal, ...one }) => {
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

type Unit = ExpertAtWork & { readonly work: LongWork };

function unitsAtWork({ jobs, runs }: AtWork): Unit[] {
  const ofJobs = jobs.flatMap(({ name, runners }) =>
    runners.map(({ taskId, role, objective }) => ({
      taskId,
      mode: `rooroo-job-${role.toLowerCase()}`,
      goal: `${name}: ${objective}`,
      work: { kind: "job", name } as const,
    })),
  );
  const ofRuns = runs.flatMap(({ runId: name, request, unit }) => {
    if (unit === null) return [];
    const goal = `${shorten(request, 40)}: ${unit.goal}`;
    return [{ ...unit, goal, work: { kind: "run", name } as const }];
  });
  return [...ofJobs, ...ofRuns];
}

/**
 * Returns the last agent of each job that is at work while none of its agents is, as between two lifecycles: what is
 * said to it then waits for the next one, and does not become a new request.
 */
function betweenAgents({ jobs }: AtWork, t: Translate): Unit[] {
  return jobs.flatMap(({ name, state, runners, entries, next }) => {
    const { session, role } = entries.find((entry) => entry.session !== null) ?? {};
    if (state !== "running" || runners.length > 0 || !session) return [];
    return [
      {
        taskId: session,
        mode: `rooroo-job-${(next.role ?? role ?? "Runner").toLowerCase()}`,
        goal: `${name}: ${spoken(next.objective, t)}`,
        work: { kind: "job", name },
      },
    ];
  });
}

/** Returns for whom a message to an agent of a job or run waits, and when it is delivered. */
function unitOf(
  taskId: TaskId,
  units: readonly Unit[],
  { jobs, runs, waiting }: AtWork,
): Pick<PendingView, "mode" | "when"> & { readonly work?: LongWork } {
  const unit = units.find((one) => one.taskId === taskId);
  if (unit !== undefined) {
    const when = waiting.has(taskId) ? "decided" : "nextTurn";
    return { mode: unit.mode, work: unit.work, when };
  }
  const next = (work: LongWork, isOver: boolean) => {
    return { mode: "", work, when: isOver ? ("never" as const) : ("nextAgent" as const) };
  };
  const job = jobs.find(
    ({ sessions, entries }) =>
      sessions.includes(taskId) || entries.some(({ session }) => session === taskId),
  );
  if (job !== undefined) {
    const isOver = job.state === "done" && !job.isPeriodic;
    return next({ kind: "job", name: job.name }, isOver);
  }
  const run = runs.find(({ runId }) => taskId.startsWith(runUnitId(runId, "")));
  if (run === undefined) return { mode: "", when: "never" };
  const isOver = ["done", "failed", "cancelled"].includes(run.state);
  return next({ kind: "run", name: run.runId }, isOver);
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
