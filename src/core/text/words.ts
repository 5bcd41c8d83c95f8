import { english, type Translate } from "./translator.js";

/** What is said to a person: words of ours, or a text that is somebody else's, such as a path or a model's. */
export type Said = string | Words;

/** What a placeholder stands for. */
type WordsValue = Said | number;

/**
 * A sentence for people. It is kept as its English form, which is the key of its translations, with what its placeholders
 * stand for, so that it can be said in any language where a person reads it. A `UserError` is one, too.
 */
export interface Words {
  readonly template: string;
  readonly params: Readonly<Record<string, WordsValue>>;
}

/** Data in which words may stand wherever a text may. */
export type Drafted<T> = T extends string
  ? string extends T
    ? Said
    : T
  : T extends object
    ? { readonly [Key in keyof T]: Drafted<T[Key]> }
    : T;

/** Data with a text wherever words may stand. */
export type Spoken<T> = T extends Words
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: Spoken<T[Key]> }
    : T;

/** The names of a template's placeholders. */
type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Own}, ${string}` ? Own : Name) | Placeholder<Rest>
  : never;

/** An object with a value for each placeholder of the template, and nothing else; with plurals, any object. */
export type ParamsOf<Template extends string> = string extends Template
  ? Words["params"]
  : Template extends `${string}, plural,${string}`
    ? Words["params"]
    : [Placeholder<Template>] extends [never]
      ? Readonly<Record<string, never>>
      : Readonly<Record<Placeholder<Template>, WordsValue>>;

/** The parameters after a template: none if it has no placeholders. */
export type ParamsAfter<Template extends string> = string extends Template
  ? [params?: ParamsOf<Template>]
  : [Placeholder<Template>] extends [never]
    ? []
    : [params: ParamsOf<Template>];

/** Returns a sentence for people; `{name}` stands for the parameter of that name, as for `Translate`. */
export function words<const Template extends string>(
  template: Template,
  ...given: ParamsAfter<Template>
): Words {
  const [params = {}]: readonly (Words["params"] | undefined)[] = given;
  return { template, params };
}

/** Returns what is said as a text, in English or in the language of `t`. */
export function spoken(said: Said, t: Translate = english): string {
  if (typeof said === "string") return said;
  const values = Object.entries(said.params).map(([name, value]) => [
    name,
    typeof value === "number" ? value : spoken(value, t),
  ]);
  return t(said.template, Object.fromEntries(values) as Record<string, string | number>);
}

export function isWords(value: unknown): value is Words {
  return typeof value === "object" && value !== null && "template" in value && "params" in value;
}
