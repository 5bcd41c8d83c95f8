import { join } from "node:path";
import type * as real from "vscode";
import { ExtensionMode } from "./enums.js";
import { EventEmitter } from "./events.js";
import { Uri } from "./uri.js";

/** Values that stay from one window to the next, as long as the same object is given. */
class Memento implements real.Memento {
  constructor(private readonly values = new Map<string, string>()) {}

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    const json = this.values.get(key);
    return json === undefined ? (otherwise as T) : (JSON.parse(json) as T);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }

  setKeysForSync(): void {
    // Nothing is synchronized here.
  }
}

class Secrets implements real.SecretStorage {
  private readonly kept = new Map<string, string>();
  private readonly changed = new EventEmitter<real.SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.kept.keys()]);
  }
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.get(key));
  }
  store(key: string, value: string): Promise<void> {
    this.kept.set(key, value);
    this.changed.fire({ key });
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    if (this.kept.delete(key)) this.changed.fire({ key });
    return Promise.resolve();
  }
}

/** What outlives a window: storage in VS Code and folders on disk. */
export interface Stored {
  readonly globalState: Memento;
  readonly workspaceState: Memento;
  readonly secrets: Secrets;
  /** A folder for all that VS Code keeps in files. */
  readonly folder: string;
}

export function emptyStorage(folder: string): Stored {
  return {
    folder,
    globalState: new Memento(),
    workspaceState: new Memento(),
    secrets: new Secrets(),
  };
}

export function extensionContext(
  extension: real.Extension<unknown>,
  stored: Stored,
  hasFolder: boolean,
  mode: real.ExtensionMode = ExtensionMode.Test,
): real.ExtensionContext {
  const storageUri = hasFolder ? Uri.file(join(stored.folder, "workspace")) : undefined;
  const globalStorageUri = Uri.file(join(stored.folder, "global"));
  const logUri = Uri.file(join(stored.folder, "logs"));
  const context: Omit<real.ExtensionContext, "storagePath" | "globalStoragePath" | "logPath"> = {
    subscriptions: [],
    workspaceState: stored.workspaceState,
    globalState: stored.globalState,
    secrets: stored.secrets,
    extension,
    extensionUri: extension.extensionUri,
    extensionPath: extension.extensionPath,
    extensionMode: mode,
    storageUri,
    globalStorageUri,
    logUri,
    asAbsolutePath: (path) => join(extension.extensionPath, path),
    get environmentVariableCollection(): never {
      throw new Error("The fake has no environment of terminals.");
    },
    get languageModelAccessInformation(): never {
      throw new Error("The fake does not know who may use language models.");
    },
  };
  // Without the paths that have long given way to addresses.
  return context as real.ExtensionContext;
}
