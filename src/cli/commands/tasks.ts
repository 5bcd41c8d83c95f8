import { readEarlierWork } from "../../core/navigator/overview/earlierWork.js";
import { Adoption, adoptedWords } from "../../core/navigator/recovery/adoption.js";
import { requestIds } from "../../core/navigator/requests/givenRequests.js";
import { isTaskFolder } from "../../core/navigator/tasks/taskIds.js";
import { TaskStore, tasksFolder } from "../../core/navigator/tasks/taskStore.js";
import type { FileSystem } from "../../core/ports/files.js";
import { spoken } from "../../core/text/words.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import type { Cli, Result } from "./command.js";

/**
 * Adopts what this installation did not write. Asks no model, so none needs to be set up. Throws
 * {@link WrongUse} if there is no such task.
 *
 * @param task a task's id or a unique end of it; `undefined`: everything
 */
export async function adopt(task: string | undefined, { options }: Cli): Promise<Result<never>> {
  const services = localServices(await workspaceRoot(options.workspace), "rooroo adopt");
  const taskId = task === undefined ? undefined : await taskNamed(task, services.files);
  const adopted = await new Adoption(services).adopt(taskId);
  const isNothing = adopted.taskIds.length === 0 && adopted.messages === 0;
  const hasEarlier = isNothing && (await hasEarlierWork(services));
  const more = hasEarlier
    ? ` ${t("Earlier work need not be adopted: `rooroo status` lists it, and experts can read it.")}`
    : "";
  return {
    end: "done",
    json: () => [adopted],
    text: () => `${spoken(adoptedWords(adopted), t)}${more}\n`,
  };
}

/** Returns whether there are tasks' folders of which nothing is recorded here. */
async function hasEarlierWork({ files, clock, signer }: LocalServices): Promise<boolean> {
  const folders = (await files.readDirectory(tasksFolder)).filter(({ kind }) => kind === "folder");
  const names = folders.map(({ name }) => name).filter(isTaskFolder);
  const store = new TaskStore(files, clock, signer);
  return (await readEarlierWork(names, new Set(), { files, store })).tasks.length > 0;
}

/** Returns the id of the task given by its id or a unique end of it. Throws {@link WrongUse}. */
export async function taskNamed(given: string, files: FileSystem): Promise<string> {
  const folders = await files.readDirectory(tasksFolder);
  const ids = [
    ...folders.filter(({ kind }) => kind === "folder").map(({ name }) => name),
    ...(await requestIds(files)),
  ];
  if (ids.includes(given)) return given;
  const end = given.toUpperCase();
  const found = end === "" ? [] : ids.filter((id) => id.toUpperCase().endsWith(end));
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1) {
    throw new WrongUse("taskAmbiguous", "{id} fits several tasks: {tasks}. Give more of the id.", {
      id: given,
      tasks: found.join(", "),
    });
  }
  throw new WrongUse(
    "taskNotListed",
    "There is no task {id} here. `rooroo status` lists them all.",
    { id: given },
  );
}
