import { costText } from "../../core/agent/costText.js";
import type { ChangeCount } from "../../core/changes/changeSummary.js";
import { modeName } from "../../core/experts/modeName.js";
import { grouped } from "../../core/grouped.js";
import type {
  Overview,
  PlanView,
  QueueProblem,
  TaskState,
  TaskView,
} from "../../core/navigator/overview/overview.js";
import { planIdOf } from "../../core/navigator/tasks/taskIds.js";
import type { PlanPlace } from "../../core/navigator/worktrees/planPlace.js";
import { type SessionUsage, noSessionUsage } from "../../core/ports/messages.js";
import type { Translate } from "../../core/text/translator.js";
import { spoken as said } from "../../core/text/words.js";
import { shorten } from "../text/shorten.js";
import { agoText } from "../work/agoText.js";
import {
  joined,
  type Row,
  type RowPages,
  type Rows,
  spoken,
  type TooltipBlock,
} from "../work/row.js";
import { RowCollection } from "../work/rowCollection.js";
import { linesText, stateLook, tookText, warningIcon } from "../work/rowLooks.js";
import { addAwayRows } from "./awayRows.js";
import { addEarlierRows } from "./earlierRows.js";

/** The states in the order in which their groups are shown. */
const states = [
  "needsYou",
  "running",
  "queued",
  "interrupted",
  "done",
  "failed",
  "foreign",
] as const satisfies readonly TaskState[];

/** States whose groups are folded at first. */
const foldedStates: readonly TaskState[] = ["done", "foreign"];

type Entry = TaskView | { readonly plan: PlanView; readonly tasks: readonly TaskView[] };

/**
 * Returns the rows of the tasks: problems of the queue, then the tasks by state. A plan of several tasks
 * is one row with all of them below it, in the group of the plan's own state: first the planning and the
 * tasks that have begun, then the queued ones in queue order.
 *
 * @param now milliseconds since the epoch
 */
export function taskRows(overview: Overview, t: Translate, now: number, paging?: RowPages): Rows {
  const rows = new RowCollection(t, paging);
  const addProblem = (problem: QueueProblem) => void rows.add("", problemRow(problem, t));
  rows.addPage("", overview.problems, addProblem, "problems");
  const places = new Map((overview.places ?? []).map((place) => [place.planId, place]));
  const queued = overview.tasks.filter(isQueued);
  const queue = new Map(queued.map(({ taskId }, place) => [taskId, place]));
  const groups = entriesByState(overview);
  for (const state of states) {
    const entries = groups.get(state) ?? [];
    if (state === "queued") addAwayRows(rows, overview.away ?? [], t);
    if (entries.length === 0) continue;
    const tasks = entries.flatMap((entry) => ("plan" in entry ? entry.tasks : [entry]));
    const count = tasks.filter((task) => countsAs(task.state, state)).length;
    const group = rows.add("", groupRow(state, count, t));
    rows.addPage(group, entries, (entry) => {
      if ("plan" in entry) {
        const plan = rows.add(group, planRow(state, entry, places.get(entry.plan.planId), t));
        rows.addPage(plan, entry.tasks, (task) => {
          rows.add(plan, taskRow(state, task, { queue, t, now }));
        });
      } else {
        const place = places.get(entry.planId ?? planIdOf(entry.taskId));
        rows.add(group, taskRow(state, entry, { queue, place, t, now }));
      }
    });
  }
  addEarlierRows(rows, overview.earlier ?? [], overview.earlierFiles ?? [], t);
  return rows;
}

/** Groups plans and tasks by state; a plan takes the position of the first of its tasks. */
function entriesByState({ tasks, plans }: Overview): Map<TaskState, Entry[]> {
  const groups = new Map<TaskState, Entry[]>(states.map((state) => [state, []]));
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  // A plan with only one task would show the same as the task.
  const several = plans.filter((plan) => plan.tasks.length > 1);
  const planOf = new Map(several.map((plan) => [plan.planId, plan]));
  const ownTasks = grouped(tasks, planIdFor);
  const placed = new Set<PlanView>();
  for (const task of tasks) {
    const plan = planOf.get(planIdFor(task));
    if (plan === undefined) {
      groups.get(task.state)?.push(task);
      continue;
    }
    if (placed.has(plan)) continue;
    placed.add(plan);
    const own = ownTasks.get(plan.planId) ?? [];
    const queued = own.filter((one) => isQueued(one) && one.planId !== null);
    const planner = own.filter((one) => one.planId === null);
    const others = plan.tasks.flatMap((id) => byId.get(id) ?? []).filter((one) => !isQueued(one));
    const entry = { plan, tasks: [...planner, ...others, ...queued] };
    groups.get(groupOf(plan, queued.length > 0))?.push(entry);
    // Beside a task that runs, one of the same plan may wait for the user.
    if (plan.state === "running") {
      groups.get("needsYou")?.push(...others.filter(({ state }) => state === "needsYou"));
    }
  }
  return groups;
}

/** Returns the id of a task's plan, or `""`. The planner's own task belongs to the plan that it made. */
function planIdFor({ taskId, planId, mode }: TaskView): string {
  return planId ?? (mode === "rooroo-planner" ? planIdOf(taskId) : "");
}

function isQueued({ state }: TaskView): boolean {
  return state === "queued";
}

/** Returns whether a task counts in a group. If a plan is halted, its failed tasks need attention, too. */
function countsAs(state: TaskState, group: TaskState): boolean {
  return state === group || (group === "interrupted" && state === "failed");
}

function groupOf({ state }: PlanView, hasQueued: boolean): TaskState {
  if (state === "waiting") return "needsYou";
  // With queued tasks left, the user has to decide how a halted plan continues.
  if (state === "halted") return hasQueued ? "interrupted" : "failed";
  return state;
}

function problemRow({ line, reason: words, text }: QueueProblem, t: Translate): Row {
  const reason = said(words, t);
  const label = t("Line {0} of the queue is invalid", line);
  return {
    id: `problem:${line}`,
    label,
    description: reason,
    icon: warningIcon,
    tooltip: [reason, { code: shorten(text, 400), language: "json" }],
    spoken: `${label}: ${reason}`,
    context: "problem",
    command: "rooroo.openQueue",
    argument: line,
  };
}

function groupRow(state: TaskState, count: number, t: Translate): Row {
  const { text } = stateLook(state, t);
  return {
    id: `group:${state}`,
    label: text,
    description: t("{0, number}", count),
    spoken: t("{0}, {1, plural, one {# task} other {# tasks}}", text, count),
    context: "group",
    folding: foldedStates.includes(state) ? "folded" : "open",
  };
}

/** Returns how much tasks have changed, but for what was undone. */
function changesIn(tasks: readonly TaskView[]): ChangeCount {
  const counts = tasks.flatMap(({ changes, undone }) => (changes && !undone ? [changes] : []));
  const sum = (name: keyof ChangeCount) => counts.reduce((total, one) => total + one[name], 0);
  return { files: sum("files"), added: sum("added"), removed: sum("removed") };
}

function planRow(
  group: TaskState,
  { plan, tasks: all }: Extract<Entry, { plan: PlanView }>,
  place: PlanPlace | undefined,
  t: Translate,
): Row {
  const changes = changesIn(all);
  const { planId, goal, done, tasks, state, hasChanges } = plan;
  const { text, icon } = stateLook(state === "waiting" ? "needsYou" : state, t);
  const progress = t("{0} of {1} done", done, tasks.length);
  const effort = effortText(plan.effort, t);
  const lines = linesText(changes);
  const { calls, costUsd, workedMs } = plan.effort;
  const inCalls =
    calls === 0 ? "" : t(" in {0, plural, one {# model call} other {# model calls}}", calls);
  return {
    id: `plan:${group}:${planId}`,
    of: planId,
    // Short, to leave room for the progress beside it.
    label: shorten(goal, 32) || t("Plan"),
    description: joined(
      `${done}/${tasks.length}`,
      placeText(place, t),
      tookText(workedMs, t),
      costText(costUsd),
      lines,
    ),
    icon: { ...icon, name: "list-tree" },
    tooltip: [
      goal,
      joined(text, progress, effort) + inCalls,
      ...linesBlock(lines, t),
      ...placeBlock(place, t),
      { code: planId },
    ],
    spoken: t(
      "Plan: {0}, {1}",
      shorten(goal, 200),
      spoken(progress, placeText(place, t), effort, lines, text),
    ),
    context: [
      "plan",
      ...(all.some(isQueued) ? ["queued"] : []),
      ...(hasChanges ? ["changes"] : []),
      ...placeWords(place),
    ].join(" "),
    folding: state === "done" ? "folded" : "open",
  };
}

function taskRow(
  group: TaskState,
  task: TaskView,
  {
    queue,
    place,
    t,
    now,
  }: {
    /** The places of the queued tasks, from 0. */
    readonly queue: ReadonlyMap<string, number>;
    /** Where it works, if that is a worktree that no plan's row tells of. */
    readonly place?: PlanPlace | undefined;
    readonly t: Translate;
    readonly now: number;
  },
): Row {
  const { taskId, state, goal, changedAt, effort } = task;
  const when = state === "queued" || state === "running" ? "" : agoText(changedAt, now, t);
  const { text, icon: own } = stateLook(state, t);
  const icon = task.seemsDone ? warningIcon : own;
  const seemsDone = task.seemsDone ? t("seems done") : "";
  const mode = t(modeName(task.mode));
  const waits = waitsFor(task, t);
  const undone = task.undone === undefined ? "" : t("undone");
  const lines = linesText(changesIn([task]));
  return {
    // A task that changes its state gets a new row, because VS Code mixes up rows that move.
    id: `task:${group}:${state}:${taskId}`,
    of: taskId,
    // Short, to leave room for what is said beside it.
    label: shorten(goal, 40) || taskId,
    description:
      joined(waits?.shown ?? "", awayText(task, t)) ||
      joined(
        undone,
        placeText(place, t),
        seemsDone || when || mode,
        when && costText(effort?.costUsd),
        lines,
      ),
    icon,
    tooltip: taskTooltip(
      task,
      joined(text, seemsDone, undone, mode, when, effortText(effort, t)),
      [...timesBlock(task, t), ...linesBlock(lines, t), ...placeBlock(place, t)],
      t,
    ),
    spoken: spoken(
      ...[text, seemsDone, shorten(goal, 200), mode, undone, waits?.spoken ?? ""],
      ...[placeText(place, t), awayText(task, t), when, lines],
    ),
    context: [contextOf(task, queue), ...placeWords(place)].join(" "),
    command: "rooroo.showTask",
    argument: taskId,
  };
}

/** Says on which machine a task waits, if that is not this one. */
function awayText({ away }: TaskView, t: Translate): string {
  return away === undefined ? "" : t("{0}, attempt {1}", away.machine, away.attempt);
}

function waitsFor(
  { state, question }: TaskView,
  t: Translate,
): { shown: string; spoken: string } | undefined {
  if (state !== "needsYou") return undefined;
  if (question === undefined) return { shown: t("approval"), spoken: t("awaiting your approval") };
  const text = shorten(question.text, 60);
  return { shown: text, spoken: text };
}

function contextOf(task: TaskView, queue: ReadonlyMap<string, number>): string {
  const { state } = task;
  const place = queue.get(task.taskId);
  const words = ["task", state];
  if (place !== undefined && place > 0) words.push("hasBefore");
  if (place !== undefined && place < queue.size - 1) words.push("hasBehind");
  if (task.question) words.push("answerable");
  if (state === "interrupted" || state === "failed") words.push("resumable");
  if (task.isRequest) words.push("request");
  if (state === "foreign") words.push("adoptable");
  if (task.contextPath !== undefined) words.push("context");
  if (task.reportPath !== undefined) words.push("report");
  if (task.hasChanges) words.push("changes");
  return words.join(" ");
}

/** Says when a task ended. */
function timesBlock({ state, changedAt }: TaskView, t: Translate): string[] {
  if ((state !== "done" && state !== "failed") || changedAt === 0) return [];
  return [t("Ended {0}", new Date(changedAt).toLocaleString())];
}

/** Says in few words where a plan works, and whether it can land; empty for one in the user's folder. */
function placeText(place: PlanPlace | undefined, t: Translate): string {
  if (place === undefined) return "";
  if (place.phase === "landing") return t("landing was interrupted");
  return place.conflicts.length === 0 ? t("in a worktree") : t("in a worktree, will conflict");
}

/** Says where the worktree is, how big, and what landing it will conflict with. */
function placeBlock(place: PlanPlace | undefined, t: Translate): string[] {
  if (place === undefined) return [];
  const { made, conflicts } = place;
  const where =
    made === undefined
      ? t("Its worktree is made when its first task begins")
      : t("Worktree: {0}, {1} MB", made.root, Math.ceil(made.bytes / 1_000_000));
  const clashes = conflicts.map(({ with: other, paths }) => {
    const shown = shorten(paths.join(", "), 200);
    if (other === null) return t("Will conflict with your own changes in {0}", shown);
    return t("Will conflict with plan {0} in {1}", other, shown);
  });
  return [where, ...clashes];
}

function placeWords(place: PlanPlace | undefined): string[] {
  if (place === undefined) return [];
  return place.made === undefined ? ["isolated"] : ["isolated", "worktree"];
}

function linesBlock(lines: string, t: Translate): string[] {
  return lines === "" ? [] : [t("{0} lines", lines)];
}

function taskTooltip(
  { taskId, state, goal, question, message }: TaskView,
  facts: string,
  more: readonly string[],
  t: Translate,
) {
  const blocks: TooltipBlock[] = [goal, facts, ...more];
  const text = question?.text ?? said(message ?? "", t);
  // What waits for an approval is shown as it is, such as a command.
  if (text !== "")
    blocks.push(state === "needsYou" && !question ? { code: text } : { below: text });
  blocks.push({ code: taskId });
  return blocks;
}

/** Says in few characters what work has used: "12k tokens, $0.31, 3 min". Empty if nothing is known. */
function effortText(
  { inputTokens, outputTokens, costUsd, workedMs }: SessionUsage = noSessionUsage,
  t: Translate,
): string {
  const tokens = inputTokens + outputTokens;
  return spoken(
    tokens > 0 ? t("{0} tokens", compactCount(tokens)) : "",
    costText(costUsd),
    tookText(workedMs, t),
  );
}

/** Shortens a count as the panel does: "950", "12k", "3.1M". */
function compactCount(value: number): string {
  if (value < 1000) return String(value);
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
