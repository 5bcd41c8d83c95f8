import type { CommandIntent } from "../agent/tool.js";
import { shownPath } from "../tools/resolvePath.js";
import { describeScope, type Mode, mayWrite } from "./mode.js";

/**
 * Why a command goes beyond what a mode may write, as far as that can be seen. What a mode that may
 * change the project must not write, in the folder of Rooroo's own, is always asked about.
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
