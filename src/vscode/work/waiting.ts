import type * as vscode from "vscode";
import type { LongWork } from "../../core/conversation/events.js";
import type { ConversationId } from "../../core/ids.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { RunOverview } from "../../core/runs/runOverview.js";

/** Something that waits for the user: a question, an approval, or a proposal of a run. */
export interface Waiting {
  readonly kind: "task" | LongWork["kind"];
  /** The task's or run's id, or the job's name. */
  readonly name: string;
  /** The conversation that shows it. Absent: any. */
  readonly conversation?: ConversationId | undefined;
}

/** Where what waits for the user is known, and an event that fires when it may have changed. */
export interface WaitingSource {
  /** Returns everything of one kind, or of all kinds. */
  waiting(kind?: Waiting["kind"]): readonly Waiting[];
  readonly onDidChange: vscode.Event<unknown>;
}

interface Asking {
  readonly tasks: readonly TaskView[];
  readonly jobs: readonly JobOverview[];
  readonly runs: readonly RunOverview[];
  /** Ids of the tasks and units of work that wait for an approval in this window. */
  readonly approvals: ReadonlySet<string>;
  /** Returns the job or run of a unit of work, as far as it is known. */
  readonly workOf: (taskId: string) => LongWork | undefined;
  /** Returns the conversation of a job or run. */
  readonly placeOf: (work: LongWork) => ConversationId | undefined;
}

/**
 * Returns everything that waits for the user, each thing once. Whatever counts or lists it takes it from here. A
 * job's question counts even while the job goes on without the answer.
 */
export function waitingThings(asking: Asking): Waiting[] {
  const { tasks, jobs, runs, approvals, workOf, placeOf } = asking;
  const of = (work: LongWork): Waiting => ({ ...work, conversation: placeOf(work) });
  const listed = new Set<string>(tasks.map(({ taskId }) => taskId));
  const runners = new Map<string, LongWork>(
    jobs.flatMap(({ name, runners }) =>
      runners.map(({ taskId }) => [taskId, { kind: "job", name }] as const),
    ),
  );
  return [
    ...tasks
      .filter(({ state }) => state === "needsYou")
      .map(({ taskId: name, conversation }) => ({ kind: "task", name, conversation }) as const),
    ...[...approvals].flatMap((taskId): Waiting[] => {
      if (listed.has(taskId)) return [];
      const work = runners.get(taskId) ?? workOf(taskId);
      return [work ? of(work) : { kind: "task", name: taskId }];
    }),
    ...jobs.flatMap(({ name, questions }) =>
      questions.filter(({ answer }) => answer === null).map(() => of({ kind: "job", name })),
    ),
    ...runs
      .filter(({ state }) => state === "needsYou")
      .map(({ runId: name }) => of({ kind: "run", name })),
  ];
}
