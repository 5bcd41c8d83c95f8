import { modeName } from "../../core/experts/modeName.js";
import { terminalText } from "./terminalText.js";

/** Returns a mode's display name, safe to print. */
export function expertName(mode: string): string {
  return terminalText(modeName(mode));
}
