import type { PlannedTask } from "./doneEdits.js";
import type { PlanReport } from "./planReport.js";
import type { PhaseName, RunLayout } from "./runLayout.js";
import type { RunState } from "./runState.js";

type Given = NonNullable<PlanReport<"stage">["tasks"]>[number];

interface Known {
  readonly state: RunState;
  readonly layout: RunLayout;
  /** The paths of the files in the catalog. */
  readonly catalog: readonly string[];
}

/** Returns the tasks of a stage in their final form, or why they are rejected (R-MV-17). */
export function plannedTasks(
  given: readonly Given[],
  phase: PhaseName,
  { state: { runId, rows }, layout, catalog }: Known,
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

/** Whether a file or folder may have this name on any system. */
function isName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ ().,+-]{0,99}$/u.test(name) && !/[ .]$/.test(name);
}
