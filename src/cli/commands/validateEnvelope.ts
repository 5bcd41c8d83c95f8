import { jsonFault } from "../../core/documents/jsonFault.js";
import { parseJson } from "../../core/documents/parseJson.js";
import type { PlanStep } from "../../core/envelope/envelope.js";
import { checkEnvelope, readEnvelope } from "../../core/envelope/readEnvelope.js";
import type { RuleId } from "../../core/envelope/rules.js";
import { joined } from "../../core/text/joined.js";
import { type Said, words } from "../../core/text/words.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import type { Cli, Result } from "./command.js";
import { judged, type Problem, readTextFile, verdictText } from "./validate.js";

/** The result of checking one envelope of a file. */
interface EnvelopeVerdict {
  /** The 1-based line on which the envelope begins. */
  readonly line: number;
  readonly valid: boolean;
  /** The rules that the envelope breaks, each once. */
  readonly rules: readonly RuleId[];
  readonly problems: readonly Problem[];
}

/**
 * Checks which rules each envelope in a file breaks. Throws
 * {@link WrongUse} if a file cannot be read, or has no plan to compare with.
 */
export async function validateEnvelope(
  file: string,
  previousPlan: string | undefined,
  { input }: Cli,
): Promise<Result<never>> {
  const previous = previousPlan === undefined ? [] : await readPlan(previousPlan, input);
  const read = await readTextFile(file, input);
  if ("problem" in read) {
    const one = judged({ file, problems: [read.problem], fine: "" });
    return { ...one, json: () => [one.json?.()] };
  }
  const verdicts = envelopesIn(read.text.replace(/^\uFEFF/, "")).map(({ line, text }) =>
    judge(line, text, previous),
  );
  const problems = verdicts.flatMap((verdict) => verdict.problems);
  const fine =
    verdicts.length === 1
      ? t("the envelope is valid.")
      : t("{0} envelopes are valid.", verdicts.length);
  return {
    end: problems.length === 0 ? "done" : "failed",
    json: () => verdicts.map((verdict) => ({ file, ...verdict })),
    text: () => verdictText({ file, problems, fine }),
  };
}

function judge(line: number, text: string, previous: readonly PlanStep[]): EnvelopeVerdict {
  const read = readEnvelope(text, previous);
  const broken = read.ok ? [] : read.problems;
  return {
    line,
    valid: read.ok,
    rules: [...new Set(broken.map(({ rule }) => rule))],
    problems: broken.map(({ rule, path, message }) => ({
      line,
      field: path === "" ? rule : `${rule}: ${path}`,
      message,
    })),
  };
}

/** Returns one envelope per line if the file is made up that way; else the whole text as one envelope. */
function envelopesIn(text: string): { line: number; text: string }[] {
  const lines = text
    .split("\n")
    .map((content, index) => ({ line: index + 1, text: content }))
    .filter((line) => line.text.trim() !== "");
  const objects = lines.filter((line) => isObject(line.text)).length;
  const isList = objects > 1 || (lines.length > 1 && lines.every((line) => isBegun(line.text)));
  if (isList && !isObject(text)) return lines;
  return [{ line: lines[0]?.line ?? 1, text }];
}

function isBegun(line: string): boolean {
  return line.startsWith("{") && line.trim().length > 1;
}

function isObject(text: string): boolean {
  const json = parseJson(text);
  return json.ok && typeof json.value === "object" && json.value !== null;
}

/** Reads a plan from a file that has a list of steps or an envelope. Throws {@link WrongUse}. */
async function readPlan(file: string, input: Cli["input"]): Promise<readonly PlanStep[]> {
  const read = await readTextFile(file, input);
  const wrong = (problem: Said) =>
    new WrongUse("planInvalid", "{file} has no plan that can be used: {problem}.", {
      file,
      problem,
    });
  if ("problem" in read) throw wrong(read.problem.message);
  const json = parseJson(read.text);
  if (!json.ok) throw wrong(words("it is not JSON ({place})", { place: jsonFault(read.text) }));
  const plan = Array.isArray(json.value) ? (json.value as unknown[]) : planOf(json.value);
  const checked = checkEnvelope({ message: "-", plan });
  const ofForm = "problems" in checked ? checked.problems : [];
  const problem = ofForm.find(({ rule }) => /^R-ENV-[12]\//.test(rule));
  if (problem !== undefined) throw wrong(joined(`${problem.path} `, problem.message));
  return plan as readonly PlanStep[];
}

function planOf(value: unknown): unknown {
  const found = typeof value === "object" && value !== null && "plan" in value;
  return found ? value.plan : undefined;
}
