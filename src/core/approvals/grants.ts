import type { Intent } from "../agent/tool.js";
import { isProtected } from "./policy.js";

/**
 * What a person allowed for the rest of a task: every ordinary write in the workspace, or one exact
 * command, request or call. Kept in memory only: a grant in a file could be forged.
 */
export class Grants {
  #writes = false;
  readonly #exact = new Set<string>();

  grant(intent: Intent): void {
    if (intent.access === "write") this.#writes = true;
    else this.#exact.add(keyOf(intent));
  }

  covers(intent: Intent): boolean {
    if ("inside" in intent && !intent.inside) return false;
    if (intent.access === "write") return this.#writes && !isProtected(intent.path);
    return this.#exact.has(keyOf(intent));
  }
}

/** The same key means that the very same thing would happen. */
function keyOf(intent: Intent): string {
  const where = "path" in intent ? intent.path : intent.access === "tool" ? intent.tool : "";
  return [intent.access, where, intent.preview.text].join("\n");
}
