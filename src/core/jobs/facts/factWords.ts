import type { Limit } from "../../spending/spendTotals.js";
import { durationWords } from "../../text/durationWords.js";
import { placeholder } from "../../text/shellWord.js";
import { tasksDoneText } from "../../text/tasksDoneText.js";
import { translatable, type Translate } from "../../text/translator.js";
import { spoken } from "../../text/words.js";
import type { Reason } from "../documents/workLog.js";
import type { Clock24 } from "./clock24.js";
import type { JobFacts, JobSums } from "./jobFacts.js";
import type { LifecycleFacts } from "./lifecycleFacts.js";
import type { Obstacle } from "./obstacles.js";
import type { FileCount, TaskFacts, TaskState } from "./taskFacts.js";

/** The words for a job's facts, the same in a terminal, on its page, and in the editor's lists. */

export const stateWords: Readonly<Record<TaskState, string>> = {
  done: translatable("done"),
  failed: translatable("failed"),
  setAside: translatable("set aside"),
  running: translatable("at work"),
  interrupted: translatable("interrupted"),
  open: translatable("to do"),
  cancelled: translatable("cancelled"),
  unreadable: translatable("unknown status"),
};

/** The words for the reasons in a log, which are English there. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  blocked: translatable("blocked"),
  unfinished: translatable("unfinished"),
  asked: translatable("asked you"),
  "out of turns": translatable("out of turns"),
  "no progress": translatable("no progress"),
  refused: translatable("submission refused"),
  stopped: translatable("stopped"),
  "model failed": translatable("model failed"),
  "needs approval": translatable("needs approval"),
  "taken over": translatable("taken over"),
  outdated: translatable("outdated"),
  undone: translatable("undone"),
};

/** Returns how far a job is, as in `25 of 40 tasks done`. */
export function progressText(
  { sums, state }: Pick<JobFacts, "sums" | "state">,
  t: Translate,
): string {
  const { total, done } = sums.tasks;
  if (total === 0) return state === "done" ? t("No task is left") : t("There are no tasks yet");
  return tasksDoneText(done, total, t);
}

/** Returns the states of the tasks that are not done, as in `2 failed`, `1 set aside`, `12 to do`. */
export function leftTexts({ tasks }: JobSums, t: Translate): string[] {
  return [
    ...(tasks.failed > 0 ? [t("{0, number} failed", tasks.failed)] : []),
    ...(tasks.setAside > 0 ? [t("{0, number} set aside", tasks.setAside)] : []),
    ...(tasks.running > 0 ? [t("{0, number} at work", tasks.running)] : []),
    ...(tasks.open > 0 ? [t("{0, number} to do", tasks.open)] : []),
    ...(tasks.cancelled > 0 ? [t("{0, number} cancelled", tasks.cancelled)] : []),
  ];
}

/** Returns whether a job is at work, as in `3 runners are at work`. */
export function workText(
  { state }: Pick<JobFacts, "state">,
  runners: number,
  t: Translate,
): string {
  if (runners > 0) {
    return t("{0, plural, one {# runner is at work} other {# runners are at work}}", runners);
  }
  switch (state) {
    case "running":
      return t("The job is running");
    case "done":
      return t("The job is done");
    case "needsYou":
      return t("Nobody is at work, and the job waits for your answer");
    case "left":
      return t("Nobody is at work");
    case "stuck":
      return t("Nobody is at work, and the job cannot go on");
  }
}

/** Returns when a job will be done, or why that is not known; empty if nothing is left to be done. */
export function estimateText({ estimate, now }: JobFacts, clock: Clock24, t: Translate): string {
  if (estimate.type === "none") {
    switch (estimate.why) {
      case "nothingLeft":
        return "";
      case "noRunner":
        return t("No estimate");
      case "tooFewDone":
        return t("No estimate before three tasks are done");
    }
  }
  const { at, medianMs, without } = estimate;
  const lasts = Date.parse(at) - Date.parse(now);
  const time = t("a task takes {0}", roughText(medianMs, t));
  const done =
    lasts < 60_000
      ? t("Done in a moment ({0})", time)
      : t("Done about {0}, in {1} ({2})", clock.time(at), roughText(lasts, t), time);
  if (without === 0) return done;
  const left = t(
    "without {0, plural, one {# task that cannot go on} other {# tasks that cannot go on}}",
    without,
  );
  return `${done} · ${left}`;
}

/** Formats a duration so that it takes little room: `45 s`, `4 min`, `2 h 5 min`, `2 h`. */
export function roughText(ms: number, t: Translate): string {
  if (ms < 60_000) return durationWords(ms, t);
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return t("{0} min", minutes);
  return minutes % 60 === 0 ? t("{0, number} h", minutes / 60) : durationWords(minutes * 60_000, t);
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
export function changesText({ files, isExact, added, removed }: FileCount, t: Translate): string {
  const count = t("{0, plural, one {# file} other {# files}}", files);
  return `${isExact ? count : t("at least {0}", count)} (${linesText({ added, removed }, t)})`;
}

/** Formats changed lines, as in `+40 −3`. */
export function linesText(
  { added, removed }: Pick<FileCount, "added" | "removed">,
  t: Translate,
): string {
  return `+${numberText(added, t)} −${numberText(removed, t)}`;
}

/** Formats a number, as in `1,200`. */
export function numberText(number: number, t: Translate): string {
  return t("{0, number}", number);
}

/** A job's usage of one kind, in words. */
export interface UsedFigure {
  readonly kind: keyof Limit;
  readonly figure: string;
  /** The budget, as in `of 500`; empty without one. */
  readonly of: string;
  /** Both with the kind, as in `190 of 500 requests` or `$8.02`. */
  readonly text: string;
}

/** Returns what a job has used, as far as it is known or has a budget. */
export function usedFigures(
  { requests, tokens, cost, budget }: JobSums,
  t: Translate,
): UsedFigure[] {
  const all = [
    { kind: "requests", used: requests },
    { kind: "tokens", used: tokens },
    { kind: "cost", used: cost },
  ] as const;
  return all.flatMap(({ kind, used }) => {
    const most = budget[kind];
    return used === null && most === undefined ? [] : [usedFigure(kind, used ?? 0, most, t)];
  });
}

function usedFigure(
  kind: keyof Limit,
  used: number,
  most: number | undefined,
  t: Translate,
): UsedFigure {
  switch (kind) {
    case "requests": {
      const text =
        most === undefined
          ? t("{0, plural, one {# request} other {# requests}}", used)
          : t("{0, number} of {1, plural, one {# request} other {# requests}}", used, most);
      return { kind, figure: numberText(used, t), of: ofText(most, numberText, t), text };
    }
    case "tokens": {
      const figure = shortCount(used);
      const text =
        most === undefined
          ? t("{0} tokens", figure)
          : t("{0} of {1} tokens", figure, numberText(most, t));
      return { kind, figure, of: ofText(most, numberText, t), text };
    }
    case "cost": {
      const figure = used > 0 ? shortCost(used) : "$0.00";
      const text = most === undefined ? figure : t("{0} of {1}", figure, wholeCost(most));
      return { kind, figure, of: ofText(most, wholeCost, t), text };
    }
  }
}

function ofText(
  most: number | undefined,
  format: (number: number, t: Translate) => string,
  t: Translate,
): string {
  return most === undefined ? "" : t("of {0}", format(most, t));
}

function wholeCost(usd: number): string {
  return `$${usd.toFixed(2)}`;
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
export function obstacleWords(obstacle: Obstacle, name: string, t: Translate): ObstacleWords {
  switch (obstacle.type) {
    case "stuck":
      return { text: spoken(obstacle.why, t), more: "", command: null };
    case "budget": {
      const { text } = usedFigure(obstacle.kind, obstacle.used, obstacle.most, t);
      return {
        text: t("The budget is used up: {0}.", text),
        more: t("Nothing begins before it is larger."),
        command: ["job", "run", name, "--budget", placeholder],
      };
    }
    case "question": {
      const { id, text, setAside, behind } = obstacle;
      return {
        text: `${id}: ${text}`,
        more: sentences(asideText(setAside, t), behindText(behind, t)),
        command: ["answer", id, placeholder],
      };
    }
    case "failed": {
      const { title, why, tries, behind } = obstacle;
      const failed =
        tries > 1
          ? t("{0} failed after {1} tries", title, numberText(tries, t))
          : t("{0} failed", title);
      return {
        text: why === "" ? failed : `${failed}: ${why}`,
        more: behindText(behind, t),
        command: null,
      };
    }
    case "model":
      return {
        text: t("The model failed: {0}", obstacle.why),
        more: t("Run the job again to go on."),
        command: ["job", "run", name],
      };
    case "approval":
      return {
        text: t(
          "Nobody was there to allow what these tasks need: {0}.",
          listText(obstacle.tasks, t),
        ),
        more: t("Run the job where you can be asked, or allow more."),
        command: ["job", "run", name, "--approve", "all"],
      };
    case "interrupted": {
      const { tasks } = obstacle;
      const ids = listText(tasks, t);
      return {
        text:
          tasks.length === 1
            ? t("The runner of {0} is gone.", ids)
            : t("The runners of {0} are gone.", ids),
        more: t("The next run takes the work up again."),
        command: ["job", "run", name],
      };
    }
  }
}

function asideText(setAside: readonly string[], t: Translate): string {
  if (setAside.length === 0) return t("Work goes on by a default plan.");
  const ids = listText(setAside, t);
  return setAside.length === 1
    ? t("{0} is set aside until you answer.", ids)
    : t("{0} are set aside until you answer.", ids);
}

function behindText(behind: readonly string[], t: Translate): string {
  if (behind.length === 0) return "";
  const ids = listText(behind, t);
  return behind.length === 1 ? t("{0} waits for it.", ids) : t("{0} wait for it.", ids);
}

function sentences(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

const mostNamed = 8;

/** Returns ids as a list, of many the first ones and how many more there are. */
function listText(ids: readonly string[], t: Translate): string {
  const more = ids.length - mostNamed;
  const first = ids.slice(0, mostNamed).join(", ");
  return more > 0 ? t("{0} and {1, number} more", first, more) : first;
}

/** Returns why a task is not done, or was not at its last try; empty if there is nothing to say. */
export function whyNotDone({ state, last, stuckBehind }: TaskFacts, t: Translate): string {
  if (state === "done" || state === "cancelled") return "";
  const behind =
    stuckBehind.length === 0 ? "" : t("Cannot begin before {0}.", listText(stuckBehind, t));
  if (last === null || last.result === "Succeeded") return behind;
  // The state of a task that has failed says so itself.
  const failed = last.result === "Failed" && state !== "failed" ? t("failed") : "";
  const reason = last.reason === null ? failed : t(reasonWords[last.reason]);
  return sentences(behind, reason === "" ? last.summary : `${reason}: ${last.summary}`);
}

/** Returns how a lifecycle ended. */
export function resultText(
  { result, isAtWork, reason, isUndo }: LifecycleFacts,
  t: Translate,
): string {
  if (isUndo) return t("undone");
  if (isAtWork) return t("at work");
  const text = result === null ? t("unknown result") : t(resultWords[result]);
  if (reason === null || reason === "unfinished") return text;
  return `${text}, ${t(reasonWords[reason])}`;
}

const resultWords = {
  Succeeded: translatable("done"),
  Failed: translatable("failed"),
  Pending: translatable("not finished"),
  Cancelled: translatable("cancelled"),
};
