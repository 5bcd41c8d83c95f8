import * as vscode from "vscode";

const secretName = "rooroo.apiKey";

/**
 * The key for the model's server: from VS Code's secret store, else from the environment. It is
 * handed to whoever asks the server, and to nobody else.
 */
export class ApiKey {
  readonly onDidChange: vscode.Event<void>;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: { readonly OPENAI_API_KEY?: string },
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key === secretName) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /** `undefined` when there is none, which servers of one's own often want. */
  async read(): Promise<string | undefined> {
    const stored = await this.secrets.get(secretName);
    const { OPENAI_API_KEY } = this.environment;
    return stored ?? (OPENAI_API_KEY === "" ? undefined : OPENAI_API_KEY);
  }

  /** Lets the person type it. Empty input takes the stored one away. */
  async ask(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t("API Key for the Model's Server"),
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
    if (key === "") await this.secrets.delete(secretName);
    else await this.secrets.store(secretName, key);
  }
}
