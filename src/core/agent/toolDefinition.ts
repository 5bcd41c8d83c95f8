import * as z from "zod";
import { inMeantShape, type Shape } from "../documents/meant/meantShape.js";
import { perObject } from "../perObject.js";
import type { ToolDefinition } from "../ports/messages.js";
import type { AnyTool } from "./tool.js";

type JsonSchema = z.core.ZodStandardJSONSchemaPayload<z.ZodType>;

/** Returns a tool's parameters as JSON Schema, which each call of the tool needs. */
export const inputSchema = perObject((parameters: z.ZodType): JsonSchema =>
  z.toJSONSchema(parameters, { io: "input" }),
);

/** Returns what was submitted in its tool's shape, where the meaning is certain; the input of other tools as it is. */
export function asMeant(tool: AnyTool, json: unknown): unknown {
  if (tool.kind !== "completion") return json;
  const own = tool.normalise?.(json) ?? json;
  return inMeantShape(own, inputSchema(tool.parameters) as Shape);
}

/** Returns a tool's definition for a model; always the same bytes for the same tool. */
export function definitionOf(tool: {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType;
  readonly schema?: ToolDefinition["parameters"];
}): ToolDefinition {
  if (tool.schema !== undefined) {
    return { name: tool.name, description: tool.description, parameters: tool.schema };
  }
  const schema = compact(inputSchema(tool.parameters)) as ToolDefinition["parameters"];
  return { name: tool.name, description: tool.description, parameters: schema };
}

/**
 * Removes from a schema what costs tokens in every request and tells a model nothing: the dialect, closed
 * objects, the safe-integer bounds, and `null` as an alternative (it is accepted, not asked for).
 */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact);
  if (typeof schema !== "object" || schema === null) return schema;
  const { anyOf, ...rest }: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, compact(value)]),
  );
  // Some servers refuse a schema with an exclusive bound; what is sent says nearly as much, and code checks the rest.
  for (const bound of ["Minimum", "Maximum"] as const) {
    const value = rest[`exclusive${bound}`];
    if (typeof value !== "number") continue;
    delete rest[`exclusive${bound}`];
    const step = rest["type"] !== "integer" ? 0 : bound === "Minimum" ? 1 : -1;
    rest[bound.toLowerCase()] = value + step;
  }
  if ("const" in rest) {
    rest["enum"] = [rest["const"]];
    delete rest["const"];
  }
  const types = rest["type"];
  if (Array.isArray(types)) {
    const [type, ...others] = (types as unknown[]).filter((one) => one !== "null");
    rest["type"] = others.length === 0 ? type : [type, ...others];
  }
  if (!Array.isArray(anyOf)) return rest;
  const branches = (anyOf as { type?: unknown }[]).filter((branch) => branch.type !== "null");
  return branches.length === 1 ? { ...branches[0], ...rest } : { ...rest, anyOf: branches };
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "$schema" || key === "additionalProperties" || key === "propertyNames") return true;
  return typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}
