import type * as vscode from "vscode";
import type { ModelProfile } from "../../core/models/modelProfile.js";
import { serverOrigin } from "../../core/models/serverAddress.js";
import type { Redactor } from "../../core/text/redactor.js";
import { t } from "../text/words.js";
import { ApiKey } from "./apiKey.js";

/** What is needed to find the key for a server. */
export type KeyedServer = Pick<ModelProfile, "baseUrl" | "api" | "keyVariable">;

/** What the names of all these secrets begin with. */
const prefix = "rooroo.apiKey";

/** The keys for model servers: one for each origin, so that no server is sent the key of another. */
export class ModelKeys {
  readonly onDidChange: vscode.Event<void>;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly redactor: Redactor,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key.startsWith(prefix)) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /** Returns the key for a server; `undefined` if there is none, which is common with self-hosted servers. */
  read(server: KeyedServer): Promise<string | undefined> {
    return this.of(server).read();
  }

  /** Returns the key's place for a server. */
  of(server: KeyedServer): ApiKey {
    const origin = serverOrigin(server);
    return new ApiKey(this.secrets, this.environment, this.redactor, {
      secretName: `${prefix}:${origin}`,
      variable: server.keyVariable ?? "",
      title: () => t("API Key for {0}", origin),
    });
  }
}
