import * as z from "zod/mini";
import type { ModeSettings, OwnSetting, SettingValue } from "../../contributions/settings.js";
import { price } from "../../core/agent/price.js";
import {
  approvalPresets,
  type CategoryRules,
  categoryRules,
  isHostPattern,
} from "../../core/approvals/approvalRules.js";
import { modelProfile, modelValues } from "../../core/models/modelProfile.js";

const nonEmpty = (limit: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(limit));
/** An invalid value is dropped by itself. */
const droppable = <T>(schema: z.ZodMiniType<T>) => z.catch(z.optional(schema), undefined);
const rule = z.optional(z.enum(categoryRules));
const rules = { read: rule, write: rule, command: rule, web: rule, tool: rule };
const mode: z.ZodMiniType<ModeSettings> = z.object({
  // Dropping the whole mode for one invalid value would also lose its approvals.
  model: droppable(modelValues.name),
  // Without its profile, the mode would ask another server: it asks none, because no profile has this name.
  profile: z.optional(z.catch(modelValues.profile, "?")),
  temperature: droppable(modelValues.temperature),
  reasoningEffort: droppable(modelValues.reasoningEffort),
  turns: droppable(z.int().check(z.minimum(1), z.maximum(1000))),
  // Rules that were meant to restrict approvals must not fail open.
  approvals: z.optional(
    z.catch(z.strictObject({ preset: z.optional(z.enum(approvalPresets)), ...rules }), {
      preset: "ask",
    }),
  ),
  dialect: droppable(modelValues.dialect),
});
const names = z.array(nonEmpty(300)).check(z.maxLength(500));
// VS Code merges objects with their defaults, so only `null` can say that there is no limit.
const amount = z.pipe(
  z.nullish(z.number().check(z.positive())),
  z.transform((most) => most ?? undefined),
);
const limit = z.strictObject({ requests: amount, tokens: amount, cost: amount });
/** Rules are not parsed here. An unreadable rule is handled where it is used: one that denies then asks. */
const commandRules = z.array(nonEmpty(1000)).check(z.maxLength(1000));

/** What reads the settings whose JSON Schema does not say all: people edit settings files. */
export const ownParsers: { readonly [K in OwnSetting]: z.ZodMiniType<SettingValue<K>> } = {
  "model.baseUrl": modelValues.baseUrl,
  "model.name": modelValues.name,
  // A profile that cannot be read is kept by its name, so that it is missed when it is to be used.
  "model.profiles": z.record(nonEmpty(100), droppable(modelProfile)),
  "model.profile": modelValues.profile,
  "model.temperature": z.nullable(modelValues.temperature),
  "model.images": modelValues.images,
  "model.reasoningEffort": z.nullable(modelValues.reasoningEffort),
  "model.maxOutputTokens": z.nullable(modelValues.maxOutputTokens),
  "model.contextTokens": z.nullable(modelValues.contextTokens),
  "model.prices": z.record(z.string().check(z.minLength(1)), price),
  modes: z.record(z.string(), mode),
  "approvals.categories": z.strictObject(rules),
  "commands.allow": commandRules,
  "commands.deny": commandRules,
  "sandbox.allowedHosts": z
    .array(z.string().check(z.trim(), z.toLowerCase(), z.refine(isHostPattern)))
    .check(z.maxLength(200)),
  // Parsed where it is used, which nothing does at the start.
  hooks: z.unknown(),
  "limits.task": limit,
  "limits.day": limit,
  "limits.job": limit,
  "team.labels": names,
  "tools.vscode": names,
  "web.privateHosts": names,
  "web.search.address": modelValues.baseUrl,
};

/** Rules that cannot be read must not fail open. */
export const unreadableRules: CategoryRules = {
  read: "ask",
  write: "ask",
  command: "ask",
  web: "ask",
  tool: "ask",
};
