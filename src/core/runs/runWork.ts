import type { Work } from "../work/work.js";
import type { RunOverview } from "./runOverview.js";
import { runUnitId } from "./work/runUnit.js";

/** Returns what is shown of a run together with other long work. */
export function runWork(run: RunOverview): Work {
  const { runId, request, state, unit, tasks, proposal } = run;
  const isOver = ["done", "failed", "cancelled"].includes(state);
  return {
    ref: { kind: "run", name: runId },
    title: request,
    isAtWork: state === "here" || state === "elsewhere",
    isOver,
    progress: { ...tasks, percent: null },
    agents: unit === null ? [] : [unit],
    lastAgent: null,
    needs: state === "needsYou" ? [{ kind: "confirmation", id: proposal?.id ?? "" }] : [],
    owns: (taskId) => taskId.startsWith(runUnitId(runId, "")),
  };
}
