import * as z from "zod/mini";
import type { DialectChoice } from "../../core/agent/dialects/dialect.js";
import { price, type Prices } from "../../core/agent/price.js";
import {
  approvalPresets,
  type CategoryRules,
  categoryRules,
  isHostPattern,
  type ModeApprovals,
} from "../../core/approvals/approvalRules.js";
import { modelApis } from "../../core/models/modelApi.js";
import {
  type ModelProfile,
  modelProfile,
  type ModeModel,
  modelValues,
} from "../../core/models/modelProfile.js";
import { noticeChoices } from "./noticeChoices.js";

const searchProviders = ["tavily", "brave", "searxng"] as const;
export type SearchProvider = (typeof searchProviders)[number];

/** A mode's own settings. Absent: the setting for all modes applies. */
export interface ModeSettings extends ModeModel {
  readonly turns?: number | undefined;
  readonly approvals?: ModeApprovals | undefined;
  /** The dialect in which the mode's model is told of tools. */
  readonly dialect?: DialectChoice | undefined;
}

interface Setting<T> {
  readonly schema: z.ZodMiniType<T>;
  readonly fallback: T;
}

const words = (limit: number) => z.string().check(z.trim(), z.maxLength(limit));
const text = (limit: number) => ({ schema: words(limit), fallback: "" });
const nonEmpty = (limit: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(limit));
const integer = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
/** An invalid value is dropped by itself. */
const droppable = <T>(schema: z.ZodMiniType<T>) => z.catch(z.optional(schema), undefined);
const rule = z.optional(z.enum(categoryRules));
const rules = { read: rule, write: rule, command: rule, web: rule, tool: rule };
const turns = integer(1, 1000);
const modes: Setting<Readonly<Record<string, ModeSettings>>> = {
  schema: z.record(
    z.string(),
    z.object({
      // Dropping the whole mode for one invalid value would also lose its approvals.
      model: droppable(modelValues.name),
      // Without its profile, the mode would ask another server: it asks none, because no profile has this name.
      profile: z.optional(z.catch(modelValues.profile, "?")),
      temperature: droppable(modelValues.temperature),
      reasoningEffort: droppable(modelValues.reasoningEffort),
      turns: droppable(turns),
      // Rules that were meant to restrict approvals must not fail open.
      approvals: z.optional(
        z.catch(z.strictObject({ preset: z.optional(z.enum(approvalPresets)), ...rules }), {
          preset: "ask",
        }),
      ),
      dialect: droppable(modelValues.dialect),
    }),
  ),
  fallback: {},
};
const names: Setting<readonly string[]> = {
  schema: z.array(nonEmpty(300)).check(z.maxLength(500)),
  fallback: [],
};
// VS Code merges objects with their defaults, so only `null` can say that there is no limit.
const amount = z.pipe(
  z.nullish(z.number().check(z.positive())),
  z.transform((most) => most ?? undefined),
);
const limit = z.strictObject({ requests: amount, tokens: amount, cost: amount });
const categories: Setting<CategoryRules> = {
  schema: z.strictObject(rules),
  fallback: { read: "ask", write: "ask", command: "ask", web: "ask", tool: "ask" },
};
const prices: Setting<Prices> = {
  schema: z.record(z.string().check(z.minLength(1)), price),
  fallback: {},
};
/** Rules are not parsed here. An unreadable rule is handled where it is used: one that denies then asks. */
const commandRules: Setting<readonly string[]> = {
  schema: z.array(nonEmpty(1000)).check(z.maxLength(1000)),
  fallback: [],
};
/** A profile that cannot be read is kept by its name, so that it is missed when it is to be used. */
const profiles: Setting<Readonly<Record<string, ModelProfile | undefined>>> = {
  schema: z.record(nonEmpty(100), droppable(modelProfile)),
  fallback: {},
};

/** Types and defaults, as in the manifest. Values are checked because people edit settings files. */
export const knownSettings = {
  "model.baseUrl": { schema: modelValues.baseUrl, fallback: "" },
  "model.name": { schema: modelValues.name, fallback: "" },
  "model.profiles": profiles,
  "model.profile": { schema: modelValues.profile, fallback: "" },
  "model.temperature": { schema: z.nullable(modelValues.temperature), fallback: null },
  "model.api": { schema: z.enum(["auto", ...modelApis]), fallback: "auto" },
  "model.images": { schema: modelValues.images, fallback: "auto" },
  "model.reasoningEffort": { schema: z.nullable(modelValues.reasoningEffort), fallback: null },
  "model.maxOutputTokens": { schema: z.nullable(modelValues.maxOutputTokens), fallback: null },
  "model.dialect": { schema: modelValues.dialect, fallback: "auto" },
  "model.prices": prices,
  "approvals.preset": { schema: z.enum(approvalPresets), fallback: "safe" },
  "approvals.categories": categories,
  "limits.turns": { schema: turns, fallback: 60 },
  "commands.allow": commandRules,
  "commands.deny": commandRules,
  "sandbox.enabled": { schema: z.enum(["auto", "off"]), fallback: "auto" },
  "sandbox.allowedHosts": {
    schema: z
      .array(z.string().check(z.trim(), z.toLowerCase(), z.refine(isHostPattern)))
      .check(z.maxLength(200)),
    fallback: [],
  },
  // Parsed where it is used, which nothing does at the start.
  hooks: { schema: z.unknown(), fallback: {} },
  "limits.task": { schema: limit, fallback: { requests: 200 } },
  "limits.day": { schema: limit, fallback: {} },
  "limits.job": { schema: limit, fallback: {} },
  "model.contextTokens": { schema: z.nullable(modelValues.contextTokens), fallback: null },
  "queue.concurrency": { schema: integer(1, 8), fallback: 1 },
  "plans.start": { schema: z.enum(["auto", "wait"]), fallback: "auto" },
  "plans.isolation": { schema: z.enum(["none", "worktree"]), fallback: "none" },
  "plans.worktreeSetup": text(4096),
  "team.repository": text(40),
  "team.remote": { schema: nonEmpty(200), fallback: "origin" },
  "team.labels": names,
  "plans.documenter": { schema: z.boolean(), fallback: false },
  "jobs.runners": { schema: integer(1, 8), fallback: 1 },
  "jobs.maxTurns": { schema: turns, fallback: 60 },
  "runs.directory": text(4096),
  modes,
  "commands.runIn": { schema: z.enum(["process", "terminal"]), fallback: "process" },
  "notifications.show": { schema: z.enum(noticeChoices), fallback: "all" },
  "debug.record": { schema: z.boolean(), fallback: false },
  "tools.vscode": names,
  "web.privateHosts": names,
  "web.search.provider": { schema: z.enum(["none", ...searchProviders]), fallback: "none" },
  "web.search.address": { schema: modelValues.baseUrl, fallback: "" },
} satisfies Record<string, Setting<unknown>>;
