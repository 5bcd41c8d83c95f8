import type { HeldLock } from "../ports.js";
import { commitWork } from "./commitWork.js";
import { editJobLog } from "./editJobLog.js";
import { type Job, readJob } from "./jobFolder.js";
import { type LifecycleContext, objectiveText } from "./jobPrompt.js";
import { readPlan } from "./jobReport.js";
import { JobStore } from "./jobStore.js";
import type { JobWorld } from "./jobWorld.js";
import type { LogEdit } from "./logEdit.js";
import { planProblem } from "./planProblem.js";
import { liveRunners, newRunner, runnerLock } from "./runners.js";
import { type Next, triage } from "./triage.js";
import { unitOfWork } from "./unitOfWork.js";
import type { Result } from "./workLog.js";

export type LifecycleEnd =
  | { readonly type: "worked"; readonly result: Result }
  | Extract<Next, { type: "exit" }>
  /** It was stopped, or needs somebody: another one would fare no better now. */
  | { readonly type: "halted" };

/** What is found when one begins: what it is for, and the job as it is then. */
interface Begun {
  readonly next: Next;
  readonly job: Job;
  readonly others: readonly string[];
}

/**
 * One lifecycle of a job: triage, intent lock, one unit of work, final commit (R-JIXO-4). The model
 * begins without memory, and code writes all that is kept.
 *
 * @param quota turns, at least 1
 */
export async function lifecycle(
  known: Job,
  quota: number,
  world: JobWorld,
  signal: AbortSignal,
): Promise<LifecycleEnd> {
  const { lock, files, experts } = world;
  const store = new JobStore(files, lock, known);
  const runner = newRunner(known.name, experts.ids);
  const holding: HeldLock[] = [];
  const hold = async (name: string): Promise<boolean> => {
    const own = await lock.tryHold(name);
    if ("held" in own) holding.push(own.held);
    return "held" in own;
  };
  try {
    // Held for as long as it lives: whoever finds its task Locked sees that it is at work.
    const [alive] = (await hold(runnerLock(runner) ?? "")) ? holding : [];
    if (alive === undefined) throw new Error(`two runners are called ${runner}`);
    const { next, job, others } = await begin(store, runner, world, hold);
    if (next.type === "exit") return next;

    const role = next.type === "plan" ? "Planner" : "Runner";
    const time = experts.clock.now().toISOString();
    const taskId = `ROO#JOB_${time.replaceAll(/\D/g, "").slice(0, 14)}_${runner.slice(-12).toUpperCase()}`;
    const objective = objectiveText(next);
    const context: LifecycleContext = { job, runner, quota, others, time, objective };
    world.tell({ type: "began", taskId, role, objective });
    const accept = async (args: unknown) =>
      next.type === "plan"
        ? planProblem(readPlan(args), next, await readJob(files, job))
        : undefined;
    const guard = () => alive.check();
    const end = await unitOfWork({ taskId, role, context, guard, accept }, world, signal);
    const done = await commitWork(next, end, context, store, experts.ids);
    if (end.type === "handedIn") await end.confirm();
    const { result, summary, problem } = done;
    world.tell({ type: "ended", taskId, role, result, summary });
    if (problem !== undefined) world.tell({ type: "notice", level: "warning", text: problem });
    if (end.type === "left" && end.halts) return { type: "halted" };
    return { type: "worked", result };
  } finally {
    for (const held of holding.reverse()) await held.release();
  }
}

/** Triage and intent lock, in one write (R-JIXO-8 to 17). One plans at a time; others stand by. */
async function begin(
  store: JobStore,
  runner: string,
  { lock }: JobWorld,
  hold: (name: string) => Promise<boolean>,
): Promise<Begun> {
  let plans = false;
  const begun = await store.changeLog(async (job) => {
    const live = await liveRunners(job.log, lock);
    const situation = { log: job.log, job: job.file, version: job.version, planFits: true };
    const found = triage({ ...situation, live, runner });
    const { next } = found;
    if (next.type === "plan") plans ||= await hold(store.plannerLock);
    const isPlanned = next.type === "plan" && !plans;
    const intent: LogEdit[] =
      next.type === "run" ? [{ type: "lock", task: next.task.id, runner }] : [];
    return {
      log: editJobLog(found.log, intent, job.version),
      result: {
        ...{ job: { ...job, log: found.log }, others: [...live] },
        dead: found.edits.flatMap((edit) =>
          edit.type === "setStatus" ? holderOf(edit.task, job) : [],
        ),
        next: isPlanned ? standby : next,
      },
    };
  });
  // What the dead have left goes; one that comes back to life finds that it may write no more.
  for (const name of begun.dead) {
    const own = await lock.tryHold(name);
    if ("held" in own) await own.held.release();
  }
  return begun;
}

function holderOf(taskId: string, { log }: Job): string[] {
  const runner = log.tasks.find(({ id }) => id === taskId)?.runner;
  const name = runner === undefined ? undefined : runnerLock(runner);
  return name === undefined ? [] : [name];
}

const standby: Next = {
  type: "exit",
  code: 2,
  reason: "No available tasks to execute, other agents are active.",
};
