import * as vscode from "vscode";
import type { SettingName, SettingValue } from "../../contributions/settings.js";
import type { ApprovalPreset } from "../../core/approvals/approvalRules.js";
import type { ModelChoice, ModelProfile } from "../../core/models/modelProfile.js";
import { addressIn } from "../../core/models/serverAddress.js";
import { t } from "../text/words.js";
import { section, type SettingReaders, settingReaders } from "./settingReader.js";
import { userSetting, writeSetting } from "./writeSetting.js";

/** Environment variables that stand in for settings that are not set. */
export type SettingsEnvironment = Readonly<Record<string, string | undefined>>;

/** The user's settings. An invalid value counts as not set, and the user is warned of it once. */
export class Settings implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  /** Invalid values that the user was warned of, as JSON, by setting. */
  private readonly named = new Map<string, string>();
  private readonly subscription: vscode.Disposable;
  private readonly readers: SettingReaders;

  /** @param manifest the extension's `package.json` */
  constructor(
    private readonly environment: SettingsEnvironment,
    manifest: unknown,
  ) {
    this.readers = settingReaders(manifest);
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) this.changed.fire();
    });
  }

  /** Returns a setting's value now; cheap enough to call at every use. */
  get<K extends SettingName>(name: K): SettingValue<K> {
    const value = vscode.workspace.getConfiguration(section).get<unknown>(name);
    const { parser, fallback } = this.readers.of(name);
    const parsed = parser.safeParse(value);
    if (parsed.success) {
      this.named.delete(name);
      return parsed.data;
    }
    if (value !== undefined) void this.warn(name, value, fallback);
    return fallback;
  }

  /** Reads all settings, so that the user is warned of invalid ones before they are used. */
  check(): void {
    for (const name of this.readers.names) this.get(name);
  }

  /** The settings about models. */
  get models(): ModelChoice {
    return {
      base: this.base,
      profiles: this.get("model.profiles"),
      profile: this.get("model.profile"),
      modes: this.get("modes"),
    };
  }

  private get base(): ModelProfile {
    const { environment } = this;
    const given = this.get("model.api");
    const api = given === "auto" ? undefined : given;
    return {
      model: this.get("model.name") || (environment["ROOROO_MODEL"] ?? ""),
      baseUrl: this.get("model.baseUrl") || addressIn(environment, api),
      api,
      temperature: this.get("model.temperature") ?? undefined,
      maxOutputTokens: this.get("model.maxOutputTokens") ?? undefined,
      contextTokens: this.get("model.contextTokens") ?? undefined,
      images: this.get("model.images"),
      reasoningEffort: this.get("model.reasoningEffort") ?? undefined,
      dialect: this.get("model.dialect"),
    };
  }

  /** The folder of runs; `undefined`: where the workspace has runs, else a folder of their own. */
  get runsDirectory(): string | undefined {
    return this.get("runs.directory") || undefined;
  }

  /** How a job is run, unless the user says so. `quota` is the maximum number of turns of one lifecycle. */
  get jobs() {
    return {
      runners: this.get("jobs.runners"),
      quota: this.get("jobs.maxTurns"),
      budget: this.get("limits.job"),
    };
  }

  /** @param values `profile`: the name of the profile in use, empty for none */
  async setModel({
    profile,
    name,
    baseUrl,
  }: {
    profile?: string;
    name?: string;
    baseUrl?: string;
  }): Promise<void> {
    if (profile !== undefined) await writeSetting("model.profile", profile);
    if (name !== undefined) await writeSetting("model.name", name);
    if (baseUrl !== undefined) await writeSetting("model.baseUrl", baseUrl);
  }

  /** Whether the user has chosen a preset, or the default applies. */
  get isPresetChosen(): boolean {
    return userSetting("approvals.preset") !== undefined;
  }

  async setPreset(preset: ApprovalPreset): Promise<void> {
    await writeSetting("approvals.preset", preset);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async warn(name: string, value: unknown, fallback: unknown): Promise<void> {
    const json = JSON.stringify(value);
    if (this.named.get(name) === json) return;
    this.named.set(name, json);
    const openSettings = t("Open Settings");
    const chosen = await vscode.window.showWarningMessage(
      t(
        'The setting "{0}" is {1}, which cannot be used. {2} is used instead.',
        `${section}.${name}`,
        json.length > 60 ? `${json.slice(0, 60)}…` : json,
        JSON.stringify(fallback),
      ),
      openSettings,
    );
    if (chosen !== openSettings) return;
    await vscode.commands.executeCommand("workbench.action.openSettings", `${section}.${name}`);
  }
}
