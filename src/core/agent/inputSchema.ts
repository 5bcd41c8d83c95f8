import * as z from "zod";

type JsonSchema = z.core.ZodStandardJSONSchemaPayload<z.ZodType>;

const made = new WeakMap<z.ZodType, JsonSchema>();

/** Returns a tool's parameters as JSON Schema. It is cached, because each call of the tool needs it. */
export function inputSchema(parameters: z.ZodType): JsonSchema {
  const schema = made.get(parameters) ?? z.toJSONSchema(parameters, { io: "input" });
  made.set(parameters, schema);
  return schema;
}
