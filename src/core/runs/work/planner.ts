import { proposalText } from "../documents/proposal.js";
import type { RunLayout, PhaseName } from "../documents/runLayout.js";
import type { RunEdit, RunState } from "../documents/runState.js";
import type { AgentUnit } from "./agentUnit.js";
import type { RunContext } from "./runContext.js";
import { type PlanReport, planEnding, planReports } from "./runReports.js";
import { type PlanTarget, stepObjective } from "./step.js";
import { isPlannedWith, stageEdits, taskEdits, toolEdits, type PlannedTask } from "./stepEdits.js";
import { isSearch, toolKind } from "./toolKind.js";

/** The result of a plan: edits of the tables, or the document of a proposal. */
interface Planned {
  readonly edits: readonly RunEdit[];
  readonly proposal?: string;
}

export interface PlannerCall {
  readonly unit: Omit<AgentUnit, "taskId" | "request">;
  /** Returns the plan of a submission that was accepted, or the error log if the planner failed. */
  readonly planned: (args: unknown) => Planned | { readonly errorLog: string };
}

/** Prepares the call of a planner, and the handling of its submission (R-MV-2). */
export async function plannerCall(
  target: PlanTarget,
  state: RunState,
  context: RunContext,
  layout: RunLayout,
): Promise<PlannerCall> {
  const active = (await context.active()).map(({ instruction_id }) => instruction_id);
  const catalog = (await context.catalog()).map(({ file_path }) => file_path);
  const material = target.type === "proposal" ? await context.material() : [];
  const read = (args: unknown): Planned | { problem: string } =>
    planOf(args, target, { state, context, layout, active, catalog, material });
  return {
    unit: {
      role: "Planner",
      objective: stepObjective({ type: "plan", target }, state.rows),
      writes: "ownTaskFolder",
      message: await context.forPlanner(target),
      ending: planEnding(target.type),
      inEnvelopes: inEnvelopes[target.type],
      accept: (args) => {
        const failure = failureIn(args, target);
        const plan = failure ?? read(args);
        return Promise.resolve("problem" in plan ? plan.problem : undefined);
      },
    },
    planned: (args) => {
      const plan = failureIn(args, target) ?? read(args);
      if ("problem" in plan) throw new Error(`a plan was accepted: ${plan.problem}`);
      return plan;
    },
  };
}

function failureIn(
  args: unknown,
  { type }: PlanTarget,
): { errorLog: string } | { problem: string } | undefined {
  const { status, error_log: log } = planReports[type].parse(args);
  if (status === "SUCCESS") return undefined;
  if (!log?.trim()) return { problem: "FAILED needs error_log: say what went wrong, in full." };
  return { errorLog: log };
}

interface Known {
  readonly state: RunState;
  readonly context: RunContext;
  readonly layout: RunLayout;
  /** Ids of the active instructions. */
  readonly active: readonly string[];
  /** The paths of the files in the catalog. */
  readonly catalog: readonly string[];
  /** The lines about the material for the proposal's document. */
  readonly material: readonly string[];
}

function planOf(
  args: unknown,
  target: PlanTarget,
  known: Known,
): Planned | { readonly problem: string } {
  const { state } = known;
  switch (target.type) {
    case "proposal":
      return proposalPlan(planReports.proposal.parse(args), known);
    case "phase":
      return phasePlan(planReports.phase.parse(args), target, known);
    case "stage": {
      const given = planReports.stage.parse(args).tasks ?? [];
      if (given.length === 0) return { problem: "SUCCESS needs tasks: at least one." };
      const stage = state.rows.major_stages.find(({ stage_id }) => stage_id === target.id);
      const phase = known.context.phaseOf(stage?.phase_id ?? "");
      const tasks = tasksWithHelp(given, phase, known);
      return "problem" in tasks ? tasks : { edits: taskEdits(state, target, tasks.tasks) };
    }
    case "tools": {
      const given = planReports.tools.parse(args).tool_tasks ?? [];
      if (given.length === 0) return { problem: "SUCCESS needs tool_tasks: at least one." };
      const searches = given.some((one) => toolKind(one.tool_type)?.needsWebSearch === true);
      if (searches && !known.context.hasWebSearch) {
        return { problem: noSearch };
      }
      const tools = given.map((one) => ({
        type: one.tool_type,
        name: one.tool_task_name,
        purpose: one.tool_task_purpose,
      }));
      return { edits: toolEdits(state, target, tools) };
    }
  }
}

/** Returns the rows of a phase's stages, and of the tasks that are planned with them. */
function phasePlan(
  { stages }: PlanReport<"phase">,
  target: Extract<PlanTarget, { type: "phase" }>,
  known: Known,
): Planned | { problem: string } {
  const given = stages ?? [];
  if (given.length === 0) return { problem: "SUCCESS needs stages: at least one." };
  const { state } = known;
  // A process that was killed may have written these very tasks, and not yet their stages.
  const others = state.rows.tasks.filter((task) => !isPlannedWith(task, target.id));
  const facts = { ...known, state: { ...state, rows: { ...state.rows, tasks: others } } };
  const all = given.flatMap(({ tasks }) => tasks ?? []);
  const checked = tasksWithHelp(all, known.context.phaseOf(target.id), facts);
  if ("problem" in checked) return checked;
  const left = [...checked.tasks];
  const planned = given.map(({ stage_name: name, stage_goal: goal, tasks }) => {
    return { name, goal, tasks: left.splice(0, tasks?.length ?? 0) };
  });
  return { edits: stageEdits(state, target, planned) };
}

/** Returns the document of the proposal (R-MV-9). */
function proposalPlan(
  { summary, instructions, conflicts, questions }: PlanReport<"proposal">,
  { state: { runId }, context, active, material }: Known,
): Planned | { problem: string } {
  const given = (instructions ?? []).map((one) => ({
    type: one.instruction_type,
    content: one.content,
    justification: one.justification,
    supersedes: one.supersedes ?? [],
  }));
  if (!summary?.trim()) return { problem: "SUCCESS needs summary: what will be done and made." };
  if (given.length === 0) return { problem: "SUCCESS needs instructions: at least one." };
  const stranger = given.flatMap(({ supersedes }) => supersedes).find((id) => !active.includes(id));
  if (stranger !== undefined) {
    const there = active.length === 0 ? "There are none." : `There are: ${active.join(", ")}.`;
    return { problem: `${stranger} is no active instruction. ${there}` };
  }
  const contents = given.map(({ content }) => content.trim());
  const twice = contents.find((content, index) => contents.indexOf(content) !== index);
  if (twice !== undefined) return { problem: `Say it once only: ${twice}` };
  const proposal = {
    summary,
    instructions: given,
    conflicts: conflicts ?? [],
    questions: questions ?? [],
  };
  const text = proposalText(runId, context.run.user_request, proposal, material);
  return { edits: [], proposal: text };
}

const inEnvelopes: Readonly<Record<PlanTarget["type"], string>> = {
  proposal:
    '{"status": "SUCCESS", "summary": "…", "instructions": [{"instruction_type": "goal", "content": "…", "supersedes": [], "justification": "…"}], "conflicts": [], "questions": []}',
  phase:
    '{"status": "SUCCESS", "stages": [{"stage_name": "…", "stage_goal": "…", "tasks": [{"task_name": "…", "task_purpose": "…", "related_references": ["…"], "output_path": "….md"}]}]}',
  stage:
    '{"status": "SUCCESS", "tasks": [{"task_name": "…", "task_purpose": "…", "related_references": ["…"], "output_path": "….md"}]}',
  tools:
    '{"status": "SUCCESS", "tool_tasks": [{"tool_type": "Web Search", "tool_task_name": "…", "tool_task_purpose": "…"}]}',
};

type Given = NonNullable<PlanReport<"stage">["tasks"]>[number];

const noSearch = "There is no web search here. Plan another way, or submit FAILED.";

/** Returns the tasks of {@link plannedTasks}, if they want no search where there is none. */
function tasksWithHelp(
  given: readonly Given[],
  phase: PhaseName,
  known: Known,
): ReturnType<typeof plannedTasks> {
  const planned = plannedTasks(given, phase, known);
  if ("problem" in planned || known.context.hasWebSearch) return planned;
  const searches = planned.tasks.some(({ before, after }) => isSearch(before) || isSearch(after));
  return searches ? { problem: noSearch } : planned;
}

/** Facts that a stage's tasks are checked against. */
interface TaskFacts {
  readonly state: RunState;
  readonly layout: RunLayout;
  /** The paths of the files in the catalog. */
  readonly catalog: readonly string[];
}

/** Returns the tasks of a stage in their final form, or why they are rejected (R-MV-17). */
export function plannedTasks(
  given: readonly Given[],
  phase: PhaseName,
  { state: { runId, rows }, layout, catalog }: TaskFacts,
): { readonly tasks: readonly PlannedTask[] } | { readonly problem: string } {
  const workspace = layout.workspace(runId, phase);
  const outputs = layout.outputs(runId);
  const places = phase === "GENERATING_OUTPUT" ? [workspace, outputs] : [workspace];
  const outputPaths = rows.tasks.map(({ output_path }) => output_path);
  const taken = new Set([...catalog, ...outputPaths].filter((path) => path !== ""));
  const known = new Set(taken);
  const tasks: PlannedTask[] = [];
  for (const task of given) {
    const stranger = task.related_references.find((path) => !known.has(plain(path)));
    if (stranger !== undefined) {
      const problem = `${task.task_name} begins from ${stranger.trim() === "" ? "nothing" : stranger}, which is neither in the catalog nor the output of an earlier task.`;
      return { problem };
    }
    const path = plain(task.output_path);
    const outputPath = path.includes("/") ? path : `${workspace}/${path}`;
    const place = places.find((folder) => outputPath.startsWith(`${folder}/`));
    const names = outputPath.slice(place === undefined ? 0 : place.length + 1).split("/");
    if (place === undefined || names.some((name) => !isName(name)) || names[0] === "tools") {
      const where = places.map((folder) => `${folder}/`).join(" or ");
      return { problem: `output_path of ${task.task_name} must be a new file in ${where}.` };
    }
    if (taken.has(outputPath)) {
      return { problem: `${outputPath} is another task's output already. Name another file.` };
    }
    taken.add(outputPath);
    known.add(outputPath);
    tasks.push({
      name: task.task_name,
      purpose: task.task_purpose,
      outputPath,
      references: task.related_references.map(plain),
      before: task.pre_tool_purpose ?? "",
      after: task.post_tool_purpose ?? "",
    });
  }
  return { tasks };
}

/** Removes the backticks, and the `./` at the beginning, that models put around a path. */
function plain(path: string): string {
  return path.trim().replaceAll("`", "").replace(/^\.\//, "");
}

/** Returns whether a file or folder may have this name on any system. */
function isName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ ().,+-]{0,99}$/u.test(name) && !/[ .]$/.test(name);
}
