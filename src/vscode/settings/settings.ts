import * as vscode from "vscode";
import type * as z from "zod";
import type { AgentLimits } from "../../core/agent/loop.js";
import type { Prices } from "../../core/agent/price.js";
import type { ApprovalPreset, CategoryRules } from "../../core/approvals/approvalRules.js";
import type { CommandRules } from "../../core/commands/commandRules.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { ModelChoice, ModelProfile } from "../../core/models/modelProfile.js";
import type { SpendLimits } from "../../core/spending/spending.js";
import type { Limit } from "../../core/spending/spendTotals.js";
import { t } from "../text/words.js";
import { knownSettings, type ModeSettings, type SearchProvider } from "./knownSettings.js";
import type { NoticeChoice } from "./noticeChoices.js";

export interface SettingsValues {
  readonly models: ModelChoice;
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
  /** Whether a plan starts by itself, or waits until the user starts it. */
  readonly startPlans: "auto" | "wait";
  /** Where a plan that begins works, unless the request says so. */
  readonly isolation: "none" | "worktree";
  /** The command that prepares a new worktree. Empty: none. */
  readonly worktreeSetup: string;
  /** Whether planners may give tasks to the documenter. */
  readonly documenter: boolean;
  /** Defaults for running a job. */
  readonly jobs: {
    readonly runners: number;
    /** The maximum number of turns of one lifecycle. */
    readonly quota: number;
    /** The most that one job may use in all its runs. */
    readonly budget: Limit;
  };
  /** Settings that a mode overrides, by its slug. */
  readonly modes: Readonly<Record<string, ModeSettings>>;
  /** Whether every exchange with a model is written to `.rooroo/logs/recordings`. */
  readonly record: boolean;
  /** The user's own hooks, as they are written. */
  readonly hooks: unknown;
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

/** Environment variables that stand in for settings that are not set. */
export interface SettingsEnvironment {
  readonly OPENAI_BASE_URL?: string;
  readonly ROOROO_MODEL?: string;
}

type Known = typeof knownSettings;
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

  /** The model settings of {@link read}, which are all that is needed at startup. */
  get models(): ModelChoice {
    return {
      base: this.base,
      profiles: this.get("model.profiles"),
      profile: this.get("model.profile"),
      modes: this.get("modes"),
    };
  }

  private get base(): ModelProfile {
    const { OPENAI_BASE_URL = "", ROOROO_MODEL = "" } = this.environment;
    const api = this.get("model.api");
    return {
      model: this.get("model.name") || ROOROO_MODEL,
      baseUrl: this.get("model.baseUrl") || OPENAI_BASE_URL || undefined,
      api: api === "auto" ? undefined : api,
      temperature: this.get("model.temperature") ?? undefined,
      maxOutputTokens: this.get("model.maxOutputTokens") ?? undefined,
      contextTokens: this.get("model.contextTokens") ?? undefined,
      images: this.get("model.images"),
      reasoningEffort: this.get("model.reasoningEffort") ?? undefined,
      dialect: this.get("model.dialect"),
    };
  }

  /** What the user is notified of while they look elsewhere. */
  get notifications(): NoticeChoice {
    return this.get("notifications.show");
  }

  /** The folder of runs; `undefined`: where the workspace has runs, else a folder of their own. */
  get runsDirectory(): string | undefined {
    return this.get("runs.directory").trim() || undefined;
  }

  /** Where a plan that begins works, unless the request says so. */
  get isolation(): "none" | "worktree" {
    return this.get("plans.isolation");
  }

  /** How plans are sent to other machines. */
  get team() {
    return {
      repository: this.get("team.repository"),
      remote: this.get("team.remote"),
      labels: this.get("team.labels"),
    };
  }

  /** Returns the current settings; cheap enough to call at every use. */
  read(): SettingsValues {
    return {
      models: this.models,
      prices: this.get("model.prices"),
      preset: this.get("approvals.preset"),
      categories: this.get("approvals.categories"),
      commands: { allow: this.get("commands.allow"), deny: this.get("commands.deny") },
      sandbox: {
        enabled: this.get("sandbox.enabled"),
        allowedHosts: this.get("sandbox.allowedHosts"),
      },
      limits: { turns: this.get("limits.turns") },
      spend: { task: this.get("limits.task"), day: this.get("limits.day") },
      concurrency: this.get("queue.concurrency"),
      startPlans: this.get("plans.start"),
      isolation: this.isolation,
      worktreeSetup: this.get("plans.worktreeSetup"),
      documenter: this.get("plans.documenter"),
      jobs: {
        runners: this.get("jobs.runners"),
        quota: this.get("jobs.maxTurns"),
        budget: this.get("limits.job"),
      },
      modes: this.get("modes"),
      runIn: this.get("commands.runIn"),
      record: this.get("debug.record"),
      hooks: this.get("hooks"),
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

  /** @param values `profile`: the name of the profile in use, empty for none */
  async setModel(values: { profile?: string; name?: string; baseUrl?: string }): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    for (const [key, value] of Object.entries(values)) {
      await configuration.update(`model.${key}`, value, vscode.ConfigurationTarget.Global);
    }
  }

  /** The preset for what runs without approval. */
  get preset(): ApprovalPreset {
    return this.get("approvals.preset");
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

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private get<K extends keyof Known>(key: K): Value<K> {
    const value = vscode.workspace.getConfiguration(section).get<unknown>(key);
    const { schema, fallback } = knownSettings[key];
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
    const openSettings = t("Open Settings");
    const chosen = await vscode.window.showWarningMessage(
      t(
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
