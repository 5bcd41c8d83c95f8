import type { Overview, TaskView } from "../../core/navigator/overview/overview.js";
import { visibleLine, visibleText } from "../../core/text/visibleText.js";
import { spoken } from "../../core/text/words.js";

/** The most tasks of each state that are listed. */
const mostListed = 20;
const mostMessage = 4_000;

const states: readonly (readonly [TaskView["state"], string])[] = [
  ["needsYou", "Waiting for the user"],
  ["running", "Running"],
  ["queued", "Queued, the next one first"],
  ["interrupted", "Interrupted"],
  ["failed", "Failed"],
  ["done", "Done, the newest first"],
];

/**
 * Returns how tasks stand, for a language model: one task in full, or a line for each of the queue and the newest.
 * What did not come from this installation is left out.
 */
export function statusText({ tasks }: Pick<Overview, "tasks">, taskId?: string): string {
  const own = tasks.filter(({ state }) => state !== "foreign");
  if (taskId !== undefined) {
    const task = own.find((one) => one.taskId === taskId);
    return task === undefined ? `There is no task ${visibleLine(taskId, 200)}.` : whole(task);
  }
  const groups = states.flatMap(([state, title]) => {
    const all = own.filter((task) => task.state === state);
    if (all.length === 0) return [];
    const more = all.length - mostListed;
    return [
      `${title} (${all.length}):`,
      ...all.slice(0, mostListed).map((task) => `- ${line(task)}`),
      ...(more > 0 ? [`- … and ${more} more`] : []),
    ];
  });
  return groups.length === 0 ? "There are no tasks." : groups.join("\n");
}

function line({ taskId, mode, goal, question, message }: TaskView): string {
  const more = question?.text ?? message;
  const end = more === undefined || more === "" ? "" : ` — ${visibleLine(spoken(more), 200)}`;
  return `${taskId} (${mode}): ${visibleLine(goal, 200)}${end}`;
}

function whole({ taskId, mode, state, goal, planId, question, message }: TaskView): string {
  const words = states.find(([known]) => known === state)?.[1].split(",")[0] ?? state;
  return [
    `Task ${taskId}: ${words}`,
    `Expert: ${mode}`,
    ...(planId === null ? [] : [`Plan: ${planId}`]),
    `Goal: ${visibleText(goal).slice(0, mostMessage)}`,
    ...(question === undefined ? [] : [`It asks the user: ${visibleText(question.text)}`]),
    ...(message === undefined
      ? []
      : [`It says: ${visibleText(spoken(message)).slice(0, mostMessage)}`]),
  ].join("\n");
}
