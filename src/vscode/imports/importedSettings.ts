import * as vscode from "vscode";
import type { ImportedSettings } from "../../core/imports/importTarget.js";

const section = "rooroo";

/** Returns the user's settings in VS Code, as an import reads and adds to them: never those of a workspace. */
export function importedSettings(): ImportedSettings {
  const own = <T>(key: string, empty: T): T =>
    vscode.workspace.getConfiguration(section).inspect<T>(key)?.globalValue ?? empty;
  const save = (key: string, value: unknown) =>
    vscode.workspace
      .getConfiguration(section)
      .update(key, value, vscode.ConfigurationTarget.Global);
  return {
    commands: {
      allow: own<readonly string[]>("commands.allow", []),
      deny: own<readonly string[]>("commands.deny", []),
    },
    profiles: () => Promise.resolve(own<Record<string, unknown>>("model.profiles", {})),
    hasModel: () =>
      Promise.resolve(["model.profile", "model.name"].some((key) => own<string>(key, "") !== "")),
    saveProfiles: async (profiles, inUse) => {
      await save("model.profiles", { ...own<object>("model.profiles", {}), ...profiles });
      if (inUse !== undefined) await save("model.profile", inUse);
    },
    addCommandRules: async (list, rules) => {
      const key = `commands.${list}`;
      await save(key, [...new Set([...own<readonly string[]>(key, []), ...rules])]);
    },
  };
}
