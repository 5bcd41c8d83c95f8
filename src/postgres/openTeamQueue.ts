import type { TeamQueue } from "../core/ports/teamQueue.js";
import { PooledDatabase } from "./pooledDatabase.js";
import { PostgresTeamQueue, type TeamQueueOptions } from "./postgresTeamQueue.js";

/**
 * Opens a team's queue on a server.
 *
 * @param options as for {@link PostgresTeamQueue.open}
 * @throws {UserError} if the address is none, or the server does not let us in
 */
export async function openTeamQueue(url: string, options: TeamQueueOptions): Promise<TeamQueue> {
  const database = new PooledDatabase(url);
  try {
    return await PostgresTeamQueue.open(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}
