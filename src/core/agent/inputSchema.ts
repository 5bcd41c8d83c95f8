import * as z from "zod";

type JsonSchema = z.core.ZodStandardJSONSchemaPayload<z.ZodType>;

const made = new WeakMap<z.ZodType, JsonSchema>();

/** What a tool takes, as JSON Schema. Made once for a tool: each of its calls is measured by it. */
export function inputSchema(parameters: z.ZodType): JsonSchema {
  const schema = made.get(parameters) ?? z.toJSONSchema(parameters, { io: "input" });
  made.set(parameters, schema);
  return schema;
}
