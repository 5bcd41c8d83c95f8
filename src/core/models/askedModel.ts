import { ModelError } from "../errors.js";
import {
  type ChosenProfile,
  chosenProfile,
  type ModelChoice,
  type ModelProfile,
  profileNamed,
} from "./modelProfile.js";
import { apiOf, keyVariable, serverOrigin } from "./serverAddress.js";

/** Same as {@link chosenProfile}, with the environment variable that has the server's key; empty for none. */
export function askedModel(choice: ModelChoice, slug?: string): ChosenProfile {
  const { profile, asked } = chosenProfile(choice, slug);
  return { profile, asked: asked && withVariable(profile, asked) };
}

/** Returns the choice of one model and no profiles. */
export function withoutProfiles(base: ModelProfile): ModelChoice {
  return { base, profiles: {}, profile: "", modes: {} };
}

/** Returns all that can be chosen: what applies without a profile, then each profile. */
export function everyProfile(choice: ModelChoice): { profile: string; asked: ModelProfile }[] {
  return ["", ...Object.keys(choice.profiles)].flatMap((profile) => {
    const asked = profileNamed(profile, choice);
    return asked === undefined ? [] : [{ profile, asked: withVariable(profile, asked) }];
  });
}

/** Returns the error that says that there is no profile of a name. */
export function unknownProfile(name: string): ModelError {
  return new ModelError(
    "unconfigured",
    'The model profile {profile} is not defined, or is not valid. Choose another with “Select Model”, or define it in "rooroo.model.profiles".',
    { profile: JSON.stringify(name) },
  );
}

/** Without a profile, the variable of the API's maker counts whatever the address is. */
function withVariable(profile: string, asked: ModelProfile): ModelProfile {
  const variable = profile === "" ? keyVariable(asked) : variableOf(asked);
  return { ...asked, keyVariable: variable };
}

/**
 * Returns the environment variable that has a profile's key; empty for none. The variable of an API's own maker counts
 * for the maker's server only, unless the profile names it.
 */
export function variableOf({ keyVariable: named, baseUrl, api }: ModelProfile): string {
  if (named !== undefined) return named;
  const own = apiOf({ api, baseUrl });
  const isMakers = serverOrigin({ api: own, baseUrl }) === serverOrigin({ api: own });
  return isMakers ? keyVariable({ api: own }) : "";
}
