import { recordOf } from "../../core/documents/recordOf.js";

type Schema = Readonly<Record<string, unknown>>;

/** What a simplified schema keeps; everything else is refused by one server or another, and code checks it anyway. */
const kept: ReadonlySet<string> = new Set([
  "type",
  "description",
  "enum",
  "required",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
]);

/** Repetitions beyond this make grammars too big: llama.cpp refuses `maxLength` from 2,000. */
const mostRepeated = 1_000;

/** The most parts of a simplified schema, because one whose parts refer to one another may stand for any number. Later ones may be anything. */
const mostParts = 2_000;

/** How deep a name is looked for. */
const deepest = 12;

/**
 * Returns a schema of an object in the words that every server takes: references put in their places, a type where boolean
 * schemas were, `enum` for `const`, and no patterns, exclusive bounds, `propertyNames` and the like.
 */
export function simplified(schema: Schema): Schema {
  // OpenAI and Anthropic take no choices at the top: any of their properties may be there.
  const { anyOf, ...simple } = new Simplifier(schema).simple(schema, []);
  const choices = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const properties = [...choices, simple].map((one) => recordOf(one["properties"]));
  return { ...simple, type: "object", properties: Object.assign({}, ...properties) as Schema };
}

/** Simplifies one schema, part by part. */
class Simplifier {
  private parts = 0;

  constructor(private readonly root: Schema) {}

  /**
   * Returns a part in its simplest form.
   *
   * @param inside the references in whose places this part stands
   */
  simple(given: unknown, inside: readonly string[]): Schema {
    const node = recordOf(given);
    // A boolean schema, or one part too many: anything.
    if (node === undefined || ++this.parts > mostParts) return {};
    const { $ref, ...own } = node;
    if (typeof $ref !== "string") return this.described(node, inside);
    // A schema that holds itself ends there.
    const meant = inside.includes($ref) ? undefined : recordOf(resolved($ref, this.root));
    return this.simple({ ...meant, ...own }, [...inside, $ref]);
  }

  private described(node: Schema, inside: readonly string[]): Schema {
    const within = (one: unknown) => this.simple(one, inside);
    const simple: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      const isTooMany = /^m(?:in|ax)(?:Items|Length)$/.test(key) && Number(value) > mostRepeated;
      if (kept.has(key) && !isTooMany) simple[key] = value;
    }
    const types = [node["type"]].flat().filter((one) => one !== "null");
    if (types.length === 1 && knownTypes.has(types[0])) simple["type"] = types[0];
    else if (node["type"] !== "null") delete simple["type"];
    chooseAmong("const" in node && !("enum" in node) ? [node["const"]] : node["enum"], simple);
    const properties = recordOf(node["properties"]);
    if (properties !== undefined) {
      simple["properties"] = mapped(properties, within);
      const { required } = node;
      if (Array.isArray(required)) {
        simple["required"] = required.filter((one) => Object.hasOwn(properties, String(one)));
      }
    } else delete simple["required"];
    if ("items" in node && !Array.isArray(node["items"])) simple["items"] = within(node["items"]);
    else if (simple["type"] === "array") simple["items"] = {};
    const { anyOf, oneOf, allOf } = node;
    const all = Array.isArray(allOf) ? allOf.map(within).reduce(merged, simple) : simple;
    const given = anyOf ?? oneOf;
    const choices = Array.isArray(given) ? given.map(within) : [];
    const some = choices.filter((one) => one["type"] !== "null");
    const [only] = some;
    if (only === undefined || some.some((one) => Object.keys(one).length === 0)) return all;
    if (some.length === 1) return merged(all, only);
    // Vertex takes nothing beside choices; the top has its properties in any case.
    if (all["properties"] !== undefined) return { ...all, anyOf: some };
    const { description } = all;
    return {
      anyOf: description === undefined ? some : some.map((one) => ({ description, ...one })),
    };
  }
}

const knownTypes: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
]);

/** Lets a schema take these values only. Gemini takes none but texts that say something, so that others are described. */
function chooseAmong(values: unknown, simple: Record<string, unknown>): void {
  delete simple["enum"];
  if (!Array.isArray(values)) return;
  const types = new Set(values.filter((one) => one !== null).map((one) => typeOf(one)));
  if (simple["type"] === undefined && types.size === 1) [simple["type"]] = types;
  if (types.size === 1 && types.has("string") && !values.includes("")) {
    simple["enum"] = values.filter((one) => one !== null);
    return;
  }
  const listed = `One of: ${values.map((one) => JSON.stringify(one)).join(", ")}.`;
  const { description } = simple;
  simple["description"] = typeof description === "string" ? `${description} ${listed}` : listed;
}

/** Returns a schema with what another one asks for, too. */
function merged(one: Schema, other: Schema): Schema {
  const properties = { ...recordOf(one["properties"]), ...recordOf(other["properties"]) };
  const required = [one, other].flatMap(({ required: names }) =>
    Array.isArray(names) ? (names as unknown[]) : [],
  );
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** Returns what a reference within the schema leads to: a pointer, or an anchor. */
function resolved(ref: string, root: Schema): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#")) return undefined;
  if (!ref.startsWith("#/")) return anchored(ref.slice(1), root, 0);
  let at: unknown = root;
  for (const step of ref.slice(2).split("/")) {
    const key = unescaped(step).replaceAll("~1", "/").replaceAll("~0", "~");
    const here = typeof at === "object" && at !== null ? (at as Schema) : {};
    at = Object.hasOwn(here, key) ? here[key] : undefined;
  }
  return at;
}

function anchored(name: string, at: unknown, depth: number): unknown {
  if (typeof at !== "object" || at === null || depth > deepest) return undefined;
  const node = at as Schema;
  if (node["$anchor"] === name || node["$id"] === `#${name}`) return node;
  for (const one of Object.values(node)) {
    const found = anchored(name, one, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function mapped(all: Schema, change: (one: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
