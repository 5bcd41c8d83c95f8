import { modeName } from "../../core/experts/modeName.js";
import { t } from "./words.js";

/** Returns the name of an expert for a person: the names of the user's own experts stay as they are. */
export function expertName(mode: string): string {
  return t(modeName(mode));
}

/** Says who asks a question. */
export function askerText({ mode, machine }: { mode: string; machine?: string }): string {
  const name = expertName(mode);
  return machine === undefined ? t("{0} asks", name) : t("{0} on {1} asks", name, machine);
}
