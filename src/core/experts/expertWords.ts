import type { Words } from "../text/words.js";
import { modeName } from "./modeName.js";

/** Returns a mode's name for people; those of our own modes have translations. */
export function expertWords(mode: string): Words {
  return { template: modeName(mode), params: {} };
}
