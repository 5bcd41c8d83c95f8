import type { ImportedSettings } from "../../core/imports/importTarget.js";
import { userSetting, writeSetting } from "../settings/writeSetting.js";

/** Returns the user's settings in VS Code, as an import reads and adds to them: never those of a workspace. */
export function importedSettings(): ImportedSettings {
  return {
    commands: {
      allow: userSetting("commands.allow") ?? [],
      deny: userSetting("commands.deny") ?? [],
    },
    profiles: () => Promise.resolve(userSetting("model.profiles") ?? {}),
    hasModel: () =>
      Promise.resolve([userSetting("model.profile"), userSetting("model.name")].some(Boolean)),
    saveProfiles: async (profiles, inUse) => {
      await writeSetting("model.profiles", { ...userSetting("model.profiles"), ...profiles });
      if (inUse !== undefined) await writeSetting("model.profile", inUse);
    },
    addCommandRules: async (list, rules) => {
      const name = `commands.${list}` as const;
      await writeSetting(name, [...new Set([...(userSetting(name) ?? []), ...rules])]);
    },
  };
}
