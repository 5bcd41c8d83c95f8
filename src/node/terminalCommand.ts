import { commandEnvironment } from "./commandEnvironment.js";
import { markerOf, markerVariable, newCommandMarker } from "./commandMarker.js";
import { processTable } from "./processTable.js";

/** What a terminal's own kind of terminal says better. */
const ofTerminals = ["TERM", "NO_COLOR"];

/**
 * For a command that somebody else's process starts, as an editor's terminal: what its environment
 * is to be, `null` for what is to be left out, and how all that it started is ended (on Linux).
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
        // Gone meanwhile.
      }
    }
  };
  return { env, end };
}
