import type * as z from "zod";
import { issueWords } from "../../documents/issueWords.js";
import { jsonFault } from "../../documents/jsonFault.js";
import { parseLooseJson } from "../../documents/looseJson.js";
import type { ToolCall } from "../../ports/messages.js";
import { type Words, words } from "../../text/words.js";
import type { AnyTool } from "../tool.js";
import { asMeant, inputSchema } from "../toolDefinition.js";

export type ParsedArguments =
  | { readonly ok: true; readonly args: never }
  /** `message` tells the model what is wrong, and what would fit; `wrong` tells people the first of it. */
  | { readonly ok: false; readonly message: string; readonly wrong: Words };

/** Parses a call's arguments by the tool's schema; nothing is guessed. */
export function parseArguments(tool: AnyTool, call: ToolCall): ParsedArguments {
  const text = call.arguments.trim();
  const json = parseLooseJson(text === "" ? "{}" : text);
  if (!json.ok) {
    return {
      ok: false,
      message: `The arguments of ${tool.name} are not JSON (${json.reason}). Call it again with one JSON object: ${shapeOf(tool)}.`,
      wrong: words("it is not JSON ({place})", { place: jsonFault(text) }),
    };
  }
  const parsed = tool.parameters.safeParse(asMeant(tool, json.value), { reportInput: true });
  if (parsed.success) return { ok: true, args: parsed.data as never };
  const { issues } = parsed.error;
  const [first] = issues;
  // One fault of a submission often has others follow; an action's are independent.
  const told = tool.kind === "completion" ? issues.slice(0, 1) : issues;
  const problems = told.map((issue) => {
    const field = issue.path.join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  });
  return {
    ok: false,
    message: `The arguments of ${tool.name} do not fit: ${problems.join("; ")}. Call it again with ${shapeOf(tool)}.`,
    wrong: first === undefined ? words("it does not fit") : wrongWords(first),
  };
}

/** Describes a tool's arguments, as in `{path: string, line?: integer}`. */
function shapeOf(tool: AnyTool): string {
  const schema = inputSchema(tool.parameters) as {
    properties?: Record<string, { type?: unknown; enum?: unknown[] }>;
    required?: string[];
  };
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type =
      field.enum?.map((value) => JSON.stringify(value)).join("|") ??
      (typeof field.type === "string" ? field.type : "value");
    return `${name}${required.has(name) ? "" : "?"}: ${type}`;
  });
  return `{${fields.join(", ")}}`;
}

/** Returns what is wrong with a submission, for a person. */
function wrongWords(issue: z.core.$ZodIssue): Words {
  const problem = issueWords(issue);
  const field = issue.path.join(".");
  return field === ""
    ? words("it {problem}", { problem })
    : words("“{field}” {problem}", { field, problem });
}
