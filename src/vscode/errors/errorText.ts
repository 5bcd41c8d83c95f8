import { saidBy } from "../../core/errors.js";
import { spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

/** Returns an error's words for the person at the editor, in the editor's language if there is a translation. */
export function errorText(error: unknown): string {
  return spoken(saidBy(error), t);
}
