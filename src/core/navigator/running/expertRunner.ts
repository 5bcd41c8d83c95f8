import { IgnoredFiles } from "../../access/ignoredFiles.js";
import { readNamedFile } from "../../access/namedFile.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import { isOwn, type Mode, otherTaskOf } from "../../experts/mode.js";
import {
  completeReport,
  completionTool,
  type Report,
  type ReportKind,
  reportProblem,
  usableOf,
} from "../../experts/report.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { type Words, words } from "../../text/words.js";
import { hasPlaceholder } from "../../tools/calls/resolvePath.js";
import type { AgentSession, WorkEnd } from "../../work/agentSession.js";
import { placeFindings } from "./placeFindings.js";

export type ExpertEnd =
  /**
   * The expert's completion call, if it made one, waits for its result, which is written when the report
   * is on disk.
   */
  | { readonly type: "reported"; readonly callId: string | null; readonly report: Report }
  /** The reports had statuses that the protocol does not know; this is the last one's (R-ROO-20). */
  | { readonly type: "unexpectedStatus"; readonly status: string; readonly message: string }
  | Exclude<WorkEnd, { type: "completed" }>;

/** The options that differ between tasks. */
interface RunOptions {
  /** Whether its report has findings. Default: no. */
  readonly isReview?: boolean;
  /** Returns whether the report may name artefacts of another task. Absent: of none. */
  readonly isMate?: (taskId: TaskId) => Promise<boolean>;
}

/**
 * Lets an expert work until it reports, asks, or cannot go on.
 */
export async function runExpert(
  session: AgentSession,
  mode: Mode,
  services: ExpertServices,
  signal: AbortSignal,
  { isReview = false, isMate }: RunOptions = {},
): Promise<ExpertEnd> {
  const isPlanner = mode.slug === "rooroo-planner";
  const kind: ReportKind = isPlanner ? "plan" : isReview ? "review" : "task";
  const experts = () => (isPlanner ? services.assignable() : undefined);
  const ending = {
    tool: completionTool(kind),
    accept: async (args: unknown) => {
      const report = completeReport(args, kind, experts());
      const problem = reportProblem(report, experts());
      const misfit =
        problem ??
        (await artifactProblem(
          report,
          { mode, folder: session.folder, isMate },
          services.host.files,
        ));
      return misfit && { misfit };
    },
  };
  const end = await session.run(ending, signal, services);
  if (end.type === "completed") {
    const report = completeReport(end.args, kind, experts());
    const { findings } = report;
    const placed = findings && { findings: await placeFindings(findings, services.host) };
    const own = isPlanner ? await ownOverview(report, services.host.files) : {};
    return { type: "reported", callId: end.callId, report: { ...report, ...placed, ...own } };
  }
  // What can be used of the last report is better than none.
  const rejected = end.type === "exhausted" ? usableOf(lastReport(session), experts()) : undefined;
  if (rejected?.type !== "plan") return rejected ?? end;
  return { type: "reported", callId: null, report: rejected.report };
}

/** The most bytes of a planner's overview that are read. */
const maxOverview = 100_000;

/** Returns the overview that a planner wrote in `plans/` itself and names in its report: that is the plan's. */
async function ownOverview(
  { output_artifact_paths: paths }: Report,
  files: FileSystem,
): Promise<Partial<Report>> {
  const path = paths.find((one) => /^\.rooroo\/plans\/[^/]+\.md$/.test(one));
  if (path === undefined) return {};
  const read = await readNamedFile(path, files, maxOverview, new IgnoredFiles(files).once());
  const text = read.type === "text" ? read.text.trim() : "";
  return text === "" ? {} : { plan_overview: text };
}

/** Returns the arguments of the report that the expert's last reply submitted; empty if it was none. */
function lastReport({ transcript }: AgentSession): string {
  const last = transcript.messages.findLast(({ role }) => role === "assistant");
  const calls = last?.role === "assistant" ? last.toolCalls : [];
  return calls.find(({ name }) => name === "attempt_completion")?.arguments ?? "";
}

/**
 * R-ROO-3: Resolves with why a report is rejected for the files that it names, if it is. They must exist,
 * because a report that names missing files is worth nothing; below `.rooroo/`, they must be the expert's own, or of a task
 * of the same plan.
 */
async function artifactProblem(
  report: Report,
  { mode: { writes }, folder, isMate }: Pick<RunOptions, "isMate"> & { mode: Mode; folder: string },
  files: FileSystem,
): Promise<Words | undefined> {
  for (const path of report.output_artifact_paths) {
    if (hasPlaceholder(path) || /^([A-Za-z]:|[\\/~])/.test(path)) {
      return words("{path}: write paths relative to the workspace root.", { path });
    }
    const { path: real, inside } = await files.locate(path);
    if (!inside) {
      return words("{path} is outside the workspace; name workspace files only.", { path });
    }
    const isOfRooroo = /^\.rooroo(\/|$)/i.test(real);
    if (isOfRooroo && !real.startsWith(`${folder}/`) && !isOwn(writes, real, folder)) {
      const other = otherTaskOf(real, folder);
      if (other === undefined || (await isMate?.(other)) !== true) {
        return words(
          "output_artifact_paths names {path}, which is not this task's. Below .rooroo/, name files in {folder}/ only.",
          { path, folder },
        );
      }
    }
    if ((await files.stat(path)) === undefined) {
      return words(
        "output_artifact_paths names {path}, which does not exist. Write it, or leave it out.",
        { path },
      );
    }
  }
  return undefined;
}
