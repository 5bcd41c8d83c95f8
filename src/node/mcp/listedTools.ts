import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { recordOf } from "../../core/documents/recordOf.js";
import type { HostTool } from "../../core/ports/editor.js";
import { joined } from "../../core/text/joined.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { type Said, words } from "../../core/text/words.js";

/** A tool as its server lists it. */
export interface ListedTool extends HostTool {
  /** JSON Schema of its answers' structured part. Absent: it gives none. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** The tools of a server's list that can be used, and which others are left out, with why. */
export interface ReadTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: readonly Said[];
}

/**
 * Reads a server's list entry by entry, so that an odd one costs none of the others. What has one meaning is taken: a
 * schema without a type, no description. Never throws.
 */
export function readTools(entries: readonly unknown[]): ReadTools {
  const tools = new Map<string, ListedTool>();
  const leftOut: Said[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = readTool(entry, index + 1);
    if (read === "not for models") continue;
    if ("why" in read) leftOut.push(joined(visibleLine(read.name, 100), " (", read.why, ")"));
    else if (!tools.has(read.name)) tools.set(read.name, read);
  }
  return { tools: [...tools.values()], leftOut };
}

function readTool(
  entry: unknown,
  number: number,
): ListedTool | "not for models" | { readonly name: string; readonly why: Said } {
  const given = recordOf(entry);
  const { name, description, inputSchema, outputSchema } = given ?? {};
  if (given === undefined || typeof name !== "string" || name === "") {
    return { name: `#${number}`, why: words("it has no name") };
  }
  // MCP Apps, and OpenAI's before them, name so what only their own pages may call.
  const meta = recordOf(given["_meta"]);
  const visibility = recordOf(meta?.["ui"])?.["visibility"];
  if (Array.isArray(visibility) && !visibility.includes("model")) return "not for models";
  if (meta?.["openai/visibility"] === "private") return "not for models";
  if (recordOf(given["execution"])?.["taskSupport"] === "required") {
    return { name, why: words("it runs as a task only, which is not supported") };
  }
  const input = recordOf(inputSchema);
  const type = input?.["type"] ?? "object";
  const isObject = Array.isArray(type) ? type.includes("object") : type === "object";
  if (input === undefined || !isObject) {
    return { name, why: words("the schema of its input is not that of an object") };
  }
  const output = recordOf(outputSchema);
  return {
    name,
    description: typeof description === "string" ? description : "",
    parameters: { ...input, type: "object" },
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}

/** Options for schemas that others have written: formats are not checked, and words that no standard has are let pass. */
const lenient = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  logger: false,
} as const;

/**
 * Returns what in a value does not fit a schema; `undefined` if it fits, or if nothing can be said because the schema is
 * none that can be checked. It is read as JSON Schema 2020-12, which is MCP's default (SEP-1613), or as draft-07 if it says
 * that it is of that draft or an earlier one.
 */
export function misfit(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
): string | undefined {
  const dialect = schema["$schema"];
  const isDraft = typeof dialect === "string" && /draft-0\d/.test(dialect);
  const ajv = isDraft ? new Ajv(lenient) : new Ajv2020(lenient);
  try {
    const fits = ajv.compile(schema);
    // A schema that says `$async` is checked by a promise.
    if ("$async" in fits || fits(value)) return undefined;
    return visibleLine((fits.errors ?? []).map(faultText).join(", "), 300);
  } catch {
    return undefined;
  }
}

/** Returns what the validator found, with the names and values that its own words leave out. */
function faultText({ instancePath, message = "", params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const named: unknown = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return `data${instancePath} ${message}${named === undefined ? "" : `: ${JSON.stringify(named)}`}`;
}
