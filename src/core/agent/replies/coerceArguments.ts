import { jsonValueEnd } from "../../documents/jsonValueEnd.js";
import { parseLooseJson } from "../../documents/looseJson.js";
import { parseJson } from "../../documents/parseJson.js";
import type { AnyTool } from "../tool.js";
import { asMeant, inputSchema } from "../toolDefinition.js";
import { resolveToolAlias } from "./resolveToolAlias.js";

type Fields = Readonly<Record<string, unknown>>;

export interface CoercionOptions {
  /** The tool's argument names, by the other names that the call may use. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Whether an argument that the tool does not have makes the call unusable. Default: it is dropped. */
  readonly strict?: boolean;
}

/**
 * Returns a call's arguments as JSON that fits the tool, or `undefined` if their meaning is not certain. A
 * text that fits already is returned byte for byte; missing arguments are never invented.
 */
export function coerceArguments(
  tool: AnyTool,
  text: string,
  options: CoercionOptions = {},
): string | undefined {
  const written = text.trim() === "" ? "{}" : text.trim();
  for (const value of valuesIn(written)) {
    for (const candidate of unwrapped(tool, value, 3)) {
      const fitting = fitted(tool, candidate, options);
      if (fitting === undefined) continue;
      return fitting === value && parseJson(written).ok ? text : JSON.stringify(fitting);
    }
  }
  return undefined;
}

/**
 * Yields the JSON value of a text. If several values were joined, as in `{}{"path":…}`, yields the only one
 * that is not empty.
 */
function* valuesIn(text: string): Generator {
  const whole = parseLooseJson(text);
  if (whole.ok) {
    yield whole.value;
    return;
  }
  const values = new Map<string, unknown>();
  let at = 0;
  while (at < text.length) {
    const end = jsonValueEnd(text, at);
    if (end === undefined) break;
    const value = parseLooseJson(text.slice(at, end));
    if (!value.ok) return;
    const plain = JSON.stringify(value.value);
    if (plain !== "{}") values.set(plain, value.value);
    at = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
  }
  // Surplus closing brackets or an empty string may follow.
  const isRest = /^(?:[\s}\]]*|"")$/.test(text.slice(at));
  const [only] = values.values();
  if (at > 0 && isRest && values.size <= 1) yield only ?? {};
}

const payloads = ["arguments", "parameters", "args", "input", "params", "kwargs", "action_input"];
const labels = new Set(["name", "tool", "tool_name", "function", "recipient_name", "action"]);
const neutral = new Set(["id", "type", "call_id"]);

/**
 * Yields the value. If it wraps the arguments, as a string of JSON, a list of one or a whole call does,
 * yields what it wraps first.
 */
function* unwrapped(tool: AnyTool, value: unknown, depth: number): Generator {
  const inner = depth > 0 ? innerOf(tool, value) : undefined;
  // A wrapper would itself fit a tool whose arguments are all optional.
  if (inner !== undefined && !knows(tool, value)) yield* unwrapped(tool, inner, depth - 1);
  yield value;
}

function innerOf(tool: AnyTool, value: unknown): unknown {
  if (typeof value === "string") {
    const json = /^\s*[{["]/.test(value) ? parseLooseJson(value) : undefined;
    return json?.ok === true ? json.value : undefined;
  }
  if (Array.isArray(value)) return value.length === 1 ? (value[0] as unknown) : undefined;
  if (!isFields(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === tool.name) return value[tool.name];
  const [payload, ...others] = keys.filter((key) => payloads.includes(key));
  if (payload === undefined || others.length > 0) return undefined;
  const rest = keys.filter((key) => key !== payload && !neutral.has(key));
  const isCall = rest.every((key) => {
    const label = value[key];
    return labels.has(key) && typeof label === "string" && isNameOf(tool, label);
  });
  return isCall && rest.length <= 1 ? value[payload] : undefined;
}

function isNameOf(tool: AnyTool, name: string): boolean {
  return resolveToolAlias(name, new Map([[tool.name, tool]])) !== undefined;
}

function knows(tool: AnyTool, value: unknown): boolean {
  const { properties } = schemaOf(tool);
  return isFields(value) && Object.keys(value).some((key) => Object.hasOwn(properties, key));
}

/**
 * Returns the value if it fits the tool, otherwise a copy with corrected argument names and types;
 * `undefined` if that does not fit either.
 */
function fitted(tool: AnyTool, given: unknown, options: CoercionOptions): unknown {
  if (!isFields(given)) return undefined;
  const schema = schemaOf(tool);
  const value = withTextOfJson(withLineRange(given, schema.properties), schema.properties);
  const rename = options.rename ?? {};
  const isNamed = Object.keys(value).every(
    (key) =>
      Object.hasOwn(schema.properties, key) || nameOf(key, schema.properties, rename) === undefined,
  );
  if (options.strict !== true && isNamed && fits(tool, value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const name = nameOf(key, schema.properties, rename);
    if (name === undefined) {
      if (options.strict === true && !remarks.has(key)) return undefined;
      continue;
    }
    if (Object.hasOwn(fields, name)) return undefined;
    const converted = typed(one, schema.properties[name] ?? {}, !schema.required.includes(name));
    if (converted !== undefined) fields[name] = converted;
  }
  if (!fits(tool, fields)) return undefined;
  return JSON.stringify(fields) === JSON.stringify(given) ? given : fields;
}

function fits(tool: AnyTool, value: Fields): boolean {
  return tool.parameters.safeParse(asMeant(tool, value)).success;
}

/**
 * Returns the arguments with `offset` and `limit`, by which other agents' tools take a range of lines, as a
 * first and a last line. Both count from 1.
 */
function withLineRange(value: Fields, properties: Fields): Fields {
  const { offset, limit, ...rest } = value;
  const isRange = ["start_line", "end_line"].every(
    (name) => Object.hasOwn(properties, name) && !Object.hasOwn(value, name),
  );
  const [first, count] = [wholeNumber(offset ?? 1), wholeNumber(limit ?? 1)];
  const isGiven = (offset ?? limit ?? undefined) !== undefined;
  if (!isRange || !isGiven || first === undefined || count === undefined || count < 1) return value;
  const start_line = Math.max(1, first);
  if ((limit ?? undefined) === undefined) return { ...rest, start_line };
  return { ...rest, start_line, end_line: start_line + count - 1 };
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : undefined;
}

/** Returns the arguments with the content of a JSON file as text, where it was given as JSON itself. */
function withTextOfJson(
  value: Fields,
  properties: Readonly<Record<string, PropertySchema>>,
): Fields {
  const { path, content } = value;
  const isText = typesOf(properties["content"] ?? {}).has("string");
  const isJson =
    typeof path === "string" &&
    /\.(?:json[c5]?|geojson|webmanifest|ipynb|code-workspace)$/i.test(path);
  if (!isText || !isJson || typeof content !== "object" || content === null) return value;
  return { ...value, content: `${JSON.stringify(content, null, 2)}\n` };
}

/**
 * Arguments in which other agents' tools have a model describe its call. They have no effect, so they are
 * dropped.
 */
const remarks = new Set(["description", "explanation"]);

/** Other names for `path`, in the form of {@link squashed}, that are unambiguous. */
const pathNames = new Set(["filepath", "absolutepath", "dirpath", "targetfile"]);

function nameOf(
  key: string,
  properties: Fields,
  rename: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.hasOwn(properties, key)) return key;
  const renamed = Object.hasOwn(rename, key) ? rename[key] : undefined;
  if (renamed !== undefined) return renamed;
  const plain = squashed(key);
  const same = Object.keys(properties).filter((name) => squashed(name) === plain);
  if (same.length === 1) return same[0];
  return pathNames.has(plain) && Object.hasOwn(properties, "path") ? "path" : undefined;
}

function squashed(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/**
 * Converts a string to the type in the schema, if the argument is not a string. Returns `undefined` for an
 * optional argument that is spelled as missing, as in `null`.
 */
function typed(value: unknown, schema: PropertySchema, isOptional: boolean): unknown {
  const types = typesOf(schema);
  if (typeof value !== "string" || types.has("string") || types.size === 0) return value;
  const text = value.trim();
  if (isOptional && /^(?:|null|None|undefined)$/.test(text)) return undefined;
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const isNumber = types.has("integer") ? /^-?\d+$/.test(text) : /^-?\d+(?:\.\d+)?$/.test(text);
  if (isNumber && (types.has("integer") || types.has("number"))) return Number(text);
  if (!types.has("array") && !types.has("object")) return value;
  const json = /^[{[]/.test(text) ? parseLooseJson(text) : undefined;
  return json?.ok === true ? json.value : value;
}

interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly PropertySchema[];
  readonly enum?: readonly unknown[];
}

function typesOf(schema: PropertySchema): Set<string> {
  const own = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return new Set([...own, ...(schema.anyOf ?? []).flatMap((one) => [...typesOf(one)])]);
}

function schemaOf(tool: AnyTool): {
  properties: Readonly<Record<string, PropertySchema>>;
  required: readonly string[];
} {
  const schema = inputSchema(tool.parameters);
  return {
    properties: (schema.properties ?? {}) as Record<string, PropertySchema>,
    required: schema.required ?? [],
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
