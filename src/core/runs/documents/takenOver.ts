import { UserError } from "../../errors.js";
import type { RunId } from "../../ids.js";
import { isTakenOver, type Takeable, type TakenOverServices } from "../../work/takenOver.js";
import type { RunLayout } from "./runLayout.js";
import { isId } from "./runTables.js";
import { UnitRecords } from "./unitRecords.js";

/** Returns what a person takes over of a run. Runs of two directories may share the record. */
export function takeableRun(runId: RunId, layout: RunLayout): Takeable {
  return { kind: "run", place: layout.run(runId), recordPath: `.rooroo/runs/${runId}.taken.json` };
}

/** Returns whether a person has taken the run over here, or agents have worked on it here. */
export async function isRunTakenOver(
  runId: RunId,
  layout: RunLayout,
  services: TakenOverServices,
): Promise<boolean> {
  if (!isId(runId)) return false;
  if (await isTakenOver(takeableRun(runId, layout), services)) return true;
  // Those of earlier versions have no other record.
  return (await new UnitRecords(services.files, services.signer).read(runId)).size > 0;
}

/** Throws a {@link UserError} unless a person has taken the run over. */
export async function checkRunTakenOver(
  runId: RunId,
  layout: RunLayout,
  services: TakenOverServices,
): Promise<void> {
  if (await isRunTakenOver(runId, layout, services)) return;
  throw new UserError(
    "runNotTakenOver",
    "{run} may have come with the folder, and nobody has started or resumed it here yet, so it does not go on by itself. Read what is in {place}, then resume it by its name.",
    { run: runId, place: layout.run(runId) },
  );
}
