import type { TemplateResult } from "lit";
import { type Messages, type MessageValue, translator } from "../../core/text/translator.js";

/** What the page shares with the script before it, which has the messages of its language. */
const page: { roorooMessages?: Messages; document?: Document } = globalThis;

/** Returns a message in the editor's language. */
export const t = translator(page.document?.documentElement.lang ?? "en", page.roorooMessages ?? {});

/** Does the same as {@link t} for values that are elements; returns what lit renders. */
export function rich(
  message: string,
  ...values: readonly (TemplateResult | MessageValue)[]
): readonly unknown[] {
  // Only the number of a plural has to be known; the others are put in afterwards, whatever stands in them.
  const text = t(
    message,
    ...values.map((value, index) => (typeof value === "number" ? value : `\0${index}\0`)),
  );
  // Every second part is the index of a value.
  return text
    .split(/\0(\d+)\0/)
    .map((part, index) => (index % 2 === 1 ? values[Number(part)] : part));
}
