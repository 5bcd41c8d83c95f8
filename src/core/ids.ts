declare const kind: unique symbol;

/**
 * An id of one kind. A plain string can become one, where ids are made or read from files; an id of one kind is
 * never accepted as one of another.
 */
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

/** Names the session of an agent, and its folder `.rooroo/tasks/ID`, as in `ROO#TASK_20260102030405_AB12CD`. */
export type TaskId = Id<"task">;

/** Names a run, as in `run-20260102-030405-001`. */
export type RunId = Id<"run">;

/** Names a job: the `name` of its file's front matter, else the file's name without its ending. */
export type JobName = Id<"job">;

/** Names a conversation, and its file in `.rooroo/conversations`, as in `20260102-030405-ab12cd`. */
export type ConversationId = Id<"conversation">;

/** A piece of long work: a job, by its name, or a run, by its id. */
export type LongWork =
  | { readonly kind: "job"; readonly name: JobName }
  | { readonly kind: "run"; readonly name: RunId };

/** The kinds of long work, besides tasks. */
export const longWorkKinds = ["job", "run"] as const satisfies readonly LongWork["kind"][];
