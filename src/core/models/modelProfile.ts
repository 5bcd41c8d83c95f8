import * as z from "zod/mini";
import { type DialectChoice, dialectChoices } from "../agent/dialects/dialect.js";
import { type ModelApi, modelApis } from "./modelApi.js";

const reasoningEfforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
type ReasoningEffort = (typeof reasoningEfforts)[number];

/** Whether a model sees images; `auto`: as is known of it. */
const imageChoices = ["auto", "on", "off"] as const;

/** The form of what the user sets for models, wherever it is set. An empty text counts as not set. */
export const modelValues = {
  name: z.string().check(z.trim(), z.maxLength(300)),
  profile: z.string().check(z.trim(), z.maxLength(100)),
  baseUrl: z.string().check(
    z.trim(),
    z.refine((address) => address === "" || /^https?:\/\/[^\s/?#]+/i.test(address)),
  ),
  api: z.enum(modelApis),
  temperature: z.number().check(z.minimum(0), z.maximum(2)),
  maxOutputTokens: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  contextTokens: z.int().check(z.minimum(2_000), z.maximum(100_000_000)),
  images: z.enum(imageChoices),
  reasoningEffort: z.enum(reasoningEfforts),
  dialect: z.enum(dialectChoices),
  keyVariable: z.string().check(z.trim(), z.regex(/^[A-Z_][A-Z0-9_]*$/i)),
};

/** A model with its server and the settings of its requests. What is absent, the server decides. */
export interface ModelProfile {
  /** The server's name for the model, or that of one of VS Code's own. */
  readonly model: string;
  /** The server's address. Absent: that of the API's own maker. */
  readonly baseUrl?: string | undefined;
  /** The API that the server speaks. Absent: as is known of its address. */
  readonly api?: ModelApi | undefined;
  /** The environment variable that has the server's key, where none is stored. */
  readonly keyVariable?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** The size of the context window in tokens. Absent: the size that the server reports. */
  readonly contextTokens?: number | undefined;
  readonly images?: (typeof imageChoices)[number] | undefined;
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** The dialect in which the model is told of tools. */
  readonly dialect?: DialectChoice | undefined;
}

/**
 * The form of a profile that the user defines. It is strict: a profile that cannot be read in full is not used at all,
 * because without one of its fields it may ask another server.
 */
export const modelProfile: z.ZodMiniType<ModelProfile> = z.strictObject({
  model: modelValues.name.check(z.minLength(1)),
  baseUrl: z.optional(
    z.pipe(
      modelValues.baseUrl,
      z.transform((address) => address || undefined),
    ),
  ),
  api: z.optional(modelValues.api),
  keyVariable: z.optional(modelValues.keyVariable),
  temperature: z.optional(modelValues.temperature),
  maxOutputTokens: z.optional(modelValues.maxOutputTokens),
  contextTokens: z.optional(modelValues.contextTokens),
  images: z.optional(modelValues.images),
  reasoningEffort: z.optional(modelValues.reasoningEffort),
  dialect: z.optional(modelValues.dialect),
});

/** What a mode sets for itself. What is absent is as for all modes. */
export interface ModeModel {
  readonly profile?: string | undefined;
  /** A model of the same server, or one of VS Code's own. */
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly reasoningEffort?: ReasoningEffort | undefined;
}

/** The user's choice of models, from the editor's settings or a file of the command line. */
export interface ModelChoice {
  /** The model that is asked without a profile. */
  readonly base: ModelProfile;
  /** The profiles by their names; `undefined` stands for one that cannot be read. */
  readonly profiles: Readonly<Record<string, ModelProfile | undefined>>;
  /** The name of the profile in use. Empty: none. */
  readonly profile: string;
  /** The choices of modes, by their slugs. */
  readonly modes: Readonly<Record<string, ModeModel>>;
}

/** The model that a mode asks, with the name of its profile, which is empty for none. */
export interface ChosenProfile {
  readonly profile: string;
  /** `undefined`: there is no profile of that name. */
  readonly asked: ModelProfile | undefined;
}

/**
 * Returns the model that a mode asks: its own profile, else the one in use, else what applies without one, and over it
 * what else the mode sets.
 *
 * @param slug the mode's; absent: the model for all modes
 */
export function chosenProfile(choice: ModelChoice, slug?: string): ChosenProfile {
  const { modes } = choice;
  const own = slug !== undefined && Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  const { profile: named = "" } = own ?? {};
  const profile = named === "" ? choice.profile : named;
  const asked = profileNamed(profile, choice);
  if (asked === undefined) return { profile, asked };
  const { model, temperature, reasoningEffort } = own ?? {};
  return {
    profile,
    asked: {
      ...asked,
      ...(model ? { model } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
  };
}

/** Returns a profile by its name, which is empty for what applies without one; `undefined` if there is none. */
export function profileNamed(
  name: string,
  { base, profiles }: ModelChoice,
): ModelProfile | undefined {
  if (name === "") return base;
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}
