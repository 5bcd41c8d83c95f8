import { UserError } from "../errors.js";
import type { Ids } from "../ports.js";
import { editJobLog } from "./editJobLog.js";
import { askInJobFile, type JobFile, withoutAnswered } from "./jobFile.js";
import type { Job } from "./jobFolder.js";
import type { JobLog } from "./jobLog.js";
import { type Asked, planEdits, planItems, readPlan, readWork } from "./jobReport.js";
import type { LifecycleContext } from "./jobPrompt.js";
import type { JobStore } from "./jobStore.js";
import type { LogEdit } from "./logEdit.js";
import type { Next } from "./triage.js";
import type { UnitEnd } from "./unitOfWork.js";
import type { Result, Role } from "./workLog.js";

/** What the log says now of a lifecycle. */
export interface Committed {
  readonly result: Result;
  readonly summary: string;
  /** Why a question could not be put into the job file. */
  readonly problem?: string;
}

interface Outcome {
  readonly role: Role;
  readonly result: Result;
  readonly summary: string;
  /** Beside the entry. */
  readonly edits: readonly LogEdit[];
}

/**
 * The final commit: status, progress and the new entry in one write (R-JIXO-21, 22); only then what
 * was answered goes, and what is asked comes, in the job file (R-JIXO-23, 24).
 */
export async function commitWork(
  next: Exclude<Next, { type: "exit" }>,
  end: UnitEnd,
  context: LifecycleContext,
  store: JobStore,
  ids: Ids,
): Promise<Committed> {
  const asked = askedIn(next, end);
  const id = `Q-${ids.hex(8)}`;
  const committed = await store.changeLog((job) => {
    const { log, ...result } = written(
      job,
      outcomeOf(next, end, id, context.runner, job),
      next,
      context,
    );
    return Promise.resolve({ log, result });
  });
  const { result, summary } = committed;
  const answered =
    next.type === "plan" && next.objective.type === "answers" && result === "Succeeded"
      ? next.objective.clarifications.map((one) => one.id)
      : [];
  if (answered.length === 0 && asked === undefined) return { result, summary };
  try {
    await store.changeFile((file) => {
      const rest = answered.reduce(withoutAnswer, file);
      if (asked === undefined || committed.isRefused) return rest;
      return askInJobFile(rest, {
        ...{ id, question: asked.question },
        toUser: asked.to_user ?? "I need to know this, and go on with a default plan meanwhile.",
        placeholder: asked.placeholder ?? "Write your answer here.",
      });
    });
    return { result, summary };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { result, summary, problem: error.message };
  }
}

function withoutAnswer(file: JobFile, id: string): JobFile {
  const isThere = file.clarifications.some((one) => one.id === id && one.answer !== undefined);
  return isThere ? withoutAnswered(file, id) : file;
}

function askedIn(next: Next, end: UnitEnd): Asked | undefined {
  if (end.type === "left") return undefined;
  const report = next.type === "plan" ? readPlan(end.args) : readWork(end.args);
  return report.clarification ?? undefined;
}

/** What a lifecycle that ended so does to the log as it is now. */
function outcomeOf(
  next: Exclude<Next, { type: "exit" }>,
  end: UnitEnd,
  questionId: string,
  runner: string,
  job: Job,
): Outcome {
  if (next.type === "plan") {
    const role = "Planner";
    if (end.type === "left") return { role, result: "Pending", summary: end.why, edits: [] };
    const report = readPlan(end.args);
    const asks = report.clarification ? ` Asked ${questionId}.` : "";
    const summary = `${report.summary}${asks}`;
    return { role, result: "Succeeded", summary, edits: planEdits(report) };
  }
  const role = "Runner";
  const { id } = next.task;
  const task = job.log.tasks.find((one) => one.id === id);
  if (task?.status !== "Locked" || task.runner !== runner) {
    const said = end.type === "left" ? end.why : readWork(end.args).summary;
    const summary = `The task was taken from this runner, or changed by hand, while it worked. ${said}`;
    return { role, result: "Cancelled", summary, edits: [] };
  }
  const becomes = (status: "Completed" | "Failed" | "Pending"): LogEdit => ({
    ...{ type: "setStatus", task: id, status },
  });
  if (end.type === "left") {
    return { role, result: "Pending", summary: end.why, edits: [becomes("Pending")] };
  }
  const { result, summary, clarification } = readWork(end.args);
  if (clarification) {
    const items = planItems(clarification.default_plan);
    return {
      ...{ role, result: "Pending" },
      summary: `Asked ${questionId}; work is continued by a default plan. ${summary}`,
      edits: [becomes("Pending"), { type: "replaceItem", item: id, items }],
    };
  }
  const status = result === "Succeeded" ? "Completed" : result;
  return { role, result, summary, edits: [becomes(status)] };
}

/** With the entry; where the log has changed so that the edits do not fit any more, without them. */
function written(
  job: Job,
  outcome: Outcome,
  next: Exclude<Next, { type: "exit" }>,
  { objective, time }: LifecycleContext,
): Pick<Outcome, "result" | "summary"> & { readonly log: JobLog; readonly isRefused: boolean } {
  const logOf = ({ role, result, summary, edits }: Outcome): JobLog => {
    const entry = { jobName: job.name, time, role, objective, result, summary };
    const all = [...edits, { type: "updateProgress" }, { type: "addEntry", entry }] as const;
    return editJobLog(job.log, all, job.version);
  };
  const { result, summary } = outcome;
  try {
    return { result, summary, log: logOf(outcome), isRefused: false };
  } catch (error) {
    if (!(error instanceof UserError) || outcome.edits.length === 0) throw error;
    const freed: LogEdit[] =
      next.type === "run" ? [{ type: "setStatus", task: next.task.id, status: "Pending" }] : [];
    const refused = {
      ...{ role: outcome.role, edits: freed },
      result: next.type === "run" ? "Pending" : "Failed",
      summary: `What was handed in does not fit the log any more, and work will be resumed: ${error.message} ${summary}`,
    } as const;
    const log = logOf(refused);
    return { result: refused.result, summary: refused.summary, log, isRefused: true };
  }
}
