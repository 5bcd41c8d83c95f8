import type * as vscode from "vscode";
import type { Redactor } from "../../core/text/redactor.js";
import { t } from "../text/words.js";

/** Where a key is kept, and the title of its input box. */
export interface KeyPlace {
  readonly secretName: string;
  /** The environment variable that is read if no key is stored. Empty: none. */
  readonly variable: string;
  title(): string;
}

export const searchKey: KeyPlace = {
  secretName: "rooroo.searchKey",
  variable: "ROOROO_SEARCH_KEY",
  title: () => t("API Key for Web Search"),
};

/**
 * The key for a server: from VS Code's secret store, else from the environment. Only clients of that
 * server get it. Once it has been read, the redactor removes it from everything that is stored or
 * shown.
 */
export class ApiKey {
  readonly onDidChange: vscode.Event<void>;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly redactor: Redactor,
    private readonly place: KeyPlace,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key === place.secretName) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /** Returns the key; `undefined` if there is none, which is common with self-hosted servers. */
  async read(): Promise<string | undefined> {
    const { secretName, variable } = this.place;
    const inherited = variable === "" ? undefined : this.environment[variable];
    const key = (await this.secrets.get(secretName)) ?? (inherited === "" ? undefined : inherited);
    this.redactor.learn(key);
    return key;
  }

  /** Returns whether a key is stored, whatever the environment has. */
  async isStored(): Promise<boolean> {
    return (await this.secrets.get(this.place.secretName)) !== undefined;
  }

  /** Asks the user to type the key. Empty input deletes the stored key. */
  async ask(): Promise<void> {
    const { typeKey } = await import("./typeKey.js");
    const typed = await typeKey(this.place.title());
    if (typed === undefined) return;
    const key = typed.trim();
    if (key === "") await this.secrets.delete(this.place.secretName);
    else await this.secrets.store(this.place.secretName, key);
  }
}
