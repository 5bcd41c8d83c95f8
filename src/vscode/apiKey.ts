import * as vscode from "vscode";
import type { Redactor } from "../core/redactor.js";

/** A key that is kept for one kind of server. */
interface KeyKind {
  readonly secretName: string;
  /** Of the environment, which stands in for a key that is not stored. */
  readonly variable: string;
  title(): string;
}

const modelKey: KeyKind = {
  secretName: "rooroo.apiKey",
  variable: "OPENAI_API_KEY",
  title: () => vscode.l10n.t("API Key for the Model's Server"),
};

export const searchKey: KeyKind = {
  secretName: "rooroo.searchKey",
  variable: "ROOROO_SEARCH_KEY",
  title: () => vscode.l10n.t("Key for the Web Search"),
};

/**
 * The key for a server: from VS Code's secret store, else from the environment. It is handed to
 * whoever asks the server, and to nobody else; whatever is kept or shown is without it from then on.
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

  /** `undefined` when there is none, which servers of one's own often want. */
  async read(): Promise<string | undefined> {
    const stored = await this.secrets.get(this.kind.secretName);
    const inherited = this.environment[this.kind.variable];
    const key = stored ?? (inherited === "" ? undefined : inherited);
    this.redactor.learn(key);
    return key;
  }

  /** Lets the person type it. Empty input takes the stored one away. */
  async ask(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: this.kind.title(),
      prompt: vscode.l10n.t(
        "Kept in VS Code's secret store, never in a file. Leave it empty to remove the stored key.",
      ),
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) =>
        /[\s\p{Cc}]/u.test(value.trim())
          ? vscode.l10n.t("A key has no spaces or line breaks in it.")
          : undefined,
    });
    if (typed === undefined) return;
    const key = typed.trim();
    if (key === "") await this.secrets.delete(this.kind.secretName);
    else await this.secrets.store(this.kind.secretName, key);
  }
}
