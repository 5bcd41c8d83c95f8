import type { Limit } from "../../spending/spendTotals.js";
import { durationText } from "../../text/durationText.js";
import { placeholder } from "../../text/shellWord.js";
import type { Clock24 } from "./clock24.js";
import type { JobFacts, JobSums } from "./jobFacts.js";
import type { LifecycleFacts } from "./lifecycleFacts.js";
import type { Obstacle } from "./obstacles.js";
import type { FileCount, TaskFacts, TaskState } from "./taskFacts.js";
import { countText } from "../../text/countText.js";

/** The words for a job's facts, the same in a terminal and on its page. */

export const stateWords: Readonly<Record<TaskState, string>> = {
  done: "done",
  failed: "failed",
  setAside: "set aside",
  running: "at work",
  interrupted: "interrupted",
  open: "open",
  cancelled: "cancelled",
  unreadable: "unknown status",
};

/** Returns how far a job is, as in `25 of 40 tasks are done`. */
export function progressText({ sums, state }: Pick<JobFacts, "sums" | "state">): string {
  const { total, done } = sums.tasks;
  if (total === 0) return state === "done" ? "No task is left" : "There are no tasks yet";
  if (done === total) return total === 1 ? "The one task is done" : `All ${total} tasks are done`;
  return `${done} of ${countText(total, "task")} ${done === 1 ? "is" : "are"} done`;
}

/** Returns the states of the tasks that are not done, as in `2 failed`, `1 set aside`, `12 open`. */
export function leftTexts({ tasks }: JobSums): string[] {
  return [
    ...(tasks.failed > 0 ? [`${tasks.failed} failed`] : []),
    ...(tasks.setAside > 0 ? [`${tasks.setAside} set aside`] : []),
    ...(tasks.running > 0 ? [`${tasks.running} at work`] : []),
    ...(tasks.open > 0 ? [`${tasks.open} open`] : []),
    ...(tasks.cancelled > 0 ? [`${tasks.cancelled} cancelled`] : []),
  ];
}

/** Returns whether a job is at work, as in `3 runners are at work`. */
export function workText({ state }: Pick<JobFacts, "state">, runners: number): string {
  if (runners > 0) return `${countText(runners, "runner")} ${runners === 1 ? "is" : "are"} at work`;
  switch (state) {
    case "running":
      return "The job is running";
    case "done":
      return "The job is done";
    case "needsYou":
      return "Nobody is at work, and the job waits for your answer";
    case "left":
      return "Nobody is at work";
    case "stuck":
      return "Nobody is at work, and the job cannot go on";
  }
}

/** Returns when a job will be done, or why that is not known; empty if nothing is left to be done. */
export function estimateText({ estimate, now }: JobFacts, clock: Clock24): string {
  if (estimate.type === "none") {
    switch (estimate.why) {
      case "nothingLeft":
        return "";
      case "noRunner":
        return "No estimate";
      case "tooFewDone":
        return "No estimate before three tasks are done";
    }
  }
  const { at, medianMs, without } = estimate;
  const lasts = Date.parse(at) - Date.parse(now);
  const left = without === 0 ? "" : `, without ${without} that cannot go on`;
  const when = lasts < 60_000 ? "in a moment" : `about ${clock.time(at)}, in ${roughText(lasts)}`;
  return `Done ${when}${left} (a task takes ${roughText(medianMs)})`;
}

/** Formats a duration so that it takes little room: `45 s`, `4 min`, `2 h 5 min`, `2 h`. */
export function roughText(ms: number): string {
  if (ms < 60_000) return durationText(ms);
  return durationText(Math.round(ms / 60_000) * 60_000).replace(/ 0 (?:s|min)$/, "");
}

/** Formats a cost in whole cents; empty if it is unknown or zero. */
export function shortCost(usd: number | null): string {
  if (usd === null || usd <= 0) return "";
  return usd < 0.005 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

/** Formats a count so that it takes little room: `812`, `44k`, `3.4M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Formats changed files with their lines, as in `3 files (+40 −3)`; `at least` stands before what the log names only in part. */
export function changesText({ files, isExact, added, removed }: FileCount): string {
  const count = countText(files, "file");
  return `${isExact ? "" : "at least "}${count} (${linesText({ added, removed })})`;
}

/** Formats changed lines, as in `+40 −3`. */
export function linesText({ added, removed }: Pick<FileCount, "added" | "removed">): string {
  return `+${added.toLocaleString("en-US")} −${removed.toLocaleString("en-US")}`;
}

/** A job's usage of one kind, in words. */
export interface UsedFigure {
  readonly kind: keyof Limit;
  readonly figure: string;
  /** The budget, as in `of 500`; empty without one. */
  readonly of: string;
}

/** Returns what a job has used, as far as it is known or has a budget. */
export function usedFigures({ requests, tokens, cost, budget }: JobSums): UsedFigure[] {
  const all = [
    { kind: "requests", used: requests, format: (used: number) => used.toLocaleString("en-US") },
    { kind: "tokens", used: tokens, format: shortCount },
    { kind: "cost", used: cost, format: (used: number) => (used > 0 ? shortCost(used) : "$0.00") },
  ] as const;
  return all.flatMap(({ kind, used, format }) => {
    const most = budget[kind];
    if (used === null && most === undefined) return [];
    return [{ kind, figure: format(used ?? 0), of: ofBudget(kind, most) }];
  });
}

/** Formats what was used, as in `190 of 500 requests` or `$8.02`. */
export function usedText({ kind, figure, of }: UsedFigure): string {
  return [figure, of, kind === "cost" ? "" : kind].filter((one) => one !== "").join(" ");
}

function ofBudget(kind: keyof Limit, most: number | undefined): string {
  if (most === undefined) return "";
  return kind === "cost" ? `of $${most.toFixed(2)}` : `of ${most.toLocaleString("en-US")}`;
}

/** The words for an obstacle. */
export interface ObstacleWords {
  readonly text: string;
  /** The consequences; empty if there are none. */
  readonly more: string;
  /** The words of the command that helps, without `rooroo`; `null` if there is none. */
  readonly command: readonly string[] | null;
}

/** @param name the job's */
export function obstacleWords(obstacle: Obstacle, name: string): ObstacleWords {
  switch (obstacle.type) {
    case "stuck":
      return { text: obstacle.why, more: "", command: null };
    case "budget": {
      const { kind, used, most } = obstacle;
      const figure = kind === "cost" ? shortCost(used) : used.toLocaleString("en-US");
      const text = `The budget is used up: ${usedText({ kind, figure, of: ofBudget(kind, most) })}.`;
      return {
        text,
        more: "Nothing begins before it is larger.",
        command: ["job", "run", name, "--budget", placeholder],
      };
    }
    case "question": {
      const { id, text, setAside, behind } = obstacle;
      const aside =
        setAside.length === 0
          ? "Work goes on by a default plan."
          : `${listText(setAside)} ${setAside.length === 1 ? "is" : "are"} set aside until you answer.`;
      return {
        text: `${id}: ${text}`,
        more: `${aside}${behindText(behind)}`,
        command: ["answer", id, placeholder],
      };
    }
    case "failed": {
      const { title, why, tries, behind } = obstacle;
      const tried = tries > 1 ? ` after ${tries} tries` : "";
      const reason = why === "" ? "." : `: ${why}`;
      return {
        text: `${title} failed${tried}${reason}`,
        more: behindText(behind).trim(),
        command: null,
      };
    }
    case "model":
      return {
        text: `The model failed: ${obstacle.why}`,
        more: "Run the job again to go on.",
        command: ["job", "run", name],
      };
    case "interrupted": {
      const { tasks } = obstacle;
      const whose = tasks.length === 1 ? "The runner of" : "The runners of";
      return {
        text: `${whose} ${listText(tasks)} ${tasks.length === 1 ? "is" : "are"} gone.`,
        more: "The next run takes the work up again.",
        command: ["job", "run", name],
      };
    }
  }
}

function behindText(behind: readonly string[]): string {
  if (behind.length === 0) return "";
  return ` ${listText(behind)} ${behind.length === 1 ? "waits" : "wait"} for ${behind.length === 1 ? "it" : "that"}.`;
}

const mostNamed = 8;

/** Returns ids as a list, of many the first ones and how many more there are. */
function listText(ids: readonly string[]): string {
  const more = ids.length - mostNamed;
  return `${ids.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns why a task is not done, or was not at its last try; empty if there is nothing to say. */
export function reasonText({ state, last, stuckBehind }: TaskFacts): string {
  if (state === "done" || state === "cancelled") return "";
  const behind = stuckBehind.length === 0 ? "" : `Cannot begin before ${listText(stuckBehind)}. `;
  if (last === null || last.result === "Succeeded") return behind.trim();
  // The state of a task that has failed says so itself.
  const failed = last.result === "Failed" && state !== "failed" ? "failed: " : "";
  const reason = last.reason === null ? failed : `${last.reason}: `;
  return `${behind}${reason}${last.summary}`;
}

/** Returns how a lifecycle ended. */
export function resultText({ result, isAtWork, reason, isUndo }: LifecycleFacts): string {
  if (isUndo) return "undone";
  if (isAtWork) return "at work";
  const words = {
    Succeeded: "done",
    Failed: "failed",
    Pending: "not finished",
    Cancelled: "cancelled",
  };
  const text = result === null ? "unknown result" : words[result];
  return reason === null || reason === "unfinished" ? text : `${text}, ${reason}`;
}
