import { modeName } from "../core/experts/modeName.js";
import { t } from "./words.js";

/** Returns the name of an expert for a person: the names of the user's own experts stay as they are. */
export function expertName(mode: string): string {
  return t(modeName(mode));
}
