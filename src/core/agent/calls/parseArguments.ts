import { parseLooseJson } from "../../documents/looseJson.js";
import type { ToolCall } from "../../ports/messages.js";
import type { AnyTool } from "../tool.js";
import { asMeant, inputSchema } from "../toolDefinition.js";

export type ParsedArguments =
  | { readonly ok: true; readonly args: never }
  /** `message` tells the model what is wrong with each field, and what would fit. */
  | { readonly ok: false; readonly message: string };

/** Parses a call's arguments by the tool's schema; nothing is guessed. */
export function parseArguments(tool: AnyTool, call: ToolCall): ParsedArguments {
  const text = call.arguments.trim();
  const json = parseLooseJson(text === "" ? "{}" : text);
  if (!json.ok) {
    return {
      ok: false,
      message: `The arguments of ${tool.name} are not JSON (${json.reason}). Call it again with one JSON object: ${shapeOf(tool)}.`,
    };
  }
  const parsed = tool.parameters.safeParse(asMeant(tool, json.value));
  if (parsed.success) return { ok: true, args: parsed.data as never };
  const problems = parsed.error.issues.map((issue) => {
    const field = issue.path.join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  });
  return {
    ok: false,
    message: `The arguments of ${tool.name} do not fit: ${problems.join("; ")}. Call it again with ${shapeOf(tool)}.`,
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
