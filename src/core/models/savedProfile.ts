import { variableOf } from "./askedModel.js";
import type { ModelProfile } from "./modelProfile.js";

/** Returns a model as a profile to be saved, without what applies to every profile anyway. */
export function savedProfile({ keyVariable: variable, ...asked }: ModelProfile): ModelProfile {
  const entries: [string, unknown][] = Object.entries(asked);
  const given = entries.filter(([, value]) => value !== undefined && value !== "auto");
  const profile = Object.fromEntries(given) as unknown as ModelProfile;
  return variable === undefined || variable === variableOf(profile)
    ? profile
    : { ...profile, keyVariable: variable };
}
