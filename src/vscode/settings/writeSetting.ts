import * as vscode from "vscode";
import type { SettingName, SettingValue } from "../../contributions/settings.js";
import { section } from "./settingReader.js";

/** Sets one of the user's settings, or one of the workspace. */
export async function writeSetting<K extends SettingName>(
  name: K,
  value: SettingValue<K>,
  target: vscode.ConfigurationTarget = vscode.ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, target);
}

/** Returns what the user has set, as it is written and unchecked; `undefined` if they have set nothing. */
export function userSetting<K extends SettingName>(name: K): SettingValue<K> | undefined {
  return vscode.workspace.getConfiguration(section).inspect<SettingValue<K>>(name)?.globalValue;
}
