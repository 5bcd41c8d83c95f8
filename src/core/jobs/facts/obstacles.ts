import { type Limit, noSpending, reached, readTotals } from "../../spending/spendTotals.js";
import type { Said } from "../../text/words.js";
import type { Job } from "../documents/jobFolder.js";
import { needsApproval } from "../work/triage.js";
import type { JobOverview } from "./jobOverview.js";
import type { LifecycleFacts } from "./lifecycleFacts.js";
import type { TaskFacts } from "./taskFacts.js";

/** Something that keeps a job from being done. Tasks are named by their ids. */
export type Obstacle =
  /** No lifecycle can begin. */
  | { readonly type: "stuck"; readonly why: Said }
  | {
      readonly type: "budget";
      readonly kind: keyof Limit;
      readonly used: number;
      readonly most: number;
    }
  | {
      readonly type: "question";
      readonly id: string;
      readonly text: string;
      /** The line of the answer's label in the job file. */
      readonly line: number;
      /** The tasks that are set aside until it is answered. */
      readonly setAside: readonly string[];
      /** The tasks that wait for these. */
      readonly behind: readonly string[];
    }
  | {
      readonly type: "failed";
      readonly task: string;
      readonly title: string;
      /** The reason that the runner gave; empty if no entry has one. */
      readonly why: string;
      readonly tries: number;
      readonly behind: readonly string[];
    }
  /** These tasks need an approval, and nobody was there to give it. */
  | {
      readonly type: "approval";
      readonly tasks: readonly string[];
      readonly behind: readonly string[];
    }
  /** The model failed, and no runner is at work. */
  | { readonly type: "model"; readonly why: string; readonly at: string | null }
  /** The runners of these tasks are gone. */
  | { readonly type: "interrupted"; readonly tasks: readonly string[] };

/** Returns what is in a job's way, the most urgent first. */
export function obstacles({
  overview,
  tasks,
  lifecycles,
  budget,
  job,
}: {
  readonly overview: JobOverview;
  readonly tasks: readonly TaskFacts[];
  readonly lifecycles: readonly LifecycleFacts[];
  readonly budget: Limit;
  readonly job: Job;
}): Obstacle[] {
  const { next, questions, runners, staleLocks } = overview;
  const behind = (ids: readonly string[]) =>
    tasks.filter((one) => one.stuckBehind.some((id) => ids.includes(id))).map(({ id }) => id);
  const stuck: Obstacle[] = next.exitCode === 1 ? [{ type: "stuck", why: next.objective }] : [];
  const asked = questions
    .filter(({ answer }) => answer === null)
    .map(({ id, text, line }) => {
      const setAside = tasks.filter((one) => one.waitsFor === id).map((one) => one.id);
      return { type: "question", id, text, line, setAside, behind: behind(setAside) } as const;
    })
    .sort((a, b) => weight(b) - weight(a));
  const failed = tasks
    .filter(({ state }) => state === "failed")
    .map(({ id, title, last, tries }): Obstacle => {
      const why = last === null || last.result === "Succeeded" ? "" : last.summary;
      return { type: "failed", task: id, title, why, tries, behind: behind([id]) };
    });
  const unapproved = job.log.tasks
    .filter((task) => task.status === "Pending" && needsApproval(task))
    .map(({ id }) => id);
  const approval: Obstacle[] =
    unapproved.length === 0
      ? []
      : [{ type: "approval", tasks: unapproved, behind: behind(unapproved) }];
  const newest = lifecycles.findLast(({ isUndo }) => !isUndo);
  const isOver = overview.state === "done";
  const model: Obstacle[] =
    !isOver && newest?.reason === "model failed" && runners.length === 0
      ? [{ type: "model", why: newest.summary, at: newest.from }]
      : [];
  const interrupted: Obstacle[] =
    staleLocks.length > 0 ? [{ type: "interrupted", tasks: staleLocks }] : [];
  const used = isOver ? [] : budgetReached(job, budget);
  return [...stuck, ...used, ...asked, ...approval, ...failed, ...model, ...interrupted];
}

/** Returns the number of tasks that wait for a question's answer. */
function weight({ setAside, behind }: Extract<Obstacle, { type: "question" }>): number {
  return setAside.length + behind.length;
}

function budgetReached({ log }: Job, budget: Limit): Obstacle[] {
  const spent = readTotals(log.notes.spent ?? "");
  const kind = reached(budget, noSpending, spent);
  if (kind === undefined) return [];
  return [{ type: "budget", kind, used: spent[kind], most: budget[kind] ?? 0 }];
}
