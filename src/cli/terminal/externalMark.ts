import { foreignWords } from "../../core/text/foreignWords.js";
import { t } from "../language/language.js";
import type { Style } from "./style.js";

/** A job or a run, and whether nobody has taken it over here. */
interface Marked {
  readonly isForeign: boolean;
}

/** Returns what marks a job or a run behind its name in a list; `""` if a person has taken it over. */
export function externalMark({ isForeign }: Marked, { yellow }: Style): string {
  return isForeign ? yellow(`  ${t("External")}`) : "";
}

/** Returns the lines that say, once for all that are shown, what the mark means. */
export function externalLines(shown: readonly Marked[]): readonly string[] {
  if (!shown.some(({ isForeign }) => isForeign)) return [];
  return [`${t("External")}: ${t(foreignWords)}`];
}
