import * as vscode from "vscode";
import type { ModelProfile } from "../../core/models/modelProfile.js";

const configuration = () => vscode.workspace.getConfiguration("rooroo");

/** Saves a profile under a name, in place of one that has it, and leaves the others as they are written. */
export async function keepProfile(name: string, profile: ModelProfile): Promise<void> {
  const { globalValue } = configuration().inspect<object>("model.profiles") ?? {};
  const profiles = { ...globalValue, [name]: profile };
  await configuration().update("model.profiles", profiles, vscode.ConfigurationTarget.Global);
}

/** Sets which of VS Code's tools experts may ask to use. */
export async function setEditorTools(chosen: readonly string[]): Promise<void> {
  await configuration().update("tools.vscode", chosen, vscode.ConfigurationTarget.Global);
}

/** Sets the name that the workers have for the repository of this window's folder. */
export async function setTeamRepository(name: string): Promise<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  await configuration().update("team.repository", name, Workspace);
}
