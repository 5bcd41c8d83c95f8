import type { AgentEnd } from "../agent/loop.js";
import type { ExpertServices } from "../experts/expertServices.js";
import type { Mode } from "../experts/mode.js";
import { completeReport, completionTool, type Report, reportProblem } from "../experts/report.js";
import type { FileSystem } from "../ports/files.js";
import { followupQuestion } from "../tools/askFollowupQuestion.js";
import type { AgentSession } from "../work/agentSession.js";

export type ExpertEnd =
  /**
   * The expert's completion call, if it made one, waits for its result, which is written when the report
   * is on disk.
   */
  | { readonly type: "reported"; readonly callId: string | null; readonly report: Report }
  | {
      readonly type: "asks";
      /** The call that the answer is the result of; `null` when the expert just spoke. */
      readonly callId: string | null;
      readonly question: string;
      readonly suggestions: readonly string[];
    }
  | Extract<AgentEnd, { type: "waitsForApproval" | "stopped" | "exhausted" | "modelFailed" }>;

/** Lets an expert work until it reports, asks, or cannot go on. */
export async function runExpert(
  session: AgentSession,
  mode: Mode,
  world: ExpertServices,
  signal: AbortSignal,
): Promise<ExpertEnd> {
  const isPlanner = mode.slug === "rooroo-planner";
  const ending = {
    tool: completionTool(isPlanner),
    accept: (args: unknown) => {
      const slugs = world.assignable().map(({ slug }) => slug);
      return accept(args, isPlanner ? slugs : undefined, session.folder, world.files);
    },
  };
  const end = await session.run(ending, signal, world);
  switch (end.type) {
    case "completed":
      return { type: "reported", callId: end.callId, report: completeReport(end.args) };
    case "asks": {
      const asked = followupQuestion.parse(end.args);
      return {
        type: "asks",
        callId: end.callId,
        question: asked.question,
        suggestions: asked.suggestions ?? [],
      };
    }
    case "speaks":
      return { type: "asks", callId: null, question: end.text, suggestions: [] };
    case "waitsForApproval":
    case "stopped":
    case "exhausted":
    case "modelFailed":
      return end;
  }
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(path);
}

/**
 * R-ROO-3: Resolves with why a report is rejected, if it is. Artifacts must exist, because a report that
 * names missing files is worth nothing.
 */
async function accept(
  args: unknown,
  experts: readonly string[] | undefined,
  folder: string,
  files: FileSystem,
): Promise<string | undefined> {
  const report = completeReport(args);
  const problem = reportProblem(report, experts);
  if (problem !== undefined) return problem;
  for (const path of report.output_artifact_paths) {
    if (path.includes("{{") || isAbsolute(path)) {
      return `${path}: write paths relative to the workspace root.`;
    }
    const { path: real, inside } = await files.locate(path);
    if (!inside) return `${path} is outside the workspace; name workspace files only.`;
    if (real.startsWith(".rooroo/tasks/") && !real.startsWith(`${folder}/`)) {
      return `${path} is in the folder of another task. Your own files are in ${folder}/.`;
    }
    if ((await files.stat(path)) === undefined) {
      return `output_artifact_paths names ${path}, which does not exist. Write it, or leave it out.`;
    }
  }
  return undefined;
}
