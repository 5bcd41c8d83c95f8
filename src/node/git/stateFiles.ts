import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { chosenArtifacts, type FolderEntry } from "../../core/experts/artifacts.js";
import { isKeptByCode } from "../../core/experts/mode.js";
import type { FileLeft } from "../../core/ports/worktrees.js";

/** The files of tasks that go from one machine to another. */
interface StateFiles {
  /** As in `tasks/ID/task.json`. */
  readonly paths: readonly string[];
  /** The files in the tasks' folders that do not go. */
  readonly left: readonly FileLeft[];
}

/**
 * Returns which files of tasks go from one machine to another: all that code keeps about them, and of what experts have put
 * into their tasks' folders as much as may go.
 *
 * @param state the absolute path of a folder such as `.rooroo`
 */
export async function stateFiles(state: string): Promise<StateFiles> {
  const tasks = await readdir(join(state, "tasks"), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    tasks.map(async (task) => {
      const folder = `.rooroo/tasks/${task.name}`;
      const entries = task.isDirectory()
        ? await entriesBelow(folder, join(state, "tasks", task.name))
        : [];
      const { sent, left } = chosenArtifacts(entries, folder);
      const kept = entries.filter(({ path, kind }) => kind === "file" && isKeptByCode(path));
      return { sent: [...kept, ...sent], left };
    }),
  );
  return {
    paths: found.flatMap(({ sent }) => sent.map(({ path }) => path.slice(".rooroo/".length))),
    left: found.flatMap(({ left }) => left),
  };
}

/** Returns what is below a folder; a repository in it is one entry. */
async function entriesBelow(path: string, absolute: string): Promise<FolderEntry[]> {
  const entries = await readdir(absolute, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const { name } = entry;
    const at = { path: `${path}/${name}`, absolute: join(absolute, name) };
    if (entry.isDirectory() && name.toLowerCase() !== ".git") {
      return entriesBelow(at.path, at.absolute);
    }
    const { size: bytes = 0 } = (await lstat(at.absolute).catch(() => undefined)) ?? {};
    // A name that is no text cannot be told to git.
    const kind = entry.isFile() && !name.includes("\uFFFD") ? "file" : "other";
    return [{ path: at.path, kind, bytes } as const];
  });
  return (await Promise.all(found)).flat();
}
