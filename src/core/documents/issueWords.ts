import type * as z from "zod";
import { translatable } from "../text/translator.js";
import { type Said, words } from "../text/words.js";

/** What a value must be, by the name that its schema has for it. */
const kinds: Readonly<Record<string, string>> = {
  string: translatable("must be a text"),
  array: translatable("must be a list"),
  number: translatable("must be a number"),
  boolean: translatable("must be true or false"),
};

/** Returns what is wrong with a value that does not fit its schema, as it follows the value's name. */
export function issueWords(issue: z.core.$ZodIssue): Said {
  if (issue.code === "invalid_type") {
    const template = kinds[issue.expected];
    return template === undefined ? words("must be an object") : { template, params: {} };
  }
  if (issue.code === "too_small") {
    return issue.origin === "number"
      ? words("must be more than {least}", { least: Number(issue.minimum) })
      : words("must not be empty");
  }
  if (issue.code === "too_big") {
    return issue.origin === "number"
      ? words("must be at most {most}", { most: Number(issue.maximum) })
      : words("is too long");
  }
  if (issue.code === "unrecognized_keys") {
    return words("has what is not known here: {keys}", { keys: issue.keys.join(", ") });
  }
  // A schema's own words.
  return { template: issue.message, params: {} };
}
