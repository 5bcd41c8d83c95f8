import type { TaskEnd } from "../../core/conversation/events/events.js";
import type { Item } from "../../core/conversation/state/items.js";
import { t } from "../text/words.js";

/** What a plan's card says about the plan as a whole, and what can be done about it. */
export interface PlanStatus {
  readonly heading: string;
  /** As in "2 of 5 done · paused". */
  readonly note: string;
  /** As in "2 of 5 done". Absent: the plan has not begun, or is over. */
  readonly progress?: string;
  /** Whether the planner or a task is at work. */
  readonly isBusy: boolean;
  /** Whether the plan waits until the user starts it. */
  readonly waits: boolean;
  /** The main button. Absent: nothing is left to run. */
  readonly main?: "Start" | "Pause" | "Resume";
  /** Whether there are tasks that have not begun. */
  readonly canEdit: boolean;
  readonly canDiscard: boolean;
}

const withoutPlan: Readonly<Record<TaskEnd, readonly [heading: string, note: string]>> = {
  Done: [t("Plan"), ""],
  Failed: [t("No plan"), t("the planner failed")],
  Advice: [t("No plan needed"), ""],
  NeedsClarification: [t("Planning"), t("needs you")],
  Waiting: [t("Planning"), t("needs you")],
  Stopped: [t("Planning"), t("stopped")],
};

/** Returns the status of a plan, by what its tasks are doing. */
export function planStatus({
  planner,
  tasks,
}: Pick<Extract<Item, { kind: "plan" }>, "planner" | "tasks">): PlanStatus {
  const none = { isBusy: false, waits: false, canEdit: false, canDiscard: false };
  if (tasks.length === 0) {
    if (planner === "working") return { ...none, heading: t("Planning…"), note: "", isBusy: true };
    const [heading, note] = withoutPlan[planner];
    return { ...none, heading, note };
  }
  const has = (...states: readonly string[]): boolean =>
    tasks.some(({ state }) => states.includes(state));
  const counted = tasks.filter(({ state }) => state !== "skipped");
  const done = counted.filter(({ state }) => state === "done").length;
  const progress = t("{0} of {1} done", done, counted.length);
  const next = tasks.find(({ state }) => state === "waiting");
  const begun = has("running", "needsYou", "stopped", "done", "failed");
  const isBusy = has("running");
  if (counted.length === 0) return { ...none, heading: t("Plan"), note: t("discarded") };
  const base = { ...none, heading: t("Plan"), isBusy };
  if (next === undefined) {
    const note = joined(progress, has("needsYou") ? t("needs you") : "");
    const isOver = !has("running", "needsYou", "stopped");
    return { ...base, note, ...(isOver ? {} : { progress }) };
  }
  // What other machines have is followed and cancelled in the list.
  if (next.isAway) {
    const note = joined(progress, has("needsYou") ? t("needs you") : t("on other machines"));
    return { ...base, note, ...(begun ? { progress } : {}) };
  }
  const rest = { ...base, canEdit: true, ...(begun ? { progress } : {}) };
  if (isBusy || has("needsYou")) {
    const note = next.isHeld ? t("pauses after this task") : has("needsYou") ? t("needs you") : "";
    const main = next.isHeld ? "Resume" : "Pause";
    return { ...rest, note: joined(progress, note), main };
  }
  if (!begun) {
    const count = t("{0, plural, one {# task} other {# tasks}}", counted.length);
    return next.isHeld
      ? { ...rest, note: joined(count, t("waiting")), main: "Start", waits: true, canDiscard: true }
      : { ...rest, note: count, main: "Start", canDiscard: true };
  }
  const why = next.isHeld
    ? t("paused")
    : has("failed")
      ? t("halted")
      : has("stopped")
        ? t("stopped")
        : "";
  return { ...rest, note: joined(progress, why), main: "Resume", canDiscard: false };
}

function joined(...parts: readonly string[]): string {
  return parts.filter((one) => one !== "").join(" · ");
}
