import { findLayout, type RunLayout } from "../../core/runs/runLayout.js";
import { RunStore } from "../../core/runs/runStore.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export interface RunFiles {
  readonly store: RunStore;
  readonly lock: ReturnType<typeof machine>["lock"];
  readonly layout: RunLayout;
}

/**
 * Finds the runs of the workspace.
 *
 * @param directory the runs' directory as the user named it; `undefined`: the usual one
 */
export async function runFiles(options: Options, directory: string | undefined): Promise<RunFiles> {
  const { files, lock } = machine(await workspaceRoot(options.workspace), "rooroo run");
  const layout = await findLayout(files, directory);
  return { store: new RunStore(files, lock, layout), lock, layout };
}
