import * as vscode from "vscode";
import type { ModelProfile } from "../../core/models/modelProfile.js";
import { userSetting, writeSetting } from "./writeSetting.js";

/** Saves a profile under a name, in place of one that has it, and leaves the others as they are written. */
export async function keepProfile(name: string, profile: ModelProfile): Promise<void> {
  await writeSetting("model.profiles", { ...userSetting("model.profiles"), [name]: profile });
}

/** Sets the name that the workers have for the repository of this window's folder. */
export async function setTeamRepository(name: string): Promise<void> {
  await writeSetting("team.repository", name, vscode.ConfigurationTarget.Workspace);
}
