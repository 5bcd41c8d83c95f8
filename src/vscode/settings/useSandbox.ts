import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { t } from "../text/words.js";
import type { Settings } from "./settings.js";

/** Makes commands run in the sandbox from now on. Throws a {@link UserError} if this machine has none. */
export async function useSandbox(settings: Settings, ability: SandboxAbility): Promise<void> {
  if (!ability.available)
    throw new UserError("noSandbox", "Commands cannot be sandboxed here: {reason}", {
      reason: ability.reason,
    });
  await settings.setPreset("sandbox");
  void vscode.window.showInformationMessage(
    t("Commands now run in a sandbox without asking ({0}).", ability.name),
  );
}
