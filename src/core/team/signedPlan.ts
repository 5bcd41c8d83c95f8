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

function signatureOf(plan: Omit<TeamPlan, "signature">, signer: Signer): string {
  const { id, repository, base, tasks } = plan;
  const named = tasks.map((task) => [task.id, [...task.labels].sort()]);
  return signer.sign("plan", JSON.stringify([id, repository, base, named]));
}
