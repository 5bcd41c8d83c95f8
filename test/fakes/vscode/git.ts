import { execFileSync } from "node:child_process";
import type * as real from "vscode";
import { ExtensionKind } from "./enums.js";
import { EventEmitter } from "./events.js";
import { Uri } from "./uri.js";

/** The input of Source Control, and what VS Code's own Git extension tells of a repository. */
export class Repository {
  readonly inputBox = { value: "" };
  readonly rootUri: real.Uri;

  constructor(private readonly folder: string) {
    this.rootUri = Uri.file(folder);
  }

  get state() {
    return {
      HEAD: { name: this.git("branch", "--show-current")[0] },
      indexChanges: this.git("diff", "--cached", "--name-only"),
    };
  }

  getRefs(): Promise<{ name: string }[]> {
    const names = this.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
    return Promise.resolve(names.map((name) => ({ name })));
  }

  private git(...args: readonly string[]): string[] {
    const told = execFileSync("git", args, { cwd: this.folder, encoding: "utf8" });
    return told.split("\n").filter((line) => line !== "");
  }
}

/** VS Code's own Git extension with one repository, as far as ours uses it. */
export function gitExtension(repository: Repository): real.Extension<unknown> {
  const api = {
    state: "initialized",
    onDidChangeState: new EventEmitter<string>().event,
    getRepository: (uri: real.Uri) =>
      uri.fsPath === repository.rootUri.fsPath ? repository : null,
  };
  const exports = { enabled: true, getAPI: () => api };
  return {
    id: "vscode.git",
    extensionUri: Uri.file("/git"),
    extensionPath: "/git",
    isActive: true,
    packageJSON: {},
    extensionKind: ExtensionKind.Workspace,
    exports,
    activate: () => Promise.resolve(exports),
  };
}
