import type { HiddenTest } from "../tools/hiddenFiles.js";
import { hiddenPlaces } from "../tools/hiddenPlaces.js";
import type { RunLayout } from "./runLayout.js";
import { runUnitId } from "./runUnit.js";

/**
 * Keeps what belongs to other runs from the agents of one (R-MV-35): what is in their folders, their
 * outputs, and what their agents have worked with.
 *
 * @param known paths that are open all the same
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
