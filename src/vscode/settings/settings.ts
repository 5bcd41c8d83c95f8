import * as vscode from "vscode";
import * as z from "zod";
import { type DialectChoice, dialectChoices } from "../../core/agent/dialects/dialect.js";
import type { AgentLimits } from "../../core/agent/loop.js";
import {
  type ApprovalPreset,
  approvalPresets,
  type CategoryRules,
  categoryRules,
  isHostPattern,
  type ModeApprovals,
} from "../../core/approvals/approvalRules.js";
import { price, type Prices } from "../../core/agent/price.js";

import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { SpendLimits } from "../../core/spending/spending.js";
import type { CommandRules } from "../../core/commands/commandRules.js";
import type { Limit } from "../../core/spending/spendTotals.js";

export interface SettingsValues {
  readonly model: {
    /** The server's address. Empty: the default, which is OpenAI's. */
    readonly baseUrl: string;
    /** The model's name. Empty: none is chosen. */
    readonly name: string;
    readonly temperature: number | null;
    readonly maxOutputTokens: number | null;
    /** Size of the context window in tokens. `null`: the size that the server reports. */
    readonly contextTokens: number | null;
    readonly reasoningEffort: ReasoningEffort | null;
  };
  /** Returns the dialect in which a mode's model is told of tools. */
  dialectFor(slug: string): DialectChoice;
  /** Prices in US dollars per million tokens, by the models' names or their beginnings. */
  readonly prices: Prices;
  readonly preset: ApprovalPreset;
  /** Rules of categories that do not follow the preset. */
  readonly categories: CategoryRules;
  readonly commands: CommandRules;
  readonly sandbox: SandboxSettings;
  readonly limits: AgentLimits;
  readonly spend: SpendLimits;
  /** The number of tasks that may run at the same time. */
  readonly concurrency: number;
  /** Whether planners may give tasks to the documenter. */
  readonly documenter: boolean;
  /** Defaults for running a job. */
  readonly jobs: {
    readonly runners: number;
    /** The maximum number of turns of one lifecycle. */
    readonly quota: number;
    /** What one job may use in all its runs. */
    readonly budget: Limit;
  };
  /** Settings that a mode overrides, by its slug. */
  readonly modes: Readonly<Record<string, ModeSettings>>;
  /** Whether every exchange with a model is written to `.rooroo/logs/recordings`. */
  readonly record: boolean;
  /** The path of ripgrep. Empty: it is looked up on `PATH`. */
  readonly ripgrepPath: string;
  /** Whether commands run as processes or in terminals that the user can watch. */
  readonly runIn: "process" | "terminal";
  /** Names of VS Code's tools that experts may ask to use. */
  readonly editorTools: readonly string[];
  readonly web: {
    /** Hosts of private networks that experts may ask to fetch from. */
    readonly privateHosts: readonly string[];
    readonly search: {
      readonly provider: "none" | SearchProvider;
      /** The provider's address. Empty: its default address. */
      readonly address: string;
    };
  };
}

const searchProviders = ["tavily", "brave", "searxng"] as const;
type SearchProvider = (typeof searchProviders)[number];

const reasoningEfforts = ["minimal", "low", "medium", "high"] as const;
type ReasoningEffort = (typeof reasoningEfforts)[number];

/** A mode's own settings. Absent: the setting for all modes applies. */
interface ModeSettings {
  /** The model's name, on the same server or one of VS Code's own. Empty counts as absent. */
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly reasoningEffort?: ReasoningEffort | undefined;
  readonly turns?: number | undefined;
  readonly failuresInARow?: number | undefined;
  readonly approvals?: ModeApprovals | undefined;
  /** The dialect in which the mode's model is told of tools. */
  readonly dialect?: DialectChoice | undefined;
}

/** Environment variables that stand in for settings that are not set. */
export interface SettingsEnvironment {
  readonly OPENAI_BASE_URL?: string;
  readonly ROOROO_MODEL?: string;
}

interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
}

const text = (limit: number) => ({ schema: z.string().trim().max(limit), fallback: "" });
const rule = z.enum(categoryRules).optional();
const rules = { read: rule, write: rule, command: rule, web: rule, tool: rule };
const temperature = z.number().min(0).max(2);
const turns = z.int().min(1).max(1000);
const failuresInARow = z.int().min(1).max(100);
const modes: Setting<Readonly<Record<string, ModeSettings>>> = {
  schema: z.record(
    z.string(),
    z.object({
      // An invalid value is dropped by itself: dropping the whole mode would also lose its approvals.
      model: z.string().trim().max(300).optional().catch(undefined),
      temperature: temperature.optional().catch(undefined),
      reasoningEffort: z.enum(reasoningEfforts).optional().catch(undefined),
      turns: turns.optional().catch(undefined),
      failuresInARow: failuresInARow.optional().catch(undefined),
      // Rules that were meant to restrict approvals must not fail open.
      approvals: z
        .strictObject({ preset: z.enum(approvalPresets).optional(), ...rules })
        .catch({ preset: "ask" })
        .optional(),
      dialect: z.enum(dialectChoices).optional().catch(undefined),
    }),
  ),
  fallback: {},
};
const names: Setting<readonly string[]> = {
  schema: z.array(z.string().trim().min(1).max(300)).max(500),
  fallback: [],
};
// VS Code merges objects with their defaults, so only `null` can say that there is no limit.
const amount = z
  .number()
  .positive()
  .nullish()
  .transform((most) => most ?? undefined);
const limit = z.strictObject({ requests: amount, tokens: amount, cost: amount });
const categories: Setting<CategoryRules> = {
  schema: z.strictObject(rules),
  fallback: { read: "ask", write: "ask", command: "ask", web: "ask", tool: "ask" },
};
const prices: Setting<Prices> = { schema: z.record(z.string().min(1), price), fallback: {} };
/** Rules are not parsed here. An unreadable rule is handled where it is used: one that denies then asks. */
const commandRules: Setting<readonly string[]> = {
  schema: z.array(z.string().trim().min(1).max(1000)).max(1000),
  fallback: [],
};
const webAddress = z
  .string()
  .trim()
  .refine((address) => address === "" || /^https?:\/\/[^\s/?#]+/i.test(address));

/** Types and defaults, as in the manifest. Values are checked because people edit settings files. */
const known = {
  "model.baseUrl": { schema: webAddress, fallback: "" },
  "model.name": text(300),
  "model.temperature": { schema: temperature.nullable(), fallback: null },
  "model.reasoningEffort": { schema: z.enum(reasoningEfforts).nullable(), fallback: null },
  "model.maxOutputTokens": {
    schema: z.int().min(1).max(1_000_000).nullable(),
    fallback: null,
  },
  "model.dialect": { schema: z.enum(dialectChoices), fallback: "auto" },
  "model.prices": prices,
  "approvals.preset": { schema: z.enum(approvalPresets), fallback: "safe" },
  "approvals.categories": categories,
  "limits.turns": { schema: turns, fallback: 60 },
  "commands.allow": commandRules,
  "commands.deny": commandRules,
  "sandbox.enabled": { schema: z.enum(["auto", "off"]), fallback: "auto" },
  "sandbox.allowedHosts": {
    schema: z.array(z.string().trim().toLowerCase().refine(isHostPattern)).max(200),
    fallback: [],
  },
  "limits.task": { schema: limit, fallback: { requests: 200 } },
  "limits.day": { schema: limit, fallback: {} },
  "limits.job": { schema: limit, fallback: {} },
  "model.contextTokens": {
    schema: z.int().min(2_000).max(100_000_000).nullable(),
    fallback: null,
  },
  "limits.sameCalls": { schema: z.int().min(2).max(100), fallback: 5 },
  "limits.failuresInARow": { schema: failuresInARow, fallback: 6 },
  "queue.concurrency": { schema: z.int().min(1).max(8), fallback: 1 },
  "plans.documenter": { schema: z.boolean(), fallback: false },
  "jobs.runners": { schema: z.int().min(1).max(8), fallback: 1 },
  "jobs.maxTurns": { schema: turns, fallback: 60 },
  "runs.directory": text(4096),
  modes,
  "search.ripgrepPath": text(4096),
  "commands.runIn": { schema: z.enum(["process", "terminal"]), fallback: "process" },
  "debug.record": { schema: z.boolean(), fallback: false },
  "tools.vscode": names,
  "web.privateHosts": names,
  "web.search.provider": { schema: z.enum(["none", ...searchProviders]), fallback: "none" },
  "web.search.address": { schema: webAddress, fallback: "" },
} satisfies Record<string, Setting<unknown>>;

type Known = typeof known;
type Value<K extends keyof Known> = z.infer<Known[K]["schema"]>;

const section = "rooroo";

/** The user's settings. An invalid value counts as not set, and the user is warned of it once. */
export class Settings implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  /** Invalid values that the user was warned of, as JSON, by setting. */
  private readonly named = new Map<string, string>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly environment: SettingsEnvironment) {
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) this.changed.fire();
    });
  }

  /** Only the model settings of {@link read}, which are all that is needed at startup. */
  get model(): SettingsValues["model"] {
    return {
      baseUrl: this.get("model.baseUrl") || (this.environment.OPENAI_BASE_URL ?? ""),
      name: this.get("model.name") || (this.environment.ROOROO_MODEL ?? ""),
      temperature: this.get("model.temperature"),
      maxOutputTokens: this.get("model.maxOutputTokens"),
      contextTokens: this.get("model.contextTokens"),
      reasoningEffort: this.get("model.reasoningEffort"),
    };
  }

  /** Where runs are kept; `undefined`: where the workspace has runs, else in a folder of their own. */
  get runsDirectory(): string | undefined {
    return this.get("runs.directory").trim() || undefined;
  }

  /** Returns the current settings; cheap enough to call at every use. */
  read(): SettingsValues {
    return {
      model: this.model,
      dialectFor: (slug) => this.get("modes")[slug]?.dialect ?? this.get("model.dialect"),
      prices: this.get("model.prices"),
      preset: this.get("approvals.preset"),
      categories: this.get("approvals.categories"),
      commands: { allow: this.get("commands.allow"), deny: this.get("commands.deny") },
      sandbox: {
        enabled: this.get("sandbox.enabled"),
        allowedHosts: this.get("sandbox.allowedHosts"),
      },
      limits: {
        turns: this.get("limits.turns"),
        failuresInARow: this.get("limits.failuresInARow"),
        sameCalls: this.get("limits.sameCalls"),
      },
      spend: { task: this.get("limits.task"), day: this.get("limits.day") },
      concurrency: this.get("queue.concurrency"),
      documenter: this.get("plans.documenter"),
      jobs: {
        runners: this.get("jobs.runners"),
        quota: this.get("jobs.maxTurns"),
        budget: this.get("limits.job"),
      },
      modes: this.get("modes"),
      ripgrepPath: this.get("search.ripgrepPath"),
      runIn: this.get("commands.runIn"),
      record: this.get("debug.record"),
      editorTools: this.get("tools.vscode"),
      web: {
        privateHosts: this.get("web.privateHosts"),
        search: {
          provider: this.get("web.search.provider"),
          address: this.get("web.search.address"),
        },
      },
    };
  }

  async setModel(values: { name?: string; baseUrl?: string }): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    for (const [key, value] of Object.entries(values)) {
      await configuration.update(`model.${key}`, value, vscode.ConfigurationTarget.Global);
    }
  }

  /** Whether the user has chosen a preset, or the default applies. */
  get isPresetChosen(): boolean {
    const found = vscode.workspace.getConfiguration(section).inspect("approvals.preset");
    return found?.globalValue !== undefined;
  }

  async setPreset(preset: ApprovalPreset): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    await configuration.update("approvals.preset", preset, vscode.ConfigurationTarget.Global);
  }

  async setEditorTools(chosen: readonly string[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    await configuration.update("tools.vscode", chosen, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private get<K extends keyof Known>(key: K): Value<K> {
    const value = vscode.workspace.getConfiguration(section).get<unknown>(key);
    const { schema, fallback } = known[key];
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      this.named.delete(key);
      return parsed.data as Value<K>;
    }
    if (value !== undefined) void this.warn(key, value, fallback);
    return fallback as Value<K>;
  }

  private async warn(key: string, value: unknown, fallback: unknown): Promise<void> {
    const json = JSON.stringify(value);
    if (this.named.get(key) === json) return;
    this.named.set(key, json);
    const openSettings = vscode.l10n.t("Open Settings");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The setting "{0}" is {1}, which cannot be used. {2} is used instead.',
        `${section}.${key}`,
        json.length > 60 ? `${json.slice(0, 60)}…` : json,
        JSON.stringify(fallback),
      ),
      openSettings,
    );
    if (chosen !== openSettings) return;
    await vscode.commands.executeCommand("workbench.action.openSettings", `${section}.${key}`);
  }
}
