import { parseLooseJson } from "../../documents/looseJson.js";
import type { WrittenCall } from "./writtenCall.js";

const nameKeys = ["name", "tool", "tool_name", "function", "function_name", "action"];
const payloadKeys = [
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
const neutral = new Set(["id", "type", "call_id", "index"]);

/**
 * Reads the calls in a JSON value: an object with a name and arguments, in the forms that models and servers
 * write, or a list of such objects. Returns `undefined` for anything else.
 */
export function callsInJson(text: string): readonly WrittenCall[] | undefined {
  const json = parseLooseJson(text);
  return json.ok ? callsIn(json.value) : undefined;
}

function callsIn(value: unknown): readonly WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map(callsIn);
    return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).filter((key) => !neutral.has(key));
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
  const [payloadKey] = rest.filter((key) => payloadKeys.includes(key));
  if (payloadKey !== undefined && rest.length === 1) {
    const payload = object[payloadKey];
    return [{ name, json: typeof payload === "string" ? payload : JSON.stringify(payload) }];
  }
  // The arguments stand beside the name.
  const fields = Object.fromEntries(rest.map((key) => [key, object[key]]));
  return [{ name, json: JSON.stringify(fields) }];
}
