import * as z from "zod/mini";
import { askedModel, withoutProfiles } from "../../core/models/askedModel.js";
import {
  type ModelChoice,
  type ModelProfile,
  modelProfile,
  modelValues,
} from "../../core/models/modelProfile.js";
import { oddCharacter } from "../../core/models/oddCharacter.js";
import { addressIn, addressVariable } from "../../core/models/serverAddress.js";
import { type ServerOptions, serverOptions } from "../../node/model/serverOptions.js";
import { modelFile } from "../../node/user/userFolder.js";
import type { Options } from "../arguments/options.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { contextTokens } from "./settings.js";
import { placeOf, readUserFile } from "./userFile.js";

/** The form of the user's file of model profiles. */
const fileSchema = z.strictObject({
  profile: z.optional(modelValues.profile),
  profiles: z.optional(z.record(z.string().check(z.minLength(1), z.maxLength(100)), modelProfile)),
  modes: z.optional(
    z.record(
      z.string(),
      z.strictObject({
        profile: z.optional(modelValues.profile),
        model: z.optional(modelValues.name),
        temperature: z.optional(modelValues.temperature),
        reasoningEffort: z.optional(modelValues.reasoningEffort),
      }),
    ),
  ),
});

/**
 * Reads what the user has set for models: from the command line, the environment and the user's own file, never from
 * the workspace, whose files must not be able to send a key elsewhere. Throws {@link WrongUse} if something of it is
 * invalid, or if a profile that is named is not defined.
 */
export async function modelChoice(
  options: Pick<Options, "model" | "baseUrl" | "api" | "profile">,
  env: NodeJS.ProcessEnv,
): Promise<ModelChoice> {
  const path = modelFile(env);
  const file = await readModelFile(path);
  const base = baseModel(options, env);
  const { profiles = {}, modes = {} } = file;
  if (given(options.baseUrl) !== undefined || options.api !== undefined) {
    if (options.profile === undefined) return withoutProfiles(base);
    throw new WrongUse(
      "profileWithServer",
      "A profile has a server of its own: give --profile, or --base-url and --api, not both.",
    );
  }
  const profile = options.profile ?? given(env["ROOROO_PROFILE"]) ?? file.profile ?? "";
  const model = given(options.model);
  const named = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  const replaced =
    model === undefined || named === undefined ? {} : { [profile]: { ...named, model } };
  const choice = { base, profiles: { ...profiles, ...replaced }, profile, modes };
  for (const slug of [undefined, ...Object.keys(modes)]) requireProfile(choice, slug, path);
  return choice;
}

/** Returns the model that is asked if no profile is in use. */
function baseModel(
  options: Pick<Options, "model" | "baseUrl" | "api">,
  env: NodeJS.ProcessEnv,
): ModelProfile {
  const { api } = options;
  const server = { baseUrl: given(options.baseUrl) ?? addressIn(env, api), api };
  return {
    model: given(options.model) ?? given(env["ROOROO_MODEL"]) ?? "",
    ...server,
    contextTokens: contextTokens(env),
  };
}

function requireProfile(choice: ModelChoice, slug: string | undefined, path: string): void {
  const { profile, asked } = askedModel(choice, slug);
  if (asked === undefined) {
    const names = Object.keys(choice.profiles).map((name) => JSON.stringify(name));
    throw new WrongUse(
      "profileUnknown",
      "There is no model profile {profile}. {path} defines {names}.",
      { profile: JSON.stringify(profile), path, names: names.join(", ") || "none" },
    );
  }
  if (!asked.model.startsWith("vscode:")) return;
  throw new WrongUse(
    "modelOfEditor",
    "The model {model} is one of VS Code's own, which only the editor can ask. Choose another profile with --profile.",
    { model: asked.model },
  );
}

async function readModelFile(path: string): Promise<z.infer<typeof fileSchema>> {
  const file = await readUserFile(path, "docs/models.md", (json) => {
    const parsed = fileSchema.safeParse(json);
    return parsed.success ? { content: parsed.data } : { problem: placeOf(parsed.error.issues[0]) };
  });
  return file ?? {};
}

/** Returns the key of a profile's server, as the environment has it. */
export function keyIn(
  env: NodeJS.ProcessEnv,
  { keyVariable: variable = "" }: Pick<ModelProfile, "keyVariable">,
): string | undefined {
  return variable === "" ? undefined : given(env[variable]);
}

/**
 * Returns how the model that is chosen for all modes is asked. Throws {@link WrongUse} if its name, its key or a valid
 * address is missing.
 */
export function modelAsked(choice: ModelChoice, env: NodeJS.ProcessEnv): ServerOptions {
  const { asked = choice.base } = askedModel(choice);
  if (asked.model !== "") return serverAsked(choice, env);
  throw new WrongUse(
    "modelNotGiven",
    "No model is set. Give one with --model NAME or the variable ROOROO_MODEL (rooroo model list), or use a profile with --profile NAME (rooroo model profiles).",
  );
}

/** Same as {@link modelAsked}, but the model's name may be empty. */
export function serverAsked(choice: ModelChoice, env: NodeJS.ProcessEnv): ServerOptions {
  const { asked = choice.base } = askedModel(choice);
  const { baseUrl, keyVariable: variable = "" } = asked;
  const apiKey = keyIn(env, asked);
  if (baseUrl === undefined && apiKey === undefined) {
    throw new WrongUse(
      "apiKeyNotGiven",
      "No API key is set. Set {variable}; or, for a server of your own, give its address with --base-url URL or {addressVariable}.",
      { variable, addressVariable: addressVariable(asked.api) },
    );
  }
  const odd = oddCharacter(apiKey ?? "");
  if (odd !== undefined) {
    throw new WrongUse(
      "apiKeyInvalid",
      "Character {place} of the key in {variable} is {character}, which no key contains. Set it once more, copied as plain text.",
      { ...odd, variable },
    );
  }
  if (baseUrl !== undefined && !isWebAddress(baseUrl)) {
    throw new WrongUse(
      "modelAddressInvalid",
      "The model's address {address} is not a web address. Give one like http://localhost:11434/v1.",
      { address: JSON.stringify(baseUrl) },
    );
  }
  return serverOptions(asked, apiKey);
}

function given(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : text;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
