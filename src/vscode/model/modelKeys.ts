import type * as vscode from "vscode";
import type { ModelProfile } from "../../core/models/modelProfile.js";
import { serverOrigin } from "../../core/models/serverAddress.js";
import type { Redactor } from "../../core/text/redactor.js";
import { t } from "../text/words.js";
import { ApiKey } from "./apiKey.js";

/** What is needed to find the key for a server. */
export type KeyedServer = Pick<ModelProfile, "baseUrl" | "api" | "keyVariable">;

/** Where earlier versions kept one key for every server. */
const oldName = "rooroo.apiKey";

/** The keys for model servers: one for each origin, so that no server is sent the key of another. */
export class ModelKeys {
  readonly onDidChange: vscode.Event<void>;
  private moved: Promise<void> | undefined;

  /** @param formerServer returns the server to which the one key of an earlier version was sent */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly redactor: Redactor,
    private readonly formerServer: () => KeyedServer,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key.startsWith(oldName)) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /** Returns the key for a server; `undefined` if there is none, which is common with self-hosted servers. */
  async read(server: KeyedServer): Promise<string | undefined> {
    return (await this.of(server)).read();
  }

  /** Returns the key's place for a server. */
  async of(server: KeyedServer): Promise<ApiKey> {
    this.moved ??= this.moveOldKey();
    try {
      await this.moved;
    } catch (error) {
      this.moved = undefined;
      throw error;
    }
    const origin = serverOrigin(server);
    return new ApiKey(this.secrets, this.environment, this.redactor, {
      secretName: `${oldName}:${origin}`,
      variable: server.keyVariable ?? "",
      title: () => t("API Key for {0}", origin),
    });
  }

  /** The new place is written first: what ends this in between leaves a key that is moved again. */
  private async moveOldKey(): Promise<void> {
    const key = await this.secrets.get(oldName);
    if (key === undefined) return;
    await this.secrets.store(`${oldName}:${serverOrigin(this.formerServer())}`, key);
    await this.secrets.delete(oldName);
  }
}
