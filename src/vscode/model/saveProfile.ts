import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import { askedModel } from "../../core/models/askedModel.js";
import { savedProfile } from "../../core/models/savedProfile.js";
import { keepProfile } from "../settings/changeSettings.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";

/** Saves the model in use, with its server and parameters, as a profile that the user names, and uses that. */
export async function saveProfile(settings: Settings): Promise<void> {
  const { models } = settings;
  const { asked } = askedModel(models);
  if (asked === undefined || asked.model === "") {
    throw new UserError(
      "noModelToSave",
      "No model is chosen that could be saved. Choose one with “Select Model” first.",
    );
  }
  const typed = await vscode.window.showInputBox({
    title: t("Save {0} as Profile", asked.model),
    prompt: t("A name for the profile. API keys are not saved in it."),
    ignoreFocusOut: true,
    validateInput: (text) => nameProblem(text, Object.keys(models.profiles)),
  });
  const name = typed?.trim() ?? "";
  if (name === "") return;
  await keepProfile(name, savedProfile(asked));
  await settings.setModel({ profile: name });
}

function nameProblem(
  text: string,
  taken: readonly string[],
): string | vscode.InputBoxValidationMessage | undefined {
  const name = text.trim();
  if (name === "") return t("Type a name");
  if (name.length > 100 || /\p{Cc}/u.test(name)) return t("A name has at most 100 characters");
  if (!taken.includes(name)) return undefined;
  return {
    message: t("The profile of this name will be replaced"),
    severity: vscode.InputBoxValidationSeverity.Info,
  };
}
