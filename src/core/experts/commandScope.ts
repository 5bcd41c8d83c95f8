import type { CommandIntent } from "../agent/tool.js";
import { shownPath } from "../tools/resolvePath.js";
import { describeScope, type Mode, mayWrite } from "./mode.js";

/**
 * Returns why a command would write beyond the mode's scope, as far as that can be seen; `undefined` if
 * it does not. A mode that may change the project is not refused here: what it must not write, in
 * Rooroo's own folder, always needs approval.
 */
export function beyondScope(
  { facts }: CommandIntent,
  { slug, writes }: Mode,
  taskFolder: string,
): string | undefined {
  if (writes === "project") return undefined;
  const path = facts?.writes.find(
    (one) => one !== taskFolder && !mayWrite(writes, one, taskFolder),
  );
  if (path === undefined) return undefined;
  const scope = describeScope(writes, taskFolder);
  return `${slug} may write only ${scope}; the command would write ${shownPath(path)}.`;
}
