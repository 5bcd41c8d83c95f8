import type { TeamQueue } from "../core/ports/teamQueue.js";
import type { TeamAddress } from "../core/team/teamAddress.js";
import type { TeamPlans, TeamPlansOptions } from "./teamPlans.js";

/**
 * Loads what speaks with PostgreSQL, and opens a team's queue.
 *
 * @param url the database's address
 * @param options as `TeamQueueOptions`
 * @throws {UserError} if the address is none, or the server does not let us in
 */
export async function loadTeamQueue(
  url: string,
  options: { watches: boolean; keepDays?: number; onError?: (error: Error) => void },
): Promise<TeamQueue> {
  const { openTeamQueue } = await import("../postgres/openTeamQueue.js");
  return openTeamQueue(url, options);
}

/** A team's queue that is open, and the plans of a workspace in it. */
export interface TeamConnection {
  readonly plans: TeamPlans;
  close(): Promise<void>;
}

/** Opens a team's queue for the plans of a workspace. Throws as {@link loadTeamQueue}. */
export async function connectTeam(
  { url, key }: TeamAddress,
  options: Omit<TeamPlansOptions, "queue" | "key">,
): Promise<TeamConnection> {
  const queue = await loadTeamQueue(url, { watches: false });
  const { TeamPlans } = await import("./teamPlans.js");
  return { plans: new TeamPlans({ ...options, key, queue }), close: () => queue.close() };
}

/** Finds out whether a team's database can be used. Throws as {@link loadTeamQueue}. */
export async function tryTeam({ url }: TeamAddress): Promise<void> {
  const queue = await loadTeamQueue(url, { watches: false });
  try {
    // Whether there is such a plan or not, the tables can be read then.
    await queue.plans(["none"]);
  } finally {
    await queue.close();
  }
}
