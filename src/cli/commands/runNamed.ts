import type { RunStore } from "../../core/runs/runStore.js";
import type { RunRow } from "../../core/runs/runTables.js";
import { WrongUse } from "./wrongUse.js";

/**
 * Returns the id of the run given by its id or a unique end of it. If none is given, returns the only run
 * that `fits` or, if none fits, the only run. Throws {@link WrongUse} if the run is unknown or ambiguous.
 */
export async function runNamed(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  store: RunStore,
): Promise<string> {
  const runs = await store.rows("process_runs");
  const found = meant(given, fits, runs);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.run_id;
  const ids = (of: readonly RunRow<"process_runs">[]) => of.map(({ run_id }) => run_id).join(", ");
  if (found.length > 1) throw new WrongUse(`Say which run: ${ids(found)}.`);
  if (runs.length === 0)
    throw new WrongUse("There are no runs yet: begin one with rooroo run start.");
  throw new WrongUse(`There is no run ${given ?? ""}. There are: ${ids(runs)}.`);
}

function meant(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  runs: readonly RunRow<"process_runs">[],
): readonly RunRow<"process_runs">[] {
  if (given === undefined) {
    const fitting = runs.filter(fits);
    return fitting.length === 0 ? runs : fitting;
  }
  const exact = runs.filter(({ run_id }) => run_id === given);
  if (exact.length > 0) return exact;
  return given === "" ? [] : runs.filter(({ run_id }) => run_id.endsWith(given));
}
