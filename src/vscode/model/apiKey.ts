import * as vscode from "vscode";
import type { Redactor } from "../../core/text/redactor.js";

/** A kind of key: its places in the secret store and the environment, and the title of its input box. */
interface KeyKind {
  readonly secretName: string;
  /** The environment variable that is read if no key is stored. */
  readonly variable: string;
  title(): string;
}

const modelKey: KeyKind = {
  secretName: "rooroo.apiKey",
  variable: "OPENAI_API_KEY",
  title: () => vscode.l10n.t("API Key for the Model Server"),
};

export const searchKey: KeyKind = {
  secretName: "rooroo.searchKey",
  variable: "ROOROO_SEARCH_KEY",
  title: () => vscode.l10n.t("API Key for Web Search"),
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
    private readonly kind: KeyKind = modelKey,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key === kind.secretName) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /**
   * Returns the key; `undefined` if there is none, which is common with self-hosted servers.
   *
   * @param variable the environment variable that is read if no key is stored
   */
  async read(variable = this.kind.variable): Promise<string | undefined> {
    const stored = await this.secrets.get(this.kind.secretName);
    const inherited = this.environment[variable];
    const key = stored ?? (inherited === "" ? undefined : inherited);
    this.redactor.learn(key);
    return key;
  }

  /** Asks the user to type the key. Empty input deletes the stored key. */
  async ask(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: this.kind.title(),
      prompt: vscode.l10n.t(
        "Stored in VS Code's secret storage, never in a file. Leave it empty to remove the stored key.",
      ),
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) =>
        /[\s\p{Cc}]/u.test(value.trim())
          ? vscode.l10n.t("A key contains no spaces or line breaks.")
          : undefined,
    });
    if (typed === undefined) return;
    const key = typed.trim();
    if (key === "") await this.secrets.delete(this.kind.secretName);
    else await this.secrets.store(this.kind.secretName, key);
  }
}
