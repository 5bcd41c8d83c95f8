import type {
  EntryView,
  JobOverview,
  JobQuestion,
  ProblemView,
  RoadmapView,
  RunnerView,
} from "../../core/jobs/jobOverview.js";
import type { Rows } from "../work/rowTree.js";

/** A row of the tree; `stem` identifies the job that it belongs to. */
export type JobNode = { readonly id: string; readonly stem: string } & (
  | {
      readonly kind: "job";
      readonly job: Pick<
        JobOverview,
        "name" | "title" | "state" | "progress" | "tasks" | "next" | "jobPath" | "logPath"
      >;
      readonly runners: number;
      readonly openQuestions: number;
      /** The number of runners in this window that wait for the user's approval. */
      readonly waiting: number;
    }
  | { readonly kind: "question"; readonly question: JobQuestion }
  /** A runner that works on the roadmap as a whole. */
  | ({ readonly kind: "planner"; readonly runner: RunnerView } & AtWork)
  | { readonly kind: "roadmap"; readonly done: number; readonly total: number }
  | {
      readonly kind: "phase";
      readonly phase: Omit<Extract<RoadmapView, { kind: "phase" }>, "children">;
    }
  | ({ readonly kind: "task"; readonly task: Extract<RoadmapView, { kind: "task" }> } & AtWork)
  | { readonly kind: "log"; readonly count: number }
  | { readonly kind: "entry"; readonly entry: EntryView }
  /** Older entries that are not shown. */
  | { readonly kind: "older"; readonly count: number }
  | { readonly kind: "problems"; readonly count: number }
  | { readonly kind: "problem"; readonly problem: ProblemView }
);

interface AtWork {
  /** Whether its runner is in this window. */
  readonly isHere: boolean;
  /** Whether it waits for the user's approval. */
  readonly waits: boolean;
}

/** Facts about this window. */
interface Here {
  /** The id of the window's process. */
  readonly pid: number;
  /** Ids of the work units in this window that wait for an approval. */
  readonly waiting: ReadonlySet<string>;
}

type WithoutPlace<N> = N extends unknown ? Omit<N, "id" | "stem"> : never;

/**
 * Returns the rows of all jobs; each has questions, planners, roadmap, work log and problems, in this
 * order.
 */
export function jobRows(jobs: readonly JobOverview[], here: Here): Rows<JobNode> {
  const nodes = new Map<string, JobNode>();
  const children = new Map<string, string[]>([["", []]]);
  for (const job of jobs) {
    const { stem } = job;
    const add = (parent: string, id: string, node: WithoutPlace<JobNode>): string => {
      nodes.set(id, { ...node, id, stem });
      const siblings = children.get(parent);
      if (siblings) siblings.push(id);
      else children.set(parent, [id]);
      return id;
    };
    addJob(job, here, add);
  }
  return { nodes, children };
}

type Add = (parent: string, id: string, node: WithoutPlace<JobNode>) => string;

function addJob(job: JobOverview, here: Here, add: Add): void {
  const { stem, name, title, state, progress, tasks, next, jobPath, logPath } = job;
  const row = add("", `job:${stem}`, {
    kind: "job",
    job: { name, title, state, progress, tasks, next, jobPath, logPath },
    runners: job.runners.length,
    openQuestions: job.questions.filter(({ answer }) => answer === null).length,
    waiting: job.runners.filter(({ taskId }) => here.waiting.has(taskId)).length,
  });
  for (const question of job.questions) {
    add(row, `question:${stem}:${question.id}`, { kind: "question", question });
  }
  for (const runner of job.runners.filter(({ role }) => role === "Planner")) {
    const id = `planner:${stem}:${runner.runner}`;
    add(row, id, { kind: "planner", runner, ...atWork(runner, here) });
  }
  if (job.roadmap.length > 0) {
    const { done, total } = tasks;
    const roadmap = add(row, `roadmap:${stem}`, { kind: "roadmap", done, total });
    for (const item of job.roadmap) addItem(roadmap, item, { stem, here, add });
  }
  if (job.entryCount > 0) {
    const log = add(row, `log:${stem}`, { kind: "log", count: job.entryCount });
    for (const [index, entry] of job.entries.entries()) {
      // New entries come first in the list; numbered from the oldest, each entry keeps its id.
      const place = job.entryCount - index;
      add(log, `entry:${stem}:${place}`, { kind: "entry", entry });
    }
    const count = job.entryCount - job.entries.length;
    if (count > 0) add(log, `older:${stem}`, { kind: "older", count });
  }
  if (job.problems.length > 0) {
    const count = job.problems.length;
    const problems = add(row, `problems:${stem}`, { kind: "problems", count });
    for (const [index, problem] of job.problems.entries()) {
      add(problems, `problem:${stem}:${index}`, { kind: "problem", problem });
    }
  }
}

function addItem(
  parent: string,
  item: RoadmapView,
  given: { readonly stem: string; readonly here: Here; readonly add: Add },
): void {
  const { stem, here, add } = given;
  if (item.kind === "task") {
    const id = `task:${stem}:${item.id}`;
    add(parent, id, { kind: "task", task: item, ...atWork(item.runner, here) });
    return;
  }
  const { children, ...phase } = item;
  const row = add(parent, `phase:${stem}:${item.id}`, { kind: "phase", phase });
  for (const child of children) addItem(row, child, given);
}

function atWork(runner: RunnerView | null, { pid, waiting }: Here): AtWork {
  return { isHere: runner?.pid === pid, waits: runner !== null && waiting.has(runner.taskId) };
}
