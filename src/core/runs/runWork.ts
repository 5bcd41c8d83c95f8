import type { ProposalContent } from "../conversation/events/events.js";
import type { GoingOn, Work } from "../work/work.js";
import type { RunOverview } from "./runOverview.js";
import { runUnitId } from "./work/runUnit.js";

/** Returns what is shown of a run together with other long work. */
export function runWork(run: RunOverview): Work {
  const { runId, request, state, unit, tasks, proposal } = run;
  const goesOn = goingOn(run);
  const isOver = ["done", "failed", "cancelled"].includes(state);
  return {
    ref: { kind: "run", name: runId },
    title: request,
    isAtWork: state === "here" || state === "elsewhere",
    isOver,
    isForeign: run.isForeign,
    progress: { ...tasks, percent: null },
    agents: unit === null ? [] : [unit],
    lastAgent: null,
    needs:
      state === "needsYou"
        ? [{ kind: "confirmation", id: proposal?.id ?? "", text: proposed(proposal?.content) }]
        : [],
    ...(goesOn.length > 0 && { stopped: { why: run.reason ?? "", goesOn } }),
    owns: (taskId) => taskId.startsWith(runUnitId(runId, "")),
  };
}

function goingOn({ state, canSkip }: RunOverview): readonly GoingOn[] {
  if (state === "left") return ["RESUME"];
  if (state !== "failed") return [];
  return canSkip ? ["RETRY", "SKIP"] : ["RETRY"];
}

/** Returns what a proposal says, in one text. */
function proposed(content: ProposalContent | undefined): string {
  if (content === undefined) return "";
  const { path, summary, instructions, conflicts, questions } = content;
  return [
    summary,
    ...instructions.map((one) => `- ${one.type}: ${one.content}`),
    ...conflicts.map((conflict) => `- At odds with an earlier instruction: ${conflict}`),
    ...questions.map((question) => `- Open question: ${question}`),
    `The whole proposal is in ${path}.`,
  ].join("\n");
}
