import type { TeamQueue } from "../core/ports/teamQueue.js";

/**
 * Loads what speaks with PostgreSQL, and opens a team's queue.
 *
 * @param url the database's address
 * @param options `watches`: whether this process looks for silent workers; `onError`: told of what goes wrong meanwhile
 * @throws {UserError} if the address is none, or the server does not let us in
 */
export async function loadTeamQueue(
  url: string,
  options: { watches: boolean; onError?: (error: Error) => void },
): Promise<TeamQueue> {
  const { openTeamQueue } = await import("../postgres/openTeamQueue.js");
  return openTeamQueue(url, options);
}
