import type { TaskId } from "../ids.js";
import type { Signer } from "../ports/system.js";
import type { TeamPlan } from "../ports/teamQueue.js";

/** Returns the plan with the team key's signature. */
export function signPlan(plan: Omit<TeamPlan, "signature">, signer: Signer): TeamPlan {
  return { ...plan, signature: signatureOf(plan, signer) };
}

/** Returns whether the team key has signed the plan as it is. */
export function isPlanSigned(plan: TeamPlan, signer: Signer): boolean {
  return signatureOf(plan, signer) === plan.signature;
}

/**
 * Returns whether it is a task's turn: the plan has it, the worker has its labels, and all tasks before it are done.
 *
 * @param isDone whether the commit to go on from has a signed report that says so
 */
export async function isTurnOf(
  taskId: TaskId,
  { tasks }: Pick<TeamPlan, "tasks">,
  worker: { readonly labels: readonly string[] },
  isDone: (taskId: TaskId) => Promise<boolean>,
): Promise<boolean> {
  for (const { id, labels } of tasks) {
    if (id === taskId) return labels.every((label) => worker.labels.includes(label));
    if (!(await isDone(id))) return false;
  }
  return false;
}

function signatureOf(plan: Omit<TeamPlan, "signature">, signer: Signer): string {
  const { id, repository, base, tasks } = plan;
  const named = tasks.map((task) => [task.id, [...task.labels].sort()]);
  return signer.sign("plan", JSON.stringify([id, repository, base, named]));
}
