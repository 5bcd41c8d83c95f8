import type { Intent } from "../agent/tool.js";
import { isProtected } from "./policy.js";

/**
 * What a person allowed for the rest of a task: every ordinary write in the workspace, or one exact
 * command in one folder. Kept in memory only: a grant in a file could be forged.
 */
export class Grants {
  #writes = false;
  readonly #commands = new Set<string>();

  grant(intent: Intent): void {
    if (intent.access === "write") this.#writes = true;
    else this.#commands.add(commandKey(intent));
  }

  covers(intent: Intent): boolean {
    if (!intent.inside) return false;
    if (intent.access === "command") return this.#commands.has(commandKey(intent));
    return this.#writes && !isProtected(intent.path);
  }
}

function commandKey(intent: Intent): string {
  return `${intent.path}\n${intent.preview.text}`;
}
