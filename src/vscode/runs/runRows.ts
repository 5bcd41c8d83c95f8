import type {
  RunOverview,
  RunPart,
  RunProblem,
  RunsOverview,
  RunText,
} from "../../core/runs/runOverview.js";
import type { Rows } from "../work/rowTree.js";

/** A row of the tree; `runId` is the run that it belongs to, `""` for problems that concern all runs. */
export type RunNode = { readonly id: string; readonly runId: string } & (
  | {
      readonly kind: "run";
      readonly run: Omit<RunOverview, "parts" | "outputs" | "problems" | "proposal">;
      readonly outputs: number;
      readonly problems: number;
    }
  | { readonly kind: "proposal"; readonly summary: string; readonly instructions: number }
  | {
      readonly kind: "part";
      readonly part: Omit<RunPart, "children">;
      /** Whether it has child rows: parts that are planned, or helpers. */
      readonly hasParts: boolean;
      /** Whether the run is running, in this process or another. */
      readonly isAtWork: boolean;
    }
  | { readonly kind: "outputs"; readonly count: number; readonly path: string }
  | { readonly kind: "output"; readonly path: string }
  | { readonly kind: "report"; readonly report: RunText; readonly isFailure: boolean }
  | { readonly kind: "problem"; readonly problem: RunProblem }
);

type WithoutPlace<N> = N extends unknown ? Omit<N, "id" | "runId"> : never;
type Add = (parent: string, id: string, node: WithoutPlace<RunNode>) => string;

/** Returns the rows of all runs. Order of a run's rows: proposal, problems, report, outputs, phases. */
export function runRows({ runs, problems }: RunsOverview): Rows<RunNode> {
  const nodes = new Map<string, RunNode>();
  const children = new Map<string, string[]>([["", []]]);
  const addTo =
    (runId: string): Add =>
    (parent, id, node) => {
      nodes.set(id, { ...node, id, runId });
      const siblings = children.get(parent);
      if (siblings) siblings.push(id);
      else children.set(parent, [id]);
      return id;
    };
  addProblems("", problems, addTo(""));
  for (const run of runs) addRun(run, addTo(run.runId));
  return { nodes, children };
}

function addProblems(parent: string, problems: readonly RunProblem[], add: Add): void {
  for (const problem of problems) {
    const { path, line, message } = problem;
    add(parent, `problem:${parent}:${path}:${line}:${message}`, { kind: "problem", problem });
  }
}

function addRun(given: RunOverview, add: Add): void {
  const { parts, outputs, problems, proposal, ...run } = given;
  const { runId, failure, report } = run;
  const row = add("", `run:${runId}`, {
    kind: "run",
    run,
    outputs: outputs.length,
    problems: problems.length,
  });
  if (proposal !== null) {
    const { summary, instructions } = proposal.content;
    const shown = { summary, instructions: instructions.length };
    add(row, `proposal:${runId}`, { kind: "proposal", ...shown });
  }
  addProblems(row, problems, add);
  const told = report ?? failure;
  if (told !== null) {
    add(row, `report:${runId}`, { kind: "report", report: told, isFailure: failure !== null });
  }
  if (outputs.length > 0) {
    const shown = { count: outputs.length, path: run.outputsPath };
    const all = add(row, `outputs:${runId}`, { kind: "outputs", ...shown });
    for (const path of outputs) add(all, `output:${runId}:${path}`, { kind: "output", path });
  }
  const isAtWork = run.state === "here" || run.state === "elsewhere";
  for (const part of parts) addPart(row, part, { runId, isAtWork, add });
}

function addPart(
  parent: string,
  { children, ...part }: RunPart,
  given: { readonly runId: string; readonly isAtWork: boolean; readonly add: Add },
): void {
  const { runId, isAtWork, add } = given;
  const hasParts = children.length > 0;
  // VS Code applies the initial folding only once per id, so a row that is to unfold when work reaches
  // it, or fold when it is done, gets a new id.
  const folding = !hasParts ? "" : part.status === "COMPLETED" ? "/done" : "/open";
  const row = add(parent, `part:${runId}:${part.kind}:${part.id}${folding}`, {
    kind: "part",
    part,
    isAtWork,
    hasParts,
  });
  for (const child of children) addPart(row, child, given);
}
