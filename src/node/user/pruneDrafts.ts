import { readdirSync } from "node:fs";
import type { FileSystem } from "../../core/ports/files.js";

/** The most drafts that are kept, besides the one being typed. */
const mostDrafts = 50;

/**
 * Removes the drafts of the oldest conversations if there are too many.
 *
 * @param folder the absolute path of the drafts' folder, which is `drafts` in the storage
 * @param typed the name of the file of the draft being typed, which stays
 */
export async function pruneDrafts(
  folder: string,
  typed: string,
  storage: Pick<FileSystem, "removeFile">,
): Promise<void> {
  // Names begin with the time at which the conversation was begun.
  const others = readdirSync(folder).filter((name) => name !== typed);
  for (const name of others.sort().reverse().slice(mostDrafts)) {
    await storage.removeFile(`drafts/${name}`);
  }
}
