import type { AgentAtWork, Work } from "../../work/work.js";
import { saidObjective } from "../work/objective.js";
import type { JobOverview } from "./jobOverview.js";

/** Returns what is shown of a job together with other long work. */
export function jobWork(job: JobOverview): Work {
  const { name, state, isPeriodic, progress, tasks, runners, entries, sessions } = job;
  return {
    ref: { kind: "job", name },
    title: name,
    isAtWork: state === "running",
    isForeign: job.isForeign,
    isOver: state === "done" && !isPeriodic,
    progress: { ...tasks, percent: progress },
    agents: runners.map(({ taskId, role, objective }) => {
      return { taskId, mode: modeOf(role), goal: saidObjective(objective) };
    }),
    lastAgent: state === "running" && runners.length === 0 ? lastAgent(job) : null,
    needs: job.questions.flatMap(({ id, text, answer }) =>
      answer === null ? [{ kind: "question" as const, id, text }] : [],
    ),
    // One without entries was never begun.
    ...(state === "left" && !isPeriodic && entries.length > 0
      ? { stopped: { why: entries[0]?.summary ?? "", goesOn: ["RESUME"] as const } }
      : {}),
    owns: (taskId) =>
      runners.some((runner) => runner.taskId === taskId) ||
      sessions.includes(taskId) ||
      entries.some(({ session }) => session === taskId),
  };
}

/** Returns the last agent, with what the next one does: what is said to it is for that. */
function lastAgent({ entries, next }: JobOverview): AgentAtWork | null {
  const { session, role } = entries.find((entry) => entry.session !== null) ?? {};
  if (!session) return null;
  return { taskId: session, mode: modeOf(next.role ?? role ?? "Runner"), goal: next.objective };
}

function modeOf(role: string): string {
  return `rooroo-job-${role.toLowerCase()}`;
}
