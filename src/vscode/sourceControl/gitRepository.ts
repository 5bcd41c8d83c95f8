import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";

/** What is used of a repository that VS Code's own Git extension has open; the rest of its API is left out. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD?: { readonly name?: string } | undefined;
    readonly indexChanges: readonly unknown[];
  };
  getRefs(query: { sort?: "alphabetically" | "committerdate" }): Promise<{ name?: string }[]>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly state: "uninitialized" | "initialized";
  readonly onDidChangeState: vscode.Event<GitApi["state"]>;
  getRepository(uri: vscode.Uri): GitRepository | null;
}

/**
 * Returns the repository of the opened folder.
 *
 * @param argument the source control whose button was pressed; anything else: none was
 * @throws {UserError} if there is none, or the button belongs to another repository
 */
export async function gitRepository(
  folder: vscode.Uri,
  argument?: unknown,
): Promise<GitRepository> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = await extension?.activate();
  const api = git?.enabled === true ? git.getAPI(1) : undefined;
  // In a window that has just opened, it may still be looking for repositories.
  if (api?.state === "uninitialized") await nextState(api);
  const repository = api?.getRepository(folder) ?? null;
  if (repository === null) {
    throw new UserError(
      "noGitRepository",
      "VS Code knows of no Git repository here. Open a folder that is in one, and enable the Git extension.",
    );
  }
  const { rootUri: pressed } = (argument ?? {}) as { readonly rootUri?: unknown };
  if (pressed instanceof vscode.Uri && pressed.fsPath !== repository.rootUri.fsPath) {
    throw new UserError(
      "otherRepository",
      "Rooroo works in the opened folder, and this is another repository. Open its folder in a window of its own.",
    );
  }
  return repository;
}

function nextState({ onDidChangeState }: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const waiting = onDidChangeState(() => {
      waiting.dispose();
      resolve();
    });
  });
}
