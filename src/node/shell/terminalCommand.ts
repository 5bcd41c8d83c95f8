import { markerOf, markerVariable, newCommandMarker } from "../processes/commandMarker.js";
import { processTable } from "../processes/processTable.js";
import { commandEnvironment } from "./commandEnvironment.js";

/** Variables that a terminal itself sets better. */
const ofTerminals = ["TERM", "NO_COLOR"];

/**
 * Prepares a command that another program starts, such as an editor's terminal. Returns its
 * environment, with `null` for variables to leave out, and a function that kills everything the command
 * has started (on Linux).
 */
export function terminalCommand(workspace: string): {
  readonly env: Record<string, string | null>;
  end(): void;
} {
  const marker = newCommandMarker();
  const wanted: NodeJS.ProcessEnv = {
    ...commandEnvironment(process.env, { workspace }),
    [markerVariable]: marker,
  };
  const env: Record<string, string | null> = {};
  for (const name of Object.keys({ ...process.env, ...wanted })) {
    if (!ofTerminals.includes(name)) env[name] = wanted[name] ?? null;
  }
  const end = (): void => {
    for (const { pid } of processTable() ?? []) {
      if (markerOf(pid) !== marker) continue;
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended in the meantime.
      }
    }
  };
  return { env, end };
}
