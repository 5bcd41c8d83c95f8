import {
  editing,
  orders,
  projectRules,
  together,
  verification,
} from "../../experts/systemPrompt.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import type { Job } from "../documents/jobFolder.js";
import { logExcerpt, taskExcerpt } from "../documents/logExcerpt.js";
import type { Task } from "../documents/roadmap.js";
import type { Role } from "../documents/workLog.js";

/** The situation of a lifecycle, as its model is told (R-JIXO-6). */
export interface LifecycleContext {
  readonly job: Job;
  readonly runner: string;
  readonly quota: number;
  /** The number of runners that this process has at a time. */
  readonly runners: number;
  readonly others: readonly string[];
  /** The lifecycle's start, in ISO 8601. */
  readonly time: string;
  /** The lifecycle's purpose, in one line. */
  readonly objective: string;
  /** The task that the runner has locked; `null` for a planner. */
  readonly task: Task | null;
}

const roles: Readonly<Record<Role, string>> = {
  Planner: `You are the PLANNER of a long job. You change its roadmap, and do no other work: look at the project as far as you need to plan well, then submit the changes.
- The roadmap is a sequence of tasks, each a unit that one runner does alone and can check: a good size is 1 to 5 files, or 5 to 20 tool calls. Cover everything that the job file asks for.
- Number them (1., 1.1.); a phase holds tasks. For each task give text (what to do, in one line), files (that it is about), done_when (how to tell that it is done: a command to run, or a fact to check), and details where one line is not enough: whoever does the task has not read what you have read.
- Several runners may work in parallel, from the first task to the last; Runners below is their number. Tasks that can run in parallel change different files; changes in files that they share become a task of their own at the end. A task that needs others' results names them in after, as in ["1.1", "1.2"] or ["1"]; it then waits until they are done.
- Changes: add (to a phase's end, or the roadmap's), replace (an item that is neither Locked nor Completed, by others or by none), retry (a Failed task becomes Pending), cancel, ask (the task waits until the question in clarification is answered, and all others go on). Name items by their ids: the number, else the text.
- Give the log a short title if it has none, or a placeholder such as _待定_.
- Do not plan finished work again. Retry a failed task only if something is different now, and at most twice; else replace it by other tasks, cancel it, or ask.
- In a periodic job (every, in its front matter), plan only what this cycle needs, under new numbers; if it needs nothing, submit no changes.
- If only the user can decide something: plan by your best assumption, and put the question into clarification. Work follows your plan meanwhile.`,
  Runner: `You are a RUNNER of a long job. You do exactly one task of its roadmap, the one in <task>, and nothing else. Other runners do the others, maybe at the same time.
- Read the code and its tests before you touch them, follow the conventions that you find, and change as little as the task needs. ${verification} Fix or report a failing check.
- ${editing(true)}
- Then submit result and summary: Succeeded only when you have seen that it is done, Failed with the reason when it cannot be done, Pending when you stop before the end: say what is done and what is left. If something that you cannot remove is in the way, name it in blocked_by; leave that out if you only stopped.
- If you lack something essential that only the user can tell: stop, and submit Pending with a clarification. Its default_plan has the task, or tasks, that replace yours by your best assumption if nobody answers; keep your task's number.`,
};

/**
 * Returns the system prompt of a role.
 *
 * @param rules the workspace's own rules, or `""`
 */
export function jobSystemPrompt(role: Role, rules: string): string {
  return `${roles[role]}

How it works:
- You begin without memory, and only what you submit is kept: the log is the job's memory, and your summary is for the next agent.
- The job file is in <request>: it is what the user wants. The log is in <data>.
- You cannot ask anybody. Code writes the files in .jixo from what you submit. Use the job file's language.
- Your turns are limited. Submit early enough: attempt_completion ends your work.
- ${together}
- A failed or refused call says why: change your approach instead of repeating it.
- Paths are relative to the workspace root, as in src/main.js.
- ${orders}${projectRules(rules)}`;
}

/**
 * Returns the first message of a lifecycle. What stays the same for all lifecycles of a job comes first, so that a
 * server's cache can begin with it.
 *
 * @param environment where it begins: see `environmentText`
 */
export function jobFirstMessage(context: LifecycleContext, environment: string): string {
  const { job, runner, quota, runners, others, time, objective, task } = context;
  const dirs = job.file.dirs.length === 0 ? "" : `\ntask.dirs: ${job.file.dirs.join(", ")}`;
  const facts = `Task_Runner: ${runner}
Job_Name: ${job.name}
Current_Task_Max_Turns_Quota: ${quota}
${task ? "" : `Runners: ${runners}\n`}Other_Runner_List: ${others.length === 0 ? "none" : others.join(", ")}
Task_Start_Time: ${time}${dirs}${task ? conditions(job) : ""}`;
  return [
    jobFileText(job),
    quoteUntrusted(
      job.logPath,
      task ? taskExcerpt(job.log, job.logPath, task) : logExcerpt(job.log, job.logPath),
    ),
    facts,
    environment,
    tagged("task", `Your objective: ${objective}`),
  ].join("\n\n");
}

/** Returns what a runner is told of when its task counts as done. */
function conditions({ file: { check, isReviewed } }: Job): string {
  const checked =
    check === undefined
      ? ""
      : `\nCheck: when you submit Succeeded, code runs \`${check}\`, which has to succeed`;
  return `${checked}${isReviewed ? "\nReview: what you submit as Succeeded is reviewed against your task" : ""}`;
}

/** Returns the message to a resumed session about a job file that has changed since it began. */
export function changedJobFile({ jobPath, file }: Job): string {
  return `The job file has changed since you began. It now says:\n\n${jobFileText({ jobPath, file })}`;
}

/** Returns the job file as a model is told of it: it is the user's request. */
export function jobFileText({ jobPath, file }: Pick<Job, "jobPath" | "file">): string {
  return tagged("request", file.lines.text, jobPath);
}
