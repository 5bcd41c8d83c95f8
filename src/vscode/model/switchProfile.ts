import * as vscode from "vscode";
import type { SettingName } from "../../contributions/settings.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { type ProfileChoice, profileChoices } from "./profileChoices.js";
import { saveProfile } from "./saveProfile.js";

type Choice = ProfileChoice | (vscode.QuickPickItem & { readonly choice: "save" | "edit" });

/** Lets the user choose the profile in use, or save one, or open the setting that has them. */
export async function switchProfile(settings: Settings): Promise<void> {
  const profiles = profileChoices(settings.models);
  const chosen = await vscode.window.showQuickPick<Choice>(
    [
      ...profiles,
      ...(profiles.length === 0
        ? []
        : [{ choice: "edit" as const, label: "", kind: vscode.QuickPickItemKind.Separator }]),
      { choice: "save", label: `$(save) ${t("Save Current Model as Profile…")}` },
      { choice: "edit", label: `$(edit) ${t("Edit Profiles in Settings…")}` },
    ],
    { title: t("Model Profile"), matchOnDescription: true },
  );
  switch (chosen?.choice) {
    case "profile":
      return settings.setModel({ profile: chosen.profile });
    case "save":
      return saveProfile(settings);
    case "edit":
      await vscode.commands.executeCommand(
        "workbench.action.openSettings",
        "@id:rooroo.model.profiles" satisfies `@id:rooroo.${SettingName}`,
      );
      return;
    case undefined:
  }
}
