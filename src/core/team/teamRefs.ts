import type { TaskId } from "../ids.js";
import type { TeamPlan } from "../ports/teamQueue.js";

/** Returns the ref of the commit that a plan begins with. */
export function baseRef(planId: string): string {
  return `refs/rooroo/base/${part(planId)}`;
}

/** Returns the ref of an attempt's newest commit while it is at work. */
export function wipRef(taskId: TaskId, attempt: number): string {
  return `refs/rooroo/wip/${part(taskId)}/${attempt}`;
}

/** Returns the ref of an attempt's result. */
export function resultRef(taskId: TaskId, attempt: number): string {
  return `refs/rooroo/result/${part(taskId)}/${attempt}`;
}

/** Returns the ref of the commit with an answer's words. */
export function answerRef(askId: string): string {
  return `refs/rooroo/answer/${part(askId)}`;
}

/**
 * Returns the ref that says that nothing counts for an ask any more, because its answer was used or it was asked anew. Only the
 * first who makes it may use the answer.
 */
export function closedRef(askId: string): string {
  return `${answerRef(askId)}-closed`;
}

/** Returns the patterns, as git takes them, of the refs at which commits of a plan and its tasks can be. */
export function refsOfPlan({ id, tasks }: Pick<TeamPlan, "id" | "tasks">): string[] {
  const own = tasks.flatMap((task) =>
    ["wip", "result"].map((kind) => `${kind}/${part(task.id)}/*`),
  );
  return [`base/${part(id)}*`, ...own].map((name) => `refs/rooroo/${name}`);
}

/** Returns the pattern of the refs with what was answered to a task, and of what is closed of it. */
export function answerRefsOf(taskId: TaskId): string {
  return `refs/rooroo/answer/${part(taskId)}-*`;
}

/** Returns the patterns of all refs that a plan's work leaves; see {@link isLeftBy}. */
export function refsLeft(plan: Pick<TeamPlan, "id" | "tasks">): string[] {
  return [...refsOfPlan(plan), ...plan.tasks.map(({ id }) => answerRefsOf(id))];
}

/** Returns whether a ref is one that a plan's work leaves, and no other plan's with a longer name. */
export function isLeftBy(ref: string, { id, tasks }: Pick<TeamPlan, "id" | "tasks">): boolean {
  if (ref === baseRef(id)) return true;
  const [, kind, rest = ""] = /^refs\/rooroo\/(wip|result|answer)\/(.+)$/.exec(ref) ?? [];
  const end = kind === "answer" ? /^-\d+(-[0-9a-f]+){0,2}(-closed)?$/ : /^\/\d+$/;
  return tasks.some((task) => {
    const own = part(task.id);
    return rest.startsWith(own) && end.test(rest.slice(own.length));
  });
}

function part(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "-");
}
