import { parseLooseJson } from "../looseJson.js";
import { recordOf } from "../recordOf.js";
import { meantObjects } from "./meantObjects.js";
import { meantWord, spelledWord } from "./meantWord.js";

/** The parts of a JSON Schema that say a value's shape. */
export interface Shape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/**
 * Returns a value that a model wrote in the shape that was asked for, wherever its meaning is certain; what is not is left
 * as it is, for the schema to judge. A value that has the shape is returned itself. `docs/protocols/replies.md` has the
 * table of what is understood.
 */
export function inMeantShape(value: unknown, shape: Shape): unknown {
  if (value === undefined || value === null) return value;
  const { anyOf = [] } = shape;
  const branches = anyOf.filter(({ type }) => type !== "null");
  if (branches.length > 1) return value;
  const [{ type, enum: words, items = {} } = shape] = branches;
  if (words !== undefined) {
    const known = words.filter((word) => typeof word === "string");
    return typeof value === "string" ? (meantWord(value, known) ?? value) : value;
  }
  if (type === "array") return listOf(value, items);
  if (type === "object") return objectOf(value, branches[0] ?? shape);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return (type === "integer" || type === "number") && /^-?\d{1,15}$/.test(text)
    ? Number(text)
    : value;
}

/** Returns the list that is meant: one thing alone is a list of one, and a text may hold a list. */
function listOf(value: unknown, items: Shape): unknown {
  const holdsObjects = items.type === "object";
  const list = holdsObjects
    ? meantObjects(value)
    : typeof value === "string"
      ? listIn(value)
      : value;
  if (!Array.isArray(list)) return list;
  const meant = list.map((one) => inMeantShape(one, items));
  return isSame(meant, value) ? value : meant;
}

function listIn(text: string): unknown[] {
  if (text.trim() === "") return [];
  const json = text.trim().startsWith("[") ? parseLooseJson(text) : undefined;
  return json?.ok === true && Array.isArray(json.value) ? (json.value as unknown[]) : [text];
}

/** Returns the object that is meant: names in other spellings, JSON in a text, or its one required text alone. */
function objectOf(value: unknown, { properties = {}, required = [] }: Shape): unknown {
  if (typeof value === "string") {
    const json = parseLooseJson(value);
    const object = json.ok ? recordOf(json.value) : undefined;
    if (object !== undefined) return objectOf(object, { properties, required });
    const [only, ...more] = required;
    const isOneText = only !== undefined && more.length === 0 && !/^\s*[{[]/.test(value);
    return isOneText && properties[only]?.type === "string" && value.trim() !== ""
      ? { [only]: value }
      : value;
  }
  const fields = recordOf(value);
  if (fields === undefined) return value;
  const names = Object.keys(properties);
  const meant = Object.entries(fields).map(([key, one]): [string, unknown] => {
    const name = spelledWord(key, names);
    const isFree = name !== undefined && (name === key || !Object.hasOwn(fields, name));
    return isFree ? [name, inMeantShape(one, properties[name] ?? {})] : [key, one];
  });
  const isUnchanged = meant.every(
    ([key, one]) => Object.hasOwn(fields, key) && fields[key] === one,
  );
  return isUnchanged ? value : Object.fromEntries(meant);
}

function isSame(list: readonly unknown[], value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === list.length &&
    list.every((one, index) => one === value[index])
  );
}
