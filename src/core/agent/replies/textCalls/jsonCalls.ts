import { jsonValueEnd } from "../../../documents/jsonValueEnd.js";
import { parseLooseJson } from "../../../documents/looseJson.js";
import type { Groups, Reading, WrittenCall } from "./style.js";

/** Reads arguments that are one JSON value. */
export function jsonArguments(
  text: string,
  at: number,
  { name = "" }: Groups,
): Reading | undefined {
  const end = jsonValueEnd(text, at);
  return end === undefined ? undefined : { calls: [{ name, json: text.slice(at, end) }], end };
}

/**
 * Reads whole calls that are one JSON value: an object with a name and arguments, in the forms that models and
 * servers write, or a list of such objects.
 */
export function jsonCalls(text: string, at: number): Reading | undefined {
  const end = jsonValueEnd(text, at);
  if (end === undefined) return undefined;
  const json = parseLooseJson(text.slice(at, end));
  const calls = json.ok ? callsIn(json.value) : undefined;
  return calls && { calls, end };
}

const nameKeys = ["name", "tool", "tool_name", "function", "function_name", "action"];
const argumentKeys = [
  "arguments",
  "parameters",
  "args",
  "input",
  "params",
  "tool_input",
  "action_input",
  "tool_args",
  "tool_arguments",
];
const neutralKeys = new Set(["id", "type", "call_id", "tool_call_id", "index"]);

/** Returns the calls that a JSON value is; `undefined` if it is anything else. */
function callsIn(value: unknown): readonly WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map(callsIn);
    return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).filter((key) => !neutralKeys.has(key));
  const inner = object["tool_calls"] ?? object["function_call"] ?? object["function"];
  if (keys.length === 1 && typeof inner === "object" && inner !== null) return callsIn(inner);
  const nameKey = nameKeys.find((key) => typeof object[key] === "string");
  if (nameKey === undefined) {
    const [key = ""] = keys;
    const only = object[key];
    const isCall = keys.length === 1 && typeof only === "object" && only !== null;
    return isCall ? [{ name: key, json: JSON.stringify(only) }] : undefined;
  }
  const name = String(object[nameKey]);
  const rest = keys.filter((key) => key !== nameKey);
  const [argumentKey] = rest.filter((key) => argumentKeys.includes(key));
  if (argumentKey !== undefined && rest.length === 1) {
    const given = object[argumentKey];
    return [{ name, json: typeof given === "string" ? given : JSON.stringify(given) }];
  }
  // The arguments stand beside the name.
  const fields = Object.fromEntries(rest.map((key) => [key, object[key]]));
  return [{ name, json: JSON.stringify(fields) }];
}
