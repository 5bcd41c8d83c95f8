import type * as vscode from "vscode";
import { everyProfile } from "../../core/models/askedModel.js";
import type { ModelChoice } from "../../core/models/modelProfile.js";
import { addressOf } from "../../core/models/serverAddress.js";
import { t } from "../text/words.js";
import { isEditorModel } from "./editorModelName.js";

/** The name that stands for the settings without a profile. */
export const noProfile = "";

/** A row of a picker that stands for a profile. */
export interface ProfileChoice extends vscode.QuickPickItem {
  readonly choice: "profile";
  readonly profile: string;
}

/** Returns the rows of the profiles that can be used, and of no profile; none if there are no profiles. */
export function profileChoices(models: ModelChoice): ProfileChoice[] {
  const [base, ...profiles] = everyProfile(models).map(({ profile, asked }): ProfileChoice => {
    const server = isEditorModel(asked.model) ? [] : [addressOf(asked)];
    const used = profile === models.profile ? [t("in use")] : [];
    return {
      choice: "profile",
      profile,
      label: profile === noProfile ? t("No Profile") : `$(bookmark) ${profile}`,
      description: [...used, asked.model, ...server].filter((text) => text !== "").join(" · "),
    };
  });
  return base === undefined || (profiles.length === 0 && models.profile === noProfile)
    ? []
    : [...profiles, base];
}
