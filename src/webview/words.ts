import type { TemplateResult } from "lit";
import { type Messages, type MessageValue, translator } from "../core/text/translator.js";

/** The page, which names the file of its language; absent in a test outside of a page. */
const page = (globalThis as { document?: Document }).document?.documentElement;

/** Returns a message in the editor's language. */
export const t = translator(page?.lang ?? "en", await messagesOf(page?.dataset["words"]));

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

/** Loads the messages of a language; none if the page names none, or it cannot be loaded. */
async function messagesOf(uri = ""): Promise<Messages> {
  if (uri === "") return {};
  try {
    return ((await import(uri)) as { default: Messages }).default;
  } catch (error) {
    reportError(error);
    return {};
  }
}
