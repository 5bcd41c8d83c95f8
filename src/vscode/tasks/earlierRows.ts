import type { EarlierTask } from "../../core/navigator/overview/overview.js";
import type { Translate } from "../../core/text/translator.js";
import { shorten } from "../text/shorten.js";
import { type Row, spoken } from "../work/row.js";
import type { RowCollection } from "../work/rowCollection.js";

/** Adds a folded group with what came with the folder: each task with its files, then files of none. Nothing of it runs. */
export function addEarlierRows(
  rows: RowCollection,
  tasks: readonly EarlierTask[],
  files: readonly string[],
  t: Translate,
): void {
  if (tasks.length + files.length === 0) return;
  const label = t("Earlier Work");
  const explained = t("It came with this folder. It is here to be read; nothing of it runs.");
  const group = rows.add("", {
    id: "group:earlier",
    label,
    description: t("{0, number}", tasks.length),
    tooltip: [explained],
    spoken: t("{0}, {1, plural, one {# task} other {# tasks}}", label, tasks.length),
    context: "earlierGroup",
    folding: "folded",
  });
  rows.addPage(group, tasks, (task) => {
    const parent = rows.add(group, taskRow(task, t));
    const { files: own, planPath } = task;
    const all = planPath === undefined ? own : [...own, planPath];
    rows.addPage(parent, all, (path) => void rows.add(parent, fileRow(parent, path)));
  });
  const add = (path: string) => void rows.add(group, fileRow(group, path));
  rows.addPage(group, files, add, "group:earlier:files");
}

function taskRow({ taskId, goal, files }: EarlierTask, t: Translate): Row {
  const count = t("{0, plural, one {# file} other {# files}}", files.length);
  return {
    id: `earlier:${taskId}`,
    label: shorten(goal, 40) || taskId,
    description: count,
    icon: { name: "history" },
    tooltip: [...(goal === "" ? [] : [goal]), { code: taskId }],
    spoken: spoken(t("Earlier Work"), shorten(goal, 200) || taskId, count),
    context: "earlierTask",
    folding: "folded",
  };
}

function fileRow(parent: string, path: string): Row {
  const at = path.lastIndexOf("/");
  return {
    id: `earlierFile:${parent}:${path}`,
    path,
    label: path.slice(at + 1),
    icon: { name: "file" },
    tooltip: [{ code: path }],
    context: "earlierFile",
    command: "rooroo.openEarlierFile",
    argument: path,
  };
}
