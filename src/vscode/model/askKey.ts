import * as vscode from "vscode";
import { askedModel, everyProfile } from "../../core/models/askedModel.js";
import type { ModelProfile } from "../../core/models/modelProfile.js";
import { serverOrigin } from "../../core/models/serverAddress.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { isEditorModel } from "./editorModelName.js";
import type { ModelKeys } from "./modelKeys.js";

interface ServerChoice extends vscode.QuickPickItem {
  readonly server: ModelProfile;
}

/**
 * Asks the user for the API key of a server; if the profiles name several, first for which, that of the model in use
 * being the first. Returns `false` if the user cancels that choice.
 */
export async function askKey(settings: Settings, keys: ModelKeys): Promise<boolean> {
  const server = await chooseKeyed(settings, keys);
  if (server === undefined) return false;
  await keys.of(server).ask();
  return true;
}

async function chooseKeyed(
  { models }: Settings,
  keys: ModelKeys,
): Promise<ModelProfile | undefined> {
  const { profile: inUse, asked } = askedModel(models);
  const byOrigin = new Map<string, { server: ModelProfile; names: string[] }>();
  const all = everyProfile(models).filter(({ asked: { model } }) => !isEditorModel(model));
  // The first is the one in use.
  if (asked && !isEditorModel(asked.model)) all.unshift({ profile: inUse, asked });
  for (const { profile, asked: server } of all) {
    const origin = serverOrigin(server);
    const found = byOrigin.get(origin) ?? { server, names: [] };
    byOrigin.set(origin, found);
    if (profile !== "" && !found.names.includes(profile)) found.names.push(profile);
  }
  if (byOrigin.size <= 1) return all[0]?.asked ?? models.base;
  const choices = await Promise.all(
    [...byOrigin].map(async ([origin, { server, names }]): Promise<ServerChoice> => {
      const stored = await keys.of(server).isStored();
      return {
        server,
        label: origin,
        description: names.join(", "),
        detail: stored ? t("A key is stored.") : t("No key is stored."),
      };
    }),
  );
  const title = t("API Key for Which Server?");
  return (await vscode.window.showQuickPick(choices, { title, matchOnDescription: true }))?.server;
}
