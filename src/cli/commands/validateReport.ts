import { asMeant } from "../../core/agent/toolDefinition.js";
import { issueWords } from "../../core/documents/issueWords.js";
import { faultOffset, jsonFault } from "../../core/documents/jsonFault.js";
import type { NamedExpert } from "../../core/documents/meant/meantWord.js";
import { parseJson } from "../../core/documents/parseJson.js";
import { completeReport, completionTool, reportProblem } from "../../core/experts/report.js";
import { words } from "../../core/text/words.js";
import { hasPlaceholder } from "../../core/tools/calls/resolvePath.js";
import { t } from "../language/language.js";
import type { Cli, Result } from "./command.js";
import { judged, type Problem, readTextFile, workspaceModes } from "./validate.js";

/**
 * Checks which fields of a report are invalid. Throws `WrongUse` if the
 * file or the workspace cannot be read.
 */
export async function validateReport(
  file: string,
  { options, input }: Cli,
): Promise<Result<never>> {
  const modes = await workspaceModes(options.workspace);
  const experts = modes.assignable;
  const read = await readTextFile(file, input);
  const problems = "problem" in read ? [read.problem] : problemsOf(read.text, experts);
  return judged({ file, problems, fine: t("the report is valid.") });
}

/** @param experts those to which a planner may give tasks */
function problemsOf(text: string, experts: readonly NamedExpert[]): Problem[] {
  const bare = text.replace(/^\uFEFF/, "");
  const read = parseJson(bare);
  if (!read.ok) {
    const offset = faultOffset(bare) ?? bare.trimEnd().length;
    const message = words("This is not JSON ({place}).", { place: jsonFault(bare) });
    return [{ line: lineAt(bare, offset), message }];
  }
  const json = read.value;
  const isPlanner = isPlannersReport(json);
  const tool = completionTool(isPlanner ? "plan" : "task");
  const parsed = tool.parameters.safeParse(asMeant(tool, json), { reportInput: true });
  if (!parsed.success) {
    return parsed.error.issues.map((issue) => ({
      line: lineOfField(bare, issue.path),
      ...(issue.path.length === 0 ? {} : { field: issue.path.join(".") }),
      message: issueWords(issue),
    }));
  }
  const report = completeReport(parsed.data, "plan", experts);
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
              message: words("{path}: write paths relative to the workspace root.", {
                path: JSON.stringify(path),
              }),
            },
          ],
    ),
  ];
}

/** Returns whether a report has fields that only a planner's report has; they are checked only there. */
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
    !hasPlaceholder(path) &&
    !/^([A-Za-z]:|[\\/])/.test(path) &&
    !/(^|[\\/])\.\.([\\/]|$)/.test(path)
  );
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Returns the 1-based line of a field in JSON text; for a missing field, the line of the deepest of its
 * parents that is there.
 */
function lineOfField(json: string, path: readonly PropertyKey[]): number {
  const open: { isObject: boolean; key: string | number }[] = [];
  const best = { depth: 0, offset: json.search(/\S/) };
  let expectsKey = false;
  const note = (offset: number) => {
    const isOnPath = open.every(({ key }, depth) => String(key) === String(path[depth]));
    if (isOnPath && open.length > best.depth) Object.assign(best, { depth: open.length, offset });
  };
  for (const { 0: text, index } of json.matchAll(token)) {
    const inside = open.at(-1);
    if (text === "}" || text === "]") open.pop();
    else if (text === ":") expectsKey = false;
    else if (text === ",") {
      if (typeof inside?.key === "number") inside.key++;
      expectsKey = inside?.isObject === true;
    } else if (inside?.isObject === true && expectsKey) {
      inside.key = JSON.parse(text) as string;
      note(index);
    } else {
      if (inside?.isObject === false) note(index);
      if (text === "{" || text === "[") {
        open.push({ isObject: text === "{", key: text === "{" ? "" : 0 });
        expectsKey = text === "{";
      }
    }
  }
  return lineAt(json, best.offset);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}
