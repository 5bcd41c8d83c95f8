import { titleOf } from "../../conversation/store/titleOf.js";
import { expertWords } from "../../experts/expertWords.js";
import type { TaskId } from "../../ids.js";
import { listed } from "../../text/joined.js";
import { type Words, words } from "../../text/words.js";
import type { TaskView } from "./overview.js";

/** A task whose session is to be compacted. */
interface Target {
  readonly taskId: TaskId;
  readonly mode: string;
  readonly goal: string;
  readonly isAtWork: boolean;
}

/**
 * Returns the tasks at work; without any, the one that was changed last of those that go on when they are answered or
 * resumed.
 *
 * @param tasks those of one conversation
 * @param isRunning whether a task runs in this process; one that waits for an approval does
 */
export function tasksToCompact(
  tasks: readonly TaskView[],
  isRunning: (taskId: TaskId) => boolean,
): readonly Target[] {
  const targets = (views: readonly TaskView[], isAtWork: boolean): readonly Target[] =>
    views.map(({ taskId, mode, goal }) => ({ taskId, mode, goal, isAtWork }));
  const atWork = tasks.filter(({ state, taskId }) => state === "running" || isRunning(taskId));
  if (atWork.length > 0) return targets(atWork, true);
  const goOn = tasks.filter(
    ({ state, isRequest }) =>
      isRequest !== true && ["needsYou", "interrupted", "failed"].includes(state),
  );
  return targets(goOn.toSorted((a, b) => b.changedAt - a.changedAt).slice(0, 1), false);
}

/** Says what will be compacted, and when. */
export function compactText(targets: readonly Target[]): Words {
  const [first] = targets;
  if (first === undefined) {
    return words(
      "There is nothing to compact: no expert is at work on a task of this conversation, and none of its tasks can be resumed.",
    );
  }
  if (!first.isAtWork) {
    return words("“{goal}” will be compacted when it goes on, before its next step.", {
      goal: titleOf(first.goal),
    });
  }
  const modes = [...new Set(targets.map(({ mode }) => mode))];
  return words("{experts}: compacting before the next step.", {
    experts: listed(modes.map((mode) => expertWords(mode))),
  });
}
