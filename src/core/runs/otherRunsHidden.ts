import { hiddenPlaces, type HiddenTest } from "../access/ignoredFiles.js";
import type { RunLayout } from "./runLayout.js";
import { runUnitId } from "./runUnit.js";

/**
 * Returns a test that hides other runs from the agents of one run (R-MV-35): their folders, outputs, and
 * agent sessions.
 *
 * @param known paths that stay readable
 */
export function otherRunsHidden(
  runId: string,
  known: readonly string[],
  layout: RunLayout,
): HiddenTest {
  const tasks = ".rooroo/tasks";
  return hiddenPlaces(
    {
      all: [layout.in("runs/"), layout.in("outputs/"), `${tasks}/ROO#RUN_`],
      own: [
        `${layout.run(runId)}/`,
        `${layout.outputs(runId)}/`,
        `${tasks}/${runUnitId(runId, "")}`,
      ],
      open: known,
    },
    "of another run, and not in the catalog",
  );
}
