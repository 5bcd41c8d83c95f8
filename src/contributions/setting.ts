import * as z from "zod/mini";
import type { Text } from "./text.js";

/** JSON Schema, as VS Code reads it, with a {@link Text} wherever it has words. */
type Schema = Readonly<Record<string, unknown>>;

/** The fields that every setting has. */
interface About<D> {
  /** The place in its group; those of one place are sorted by their names. */
  readonly order: number;
  /** `window`: a workspace may set it, once it is trusted; `application`: only the user. */
  readonly scope: "window" | "application";
  /** What it does, in Markdown. */
  readonly text: string;
  readonly default: D;
  /** More fields of its JSON Schema. */
  readonly also?: Schema;
}

/** A setting whose value has the type `T`, and the default `D`. */
export interface Setting<T, D = T, K extends "plain" | "own" = "plain" | "own"> {
  readonly about: About<D>;
  readonly schema: Schema;
  /** The texts of its values, each with a label or without. */
  readonly choices?: Readonly<Record<string, string | readonly [label: string, text: string]>>;
  /** For the types only: there is no such field. `plain`: its JSON Schema says all of it. `own`: a parser reads it. */
  readonly is?: readonly [kind: K, value: T];
}

export function flag<const D extends boolean>(about: About<D>): Setting<boolean, D, "plain"> {
  return { about, schema: { type: "boolean" } };
}

/** A whole number from `minimum` to `maximum`. */
export function whole<const D extends number>({
  minimum,
  maximum,
  ...about
}: About<D> & { readonly minimum: number; readonly maximum: number }): Setting<number, D, "plain"> {
  return { about, schema: { type: "integer", minimum, maximum } };
}

/** A line of text, which is trimmed. */
export function line<const D extends string>({
  minLength,
  maxLength,
  ...about
}: About<D> & { readonly minLength?: number; readonly maxLength: number }): Setting<
  string,
  D,
  "plain"
> {
  return { about, schema: { type: "string", minLength, maxLength } };
}

/** One of some values: those of a list, or those that have texts. */
export function choice<const V extends string, const D extends NoInfer<V>>({
  values,
  ...about
}: About<D> & {
  readonly values:
    | readonly V[]
    | Readonly<Record<V, string | readonly [label: string, text: string]>>;
}): Setting<V, D, "plain"> {
  if (isList(values)) return { about, schema: { type: "string", enum: values } };
  return { about, schema: { type: "string", enum: Object.keys(values) }, choices: values };
}

/** A setting with a JSON Schema of its own, whose values a parser of `vscode/settings/ownParsers.ts` reads. */
export function own<T, const D = unknown>({
  schema,
  ...about
}: About<D> & { readonly schema: Schema }): Setting<T, D, "own"> {
  return { about, schema };
}

/** Returns the JSON Schema of what a parser of the core accepts. */
export function schemaOf(parser: z.ZodMiniType, markdownDescription?: Text): Schema {
  const schema = Object.entries(z.toJSONSchema(parser)).filter(([key]) => key !== "$schema");
  return {
    ...Object.fromEntries(schema),
    ...(markdownDescription !== undefined && { markdownDescription }),
  };
}

/** Returns the JSON Schema of the same values and `null`. */
export function orNull({ type, enum: values, ...schema }: Schema): Schema {
  const listed = Array.isArray(values) ? { enum: [null, ...(values as unknown[])] } : {};
  return { ...schema, type: [type, "null"], ...listed };
}

function isList<V>(values: readonly V[] | object): values is readonly V[] {
  return Array.isArray(values);
}
