import { modeName } from "../core/experts/modeName.js";
import { terminalText } from "./terminalText.js";

/** A mode as people say it, safe to print. */
export function expertName(mode: string): string {
  return terminalText(modeName(mode));
}
