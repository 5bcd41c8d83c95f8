import type { TeamClaim, TeamQueue } from "../ports/teamQueue.js";

/**
 * Closes an ask for all machines, so that no answer to it counts any more.
 *
 * @param isAnswered whether the claim has an answer to it
 * @param markFirst makes the mark that all machines see. Returns `false` if it was there before.
 * @returns `mayUse`: this attempt may use the answer, and nobody else; `lost`: nothing is closed, because the task is another
 *   attempt's by now, which may need the answer
 */
export async function closeAsk(
  claim: TeamClaim,
  askId: string,
  isAnswered: boolean,
  given: {
    readonly queue: Pick<TeamQueue, "useAnswer" | "beat">;
    readonly markFirst: () => Promise<boolean>;
  },
): Promise<"mayUse" | "closed" | "lost"> {
  const { queue, markFirst } = given;
  // The queue first, which refuses an attempt whose task was given away.
  const mayUse = isAnswered && (await queue.useAnswer(claim, askId));
  if (!mayUse && !(await queue.beat([claim])).has(claim)) return "lost";
  return (await markFirst()) && mayUse ? "mayUse" : "closed";
}
