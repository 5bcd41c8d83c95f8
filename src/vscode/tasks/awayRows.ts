import { modeName } from "../../core/experts/modeName.js";
import type { AwayPlan, AwayTask } from "../../core/navigator/overview/overview.js";
import type { Translate } from "../../core/text/translator.js";
import { shorten } from "../text/shorten.js";
import { joined, type Row, type StateLook, spoken } from "../work/row.js";
import type { RowCollection } from "../work/rowCollection.js";
import { stateLook, warningIcon } from "../work/rowLooks.js";

/** Adds a group with the plans that other machines work on, if there are any: each with its tasks, in order. */
export function addAwayRows(rows: RowCollection, plans: readonly AwayPlan[], t: Translate): void {
  if (plans.length === 0) return;
  const label = t("On Other Machines");
  const group = rows.add("", {
    id: "group:away",
    label,
    description: t("{0, number}", plans.length),
    spoken: t("{0}, {1, plural, one {# plan} other {# plans}}", label, plans.length),
    context: "awayGroup",
    folding: "open",
  });
  for (const plan of plans) {
    const parent = rows.add(group, planRow(plan, t));
    for (const task of plan.tasks) rows.add(parent, taskRow(plan, task, t));
  }
}

function planRow({ planId, goal, state, problem, tasks }: AwayPlan, t: Translate): Row {
  const look = planLook(state, tasks, t);
  const done = tasks.filter((task) => task.state === "done").length;
  const isOver = state === "done" || state === "failed";
  const progress = t("{0} of {1} done", done, tasks.length);
  const shown = problem === undefined ? look.text : shorten(problem, 120);
  return {
    id: `away:${planId}`,
    of: planId,
    label: shorten(goal, 32) || t("Plan"),
    description: joined(`${done}/${tasks.length}`, shown),
    icon: problem === undefined ? look.icon : warningIcon,
    tooltip: [
      goal,
      joined(look.text, progress),
      ...(problem === undefined ? [] : [problem]),
      { code: planId },
    ],
    spoken: t("Plan on other machines: {0}, {1}", shorten(goal, 200), spoken(progress, shown)),
    context: ["awayPlan", isOver ? "ended" : "open"].join(" "),
    folding: "open",
  };
}

function taskRow({ planId }: AwayPlan, task: AwayTask, t: Translate): Row {
  const { taskId, mode, goal, state, machine, attempt = 1 } = task;
  const { text, icon } = taskLook(state, t);
  const place = machine === undefined ? "" : t("{0}, attempt {1}", machine, attempt);
  const name = t(modeName(mode));
  return {
    // A task that changes its state gets a new row, because VS Code mixes up rows that move.
    id: `awayTask:${planId}:${state}:${taskId}`,
    of: taskId,
    label: shorten(goal, 40) || taskId,
    description: place || name,
    icon,
    tooltip: [goal, joined(text, name, place), { code: taskId }],
    spoken: spoken(text, shorten(goal, 200), name, place),
    context: "awayTask",
    ...(state === "asking" ? { command: "rooroo.showTask", argument: taskId } : {}),
  };
}

function planLook(state: AwayPlan["state"], tasks: readonly AwayTask[], t: Translate): StateLook {
  switch (state) {
    case "open": {
      if (tasks.some((task) => task.state === "asking")) return stateLook("needsYou", t);
      const isRunning = tasks.some((task) => task.state === "running");
      return stateLook(isRunning ? "elsewhere" : "queued", t);
    }
    case "unknown":
      return stateLook("unknownStatus", t);
    case "done":
    case "failed":
    case "cancelled":
      return stateLook(state, t);
  }
}

function taskLook(state: AwayTask["state"], t: Translate): StateLook {
  switch (state) {
    case "waiting":
    case "queued":
      return stateLook("queued", t);
    case "running":
      return stateLook("elsewhere", t);
    case "asking":
      return stateLook("needsYou", t);
    case "unknown":
      return stateLook("unknownStatus", t);
    case "done":
    case "failed":
      return stateLook(state, t);
  }
}
