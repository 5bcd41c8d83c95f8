import type * as vscode from "vscode";
import type { LongWork, ConversationId } from "../../core/ids.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Work } from "../../core/work/work.js";

/** Something that waits for the user: a question, an approval, or a proposal. */
export interface Waiting {
  readonly kind: "task" | LongWork["kind"];
  /** The task's id, or the name of the long work. */
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
  readonly works: readonly Work[];
  /** Ids of the tasks and agents that wait for an approval in this window. */
  readonly approvals: ReadonlySet<string>;
  /** Returns the work of an agent that is not listed, as far as it is known. */
  readonly workOf: (taskId: string) => LongWork | undefined;
  /** Returns the conversation of a piece of work. */
  readonly placeOf: (work: LongWork) => ConversationId | undefined;
}

/**
 * Returns everything that waits for the user, each thing once. Whatever counts or lists it takes it from here. A
 * question counts even while the work goes on without the answer.
 */
export function waitingThings(asking: Asking): Waiting[] {
  const { tasks, works, approvals, workOf, placeOf } = asking;
  const of = (ref: LongWork): Waiting => ({ ...ref, conversation: placeOf(ref) });
  const listed = new Set<string>(tasks.map(({ taskId }) => taskId));
  const agents = new Map<string, LongWork>(
    works.flatMap(({ ref, agents }) => agents.map(({ taskId }) => [taskId, ref] as const)),
  );
  return [
    ...tasks
      .filter(({ state }) => state === "needsYou")
      .map(({ taskId: name, conversation }) => ({ kind: "task", name, conversation }) as const),
    ...[...approvals].flatMap((taskId): Waiting[] => {
      if (listed.has(taskId)) return [];
      const work = agents.get(taskId) ?? workOf(taskId);
      return [work ? of(work) : { kind: "task", name: taskId }];
    }),
    ...works.flatMap(({ ref, needs }) => needs.map(() => of(ref))),
  ];
}
