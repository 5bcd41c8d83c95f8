import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import type { PhaseName, RunLayout } from "../documents/runLayout.js";
import type { RunEdit, RunState } from "../documents/runState.js";
import type { AgentUnit } from "./agentUnit.js";
import { summaryOf } from "./inputFiles.js";
import type { RunContext } from "./runContext.js";
import { readWork, workEnding } from "./runReports.js";
import { stepObjective, type Work } from "./step.js";
import { type Asset, executedEdits } from "./stepEdits.js";
import { isSearch, toolKind } from "./toolKind.js";

export interface ExecutorCall {
  readonly unit: Omit<AgentUnit, "taskId" | "request">;
  /** Returns the edits for a submission that was accepted, or the error log if the executor failed. */
  readonly done: (
    args: unknown,
  ) => Promise<{ readonly edits: readonly RunEdit[] } | { readonly errorLog: string }>;
}

/**
 * Prepares the call of an executor, and the handling of its submission (R-MV-20).
 *
 * @throws {UserError} if the task's output lies outside the run's own folders
 */
export async function executorCall(
  work: Work,
  state: RunState,
  context: RunContext,
  files: FileSystem,
  layout: RunLayout,
): Promise<ExecutorCall> {
  const phase = context.phaseOfTask(work.task);
  const output = outputOf(work, layout.workspace(state.runId, phase));
  const places = [`${layout.run(state.runId)}/workspace/`, `${layout.outputs(state.runId)}/`];
  // The output is written without approval: so only the run's own folders are allowed, whatever a table says.
  if (!places.some((place) => output.startsWith(place))) {
    const path = layout.table("tasks", state.runId);
    throw new UserError(
      "outputMisplaced",
      "{path}: a task of this run may not write {output}. Correct the table.",
      {
        path,
        output,
      },
    );
  }
  const kind = work.type === "tool" ? toolKind(work.tool.tool_type) : undefined;
  const ending = kind?.ending;
  const made = (): Promise<string[]> =>
    work.type === "task" ? isThere(output, files) : madeByTool(output, ending ?? "", files);
  const shown =
    work.type === "task" ? output : `${output}${ending ?? ", with the ending that fits"}`;
  const isOutput = writable(output, work.type === "tool");
  return {
    unit: {
      role: "Executor",
      objective: stepObjective({ type: "execute", work }, state.rows),
      ending: workEnding,
      ...(kind?.functions === undefined ? {} : { functions: kind.functions }),
      message: await context.forExecutor(work, shown),
      writes: {
        fits: (path) => isOutput.test(path),
        description: shown,
        isOwn: true,
      },
      inEnvelopes: '{"status": "SUCCESS", "summary": "…"}',
      accept: async (args) => {
        const report = readWork(args);
        const problem = workProblem(report, context.hasWebSearch);
        if (problem !== undefined || report.status === "FAILED") return problem;
        if ((await made()).length > 0) return undefined;
        return `There is nothing in ${shown} yet. Write it before you submit SUCCESS.`;
      },
    },
    done: async (args) => {
      const report = readWork(args);
      if (report.status === "FAILED") return { errorLog: report.error_log ?? "" };
      const assets: Asset[] = [];
      for (const path of await made()) {
        const summary = report.summary?.trim() ? report.summary : await summaryOf(files, path);
        assets.push({ path, type: assetType(work, phase, path, layout), summary });
      }
      const after = report.post_tool_required === true ? (report.post_tool_purpose ?? "") : "";
      return { edits: executedEdits(state, work, assets, after) };
    },
  };
}

/** Returns what the report itself lacks, in words for the model; `undefined` if nothing. */
function workProblem(
  report: ReturnType<typeof readWork>,
  hasWebSearch: boolean,
): string | undefined {
  if (report.status === "FAILED") {
    return report.error_log?.trim()
      ? undefined
      : "FAILED needs error_log: say what went wrong, in full.";
  }
  if (report.post_tool_required === true && !report.post_tool_purpose?.trim()) {
    return "post_tool_required needs post_tool_purpose: say what is to be added afterwards. If nothing is, leave both out.";
  }
  if (!hasWebSearch && isSearch(report.post_tool_purpose ?? "")) {
    return "There is no web search here. Leave post_tool_purpose out, or say what else is to be added.";
  }
  return undefined;
}

/** Returns the path of the output. A tool task's path has no ending: the executor chooses it. */
function outputOf(work: Work, workspace: string): string {
  return work.type === "task"
    ? work.task.output_path
    : `${workspace}/tools/${work.tool.tool_task_id}`;
}

/** Returns the files that a tool task has made: the output's path with an ending, and with content. */
async function madeByTool(output: string, ending: string, files: FileSystem): Promise<string[]> {
  const { folder, stem } = split(output);
  const names = (await files.readDirectory(folder)).map(({ name }) => name);
  const own = names
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
  return (await Promise.all(own.map((path) => isThere(path, files)))).flat();
}

async function isThere(path: string, files: FileSystem): Promise<string[]> {
  const stat = await files.stat(path);
  return stat?.kind === "file" && stat.size > 0 ? [path] : [];
}

function split(path: string): { folder: string; stem: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, at), stem: path.slice(at + 1) };
}

/** Matches the output, and the `.gitkeep` that creates its folder. */
function writable(output: string, choosesEnding: boolean): RegExp {
  const ending = choosesEnding ? "\\.[A-Za-z0-9]{1,10}" : "";
  const folder = escaped(split(output).folder);
  return new RegExp(`^(?:${escaped(output)}${ending}|${folder}/\\.gitkeep)$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Returns the type of an asset in the catalog (R-MV-31). */
function assetType(work: Work, phase: PhaseName, path: string, layout: RunLayout): string {
  if (work.type === "tool") return "TOOL_OUTPUT";
  if (path.startsWith(`${layout.in("outputs")}/`)) return "FINAL_OUTPUT";
  const types: Readonly<Record<PhaseName, string>> = {
    ANALYZING: "ANALYSIS_REPORT",
    STRATEGIZING: "STRATEGY_DOC",
    REFINING_CONTENT: "REFINED_CONTENT",
    GENERATING_OUTPUT: "ASSEMBLY_PLAN",
  };
  return types[phase];
}
