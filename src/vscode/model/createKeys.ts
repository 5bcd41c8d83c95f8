import type * as vscode from "vscode";
import type { Redactor } from "../../core/text/redactor.js";
import { ApiKey, searchKey } from "./apiKey.js";
import { ModelKeys } from "./modelKeys.js";
import { TeamSecrets } from "./teamSecrets.js";

/** The keys that the user has stored, or that the environment has. */
export interface Keys {
  readonly modelKeys: ModelKeys;
  readonly webSearchKey: ApiKey;
  /** What has been entered for the MCP servers of workspaces. */
  readonly mcpInputs: Pick<vscode.SecretStorage, "get" | "store">;
  readonly team: TeamSecrets;
}

export function createKeys(
  secrets: vscode.SecretStorage,
  environment: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): Keys {
  return {
    modelKeys: new ModelKeys(secrets, environment, redactor),
    webSearchKey: new ApiKey(secrets, environment, redactor, searchKey),
    mcpInputs: secrets,
    team: new TeamSecrets(secrets, environment, redactor),
  };
}
