import { tasksFolder } from "../../core/navigator/taskStore.js";
import type { FileSystem } from "../../core/ports.js";
import { WrongUse } from "./wrongUse.js";

/** Returns the id of the task given by its id or a unique end of it. Throws {@link WrongUse}. */
export async function taskNamed(given: string, files: FileSystem): Promise<string> {
  const folders = await files.readDirectory(tasksFolder);
  const ids = folders.filter(({ kind }) => kind === "folder").map(({ name }) => name);
  if (ids.includes(given)) return given;
  const end = given.toUpperCase();
  const found = end === "" ? [] : ids.filter((id) => id.toUpperCase().endsWith(end));
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1) {
    throw new WrongUse(`${given} can be any of ${found.join(", ")}. Give more of the id.`);
  }
  throw new WrongUse(`There is no task ${given} here. \`rooroo status\` lists them all.`);
}
