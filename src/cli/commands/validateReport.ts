import { parseJson } from "../../core/documents/parseJson.js";
import { Modes } from "../../core/experts/modes.js";
import { completeReport, completionTool, reportProblem } from "../../core/experts/report.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { lineAt, lineOfField } from "./lineOfField.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Problem, readTextFile, tellProblems } from "./validation.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Prints which fields of a report are invalid, in the words that an expert would get. */
export async function validateReport(
  file: string,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const modes = new Modes(
    machine(await workspaceRoot(options.workspace), "rooroo validate").files,
    new TimedPatterns(),
  );
  await modes.refresh();
  const experts = modes.assignable.map(({ slug }) => slug);
  const read = await readTextFile(file);
  const problems = "problem" in read ? [read.problem] : problemsOf(read.text, experts);
  return tellProblems(file, problems, "the report is valid.", options, terminal);
}

/** @param experts slugs of the experts to which a planner may give tasks */
function problemsOf(text: string, experts: readonly string[]): Problem[] {
  const bare = text.replace(/^\uFEFF/, "");
  const read = parseJson(bare);
  if (!read.ok) {
    const { reason, offset = bare.trimEnd().length } = read;
    return [{ line: lineAt(bare, offset), message: `This is not JSON: ${reason}.` }];
  }
  const json = read.value;
  const isPlanner = isPlannersReport(json);
  const tool = completionTool(isPlanner);
  const given = tool.normalise?.(json) ?? json;
  const parsed = tool.parameters.safeParse(given);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({
      line: lineOfField(bare, path),
      ...(path.length === 0 ? {} : { field: path.join(".") }),
      message,
    }));
  }
  const report = completeReport(parsed.data);
  const problem = reportProblem(report, isPlanner ? experts : undefined);
  return [
    ...(problem === undefined ? [] : [{ line: lineOfField(bare, ["status"]), message: problem }]),
    ...report.output_artifact_paths.flatMap((path, index): Problem[] =>
      isWorkspacePath(path)
        ? []
        : [
            {
              line: lineOfField(bare, ["output_artifact_paths", index]),
              field: `output_artifact_paths.${index}`,
              message: `${JSON.stringify(path)}: write paths relative to the workspace root.`,
            },
          ],
    ),
  ];
}

/** Whether a report has fields that only a planner's report has; they are checked only there. */
function isPlannersReport(json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  const fields = json as Record<string, unknown>;
  const tasks = fields["queue_tasks_json_lines"];
  return (
    fields["status"] === "Advice" ||
    Boolean(fields["advice_details"]) ||
    (Array.isArray(tasks) ? tasks.length > 0 : typeof tasks === "string")
  );
}

function isWorkspacePath(path: string): boolean {
  return (
    !path.includes("{{") && !/^([A-Za-z]:|[\\/])/.test(path) && !/(^|[\\/])\.\.([\\/]|$)/.test(path)
  );
}
