import type { FileSystem } from "../ports/files.js";
import { findForeign, type ForeignPlaces } from "./findForeign.js";
import type { ImportPlan } from "./importPlan.js";
import { existingSettings, type ImportTarget } from "./importTarget.js";
import { planImport } from "./planImport.js";

/** Where an import looks. */
export interface ImportPlaces extends ForeignPlaces {
  /** Reads absolute paths, and relative ones of the workspace if there is one. */
  readonly files: FileSystem;
}

/**
 * Looks for settings of other tools and returns what an import would do; writes nothing. Throws a `UserError` if a file
 * that the user names has no settings, or if a file that would be added to cannot be read.
 */
export async function prepareImport(
  places: ImportPlaces,
  target: ImportTarget,
): Promise<ImportPlan> {
  const { found, asItIs } = await findForeign(places.files, target.workspace !== undefined, places);
  const plan = planImport(found, await existingSettings(target));
  return { ...plan, asItIs: [...asItIs, ...plan.asItIs] };
}
