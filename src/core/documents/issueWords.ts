import type * as z from "zod";
import { translatable } from "../text/translator.js";
import { type Words, words } from "../text/words.js";

/** What a value must be, by the name that its schema has for it. */
const kinds: Readonly<Record<string, string>> = {
  string: translatable("must be a text"),
  array: translatable("must be a list"),
  number: translatable("must be a number"),
  int: translatable("must be a whole number"),
  boolean: translatable("must be true or false"),
};

/** Returns what is wrong with a value that does not fit its schema, as it follows the value's name. */
export function issueWords(issue: z.core.$ZodIssue): Words {
  // Present only where the schema was asked to say it.
  if ("input" in issue && issue.input === undefined) return words("is missing");
  if (issue.code === "invalid_type") {
    const template = kinds[issue.expected];
    return template === undefined ? words("must be an object") : { template, params: {} };
  }
  if (issue.code === "too_small") {
    if (issue.origin === "string" || issue.origin === "array") return words("must not be empty");
    const least = Number(issue.minimum);
    return issue.inclusive
      ? words("must be at least {least}", { least })
      : words("must be more than {least}", { least });
  }
  if (issue.code === "too_big") {
    return issue.origin === "string" || issue.origin === "array"
      ? words("is too long")
      : words("must be at most {most}", { most: Number(issue.maximum) });
  }
  if (issue.code === "unrecognized_keys") {
    return words("has what is not known here: {keys}", { keys: issue.keys.join(", ") });
  }
  if (issue.code === "invalid_value") {
    return words("must be one of {values}", { values: issue.values.map(String).join(", ") });
  }
  // A schema's own words.
  return { template: issue.message, params: {} };
}
