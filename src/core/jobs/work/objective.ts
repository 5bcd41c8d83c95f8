import { readWords } from "../../text/readWords.js";
import { translatable } from "../../text/translator.js";
import { type Said, spoken, type Words, words } from "../../text/words.js";
import type { Clarification } from "../documents/clarification.js";
import type { Task } from "../documents/roadmap.js";
import type { SummaryKind } from "../documents/workLog.js";

/** The purpose of a planner's lifecycle. */
export type PlannerObjective =
  | { readonly type: "failedTasks"; readonly tasks: readonly Task[] }
  | { readonly type: "blockedTask"; readonly task: Task; readonly summary: string }
  | { readonly type: "answers"; readonly clarifications: readonly Clarification[] }
  | { readonly type: "emptyRoadmap" }
  | { readonly type: "unreadableTasks"; readonly tasks: readonly Task[] }
  | { readonly type: "planAstray"; readonly reason: string }
  | { readonly type: "newCycle" };

/** The work of a lifecycle. */
export type Work =
  | { readonly type: "plan"; readonly objective: PlannerObjective }
  /** `resumes`: the summary of the task's newest entry, which was a pause, or was taken for one. */
  | {
      readonly type: "run";
      readonly task: Task;
      readonly resumes?: { readonly summary: string } & SummaryKind;
    };

/** Returns the purpose of a lifecycle, as its Work Log entry has it. */
export function objectiveText(next: Work): string {
  return spoken(objectiveWords(next));
}

/** Returns the purpose of a lifecycle for people. */
export function objectiveWords(next: Work): Words {
  if (next.type === "run") {
    const { number, title } = next.task;
    return number === undefined
      ? words("Task {title}", { title })
      : words("Task {number}. {title}", { number, title });
  }
  const { objective } = next;
  const ids = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id).join(", ");
  switch (objective.type) {
    case "failedTasks":
      return words("Plan anew what has failed: {tasks}", { tasks: ids(objective.tasks) });
    case "blockedTask":
      return words("Clear what blocks {task}", { task: objective.task.id });
    case "answers":
      return words("Work in what was answered: {questions}", {
        questions: ids(objective.clarifications),
      });
    case "emptyRoadmap":
      return words("Create the plan");
    case "unreadableTasks":
      return words("Mend the plan: no known status has {tasks}", { tasks: ids(objective.tasks) });
    case "planAstray":
      return words("Bring the plan back to the goal: {reason}", { reason: objective.reason });
    case "newCycle":
      return words("Plan the next cycle");
  }
}

/** The templates of {@link objectiveWords}; of two that fit, the first one counts. */
const templates = [
  translatable("Task {number}. {title}"),
  translatable("Task {title}"),
  translatable("Plan anew what has failed: {tasks}"),
  translatable("Clear what blocks {task}"),
  translatable("Work in what was answered: {questions}"),
  translatable("Create the plan"),
  translatable("Mend the plan: no known status has {tasks}"),
  translatable("Bring the plan back to the goal: {reason}"),
  translatable("Plan the next cycle"),
];

/** Returns the words of an objective that a log or a runner's record has in English; a text that is no objective of ours as it is. */
export function saidObjective(text: string): Said {
  return readWords(text, templates);
}
