import type * as z from "zod";
import { issueWords } from "../documents/issueWords.js";
import { type Words, words } from "../text/words.js";
import { envelope, type Envelope, type PlanStep } from "./envelope.js";
import { commandProblems, decisionProblems } from "./envelopeProblems.js";
import { extractJson } from "./extractJson.js";
import type { EnvelopeProblem, RuleId } from "./rules.js";

export type ReadEnvelope =
  | { readonly ok: true; readonly envelope: Envelope; readonly recovered: boolean }
  | { readonly ok: false; readonly problems: readonly EnvelopeProblem[] };

/**
 * Reads a reply as an envelope, or returns the rules that it breaks. All problems of form are returned;
 * whether the parts may come together is checked only when the form is valid.
 *
 * @param previous the plan that the harness keeps; empty when there is none
 */
export function readEnvelope(reply: string, previous: readonly PlanStep[] = []): ReadEnvelope {
  const extracted = extractJson(reply);
  if (!extracted.ok) return { ok: false, problems: [extracted.problem] };
  const checked = checkEnvelope(extracted.value, previous);
  return "problems" in checked
    ? { ok: false, problems: checked.problems }
    : { ok: true, envelope: checked.envelope, recovered: extracted.recovered };
}

/** Checks parsed JSON as {@link readEnvelope} checks a reply. */
export function checkEnvelope(
  value: unknown,
  previous: readonly PlanStep[] = [],
): { envelope: Envelope } | { problems: EnvelopeProblem[] } {
  const nulls = nullsIn(value);
  const parsed = envelope.safeParse(value, { reportInput: true });
  const problems = [
    ...nulls.map((path): EnvelopeProblem => ({
      rule: "R-ENV-1/null",
      path,
      message: words("is null; leave out what does not apply"),
    })),
    ...(parsed.error?.issues ?? [])
      .filter((issue, _index, all) => !isConsequence(issue, all))
      .flatMap(problemsOf)
      .filter(({ path }) => !nulls.includes(path)),
  ];
  if (isEmptyObject(value)) {
    problems.push({
      rule: "R-ENV-5/nothing",
      path: "",
      message: words("has no message, plan or command"),
    });
  }
  if (!parsed.success || problems.length > 0) return { problems };
  const { command } = parsed.data;
  if (command !== undefined) problems.push(...commandProblems(command));
  problems.push(...decisionProblems(parsed.data, previous));
  return problems.length > 0 ? { problems } : { envelope: parsed.data };
}

/**
 * Returns whether an issue only follows from a wrong type: such a value may have a wrong length, too.
 */
function isConsequence(issue: z.core.$ZodIssue, all: readonly z.core.$ZodIssue[]): boolean {
  const path = issue.path.join(".");
  return (
    issue.code !== "invalid_type" &&
    all.some((other) => other.code === "invalid_type" && other.path.join(".") === path)
  );
}

function problemsOf(issue: z.core.$ZodIssue): EnvelopeProblem[] {
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      rule: issue.path.length === 0 ? "R-ENV-1/extra-key" : ruleOf(issue),
      path: path === "" ? key : `${path}.${key}`,
      message: words("is not a field of the envelope; leave it out"),
    }));
  }
  return [{ rule: ruleOf(issue), path, message: wordsOf(issue) }];
}

function ruleOf(issue: z.core.$ZodIssue): RuleId {
  const [top] = issue.path;
  if (top === "message") return "R-ENV-1/message";
  if (top === "command") return "R-ENV-6/payload";
  if (top !== "plan") return "R-ENV-1/object";
  if (issue.path.length === 1) return issue.code === "too_big" ? "R-ENV-2/size" : "R-ENV-2/plan";
  return issue.path.at(-1) === "status" ? "R-ENV-2/status" : "R-ENV-2/step";
}

function wordsOf(issue: z.core.$ZodIssue): Words {
  if (issue.code === "invalid_value") return issueWords(issue);
  if (issue.code !== "invalid_type") return { template: issue.message, params: {} };
  const { expected: type, input } = issue;
  return input === undefined
    ? words("is missing (JSON: {type})", { type })
    : words("must have the JSON type {type}", { type });
}

/** Returns the paths of the nulls, which have no meaning in an envelope. */
function nullsIn(value: unknown, path: readonly (string | number)[] = []): string[] {
  if (value === null) return path.length === 0 ? [] : [path.join(".")];
  if (typeof value !== "object") return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...(value as unknown[]).entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => nullsIn(inner, [...path, key]));
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !("message" in value) && !("plan" in value) && !("command" in value);
}
