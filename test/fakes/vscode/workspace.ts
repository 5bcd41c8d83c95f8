import { basename } from "node:path";
import type * as real from "vscode";
import type { Configuration } from "./configuration.js";
import type { Documents } from "./documents.js";
import type { WorkspaceEdit } from "./edits.js";
import { EventEmitter } from "./events.js";
import { diskFileSystem, type FileWatchers } from "./files.js";
import { Uri } from "./uri.js";

/** The folder that is open, whether it is trusted, and the documents, settings and files around it. */
export class Workspace {
  readonly folders: readonly real.WorkspaceFolder[] | undefined;
  private isTrusted: boolean;
  private readonly granted = new EventEmitter<void>();

  constructor(
    folder: string | undefined,
    isTrusted: boolean,
    private readonly configuration: Configuration,
    private readonly documents: Documents,
    private readonly watchers: FileWatchers,
  ) {
    this.folders =
      folder === undefined
        ? undefined
        : [{ uri: Uri.file(folder), name: basename(folder), index: 0 }];
    this.isTrusted = isTrusted;
  }

  /** Trusts the folder, as a person does. */
  trust(): void {
    if (this.isTrusted) return;
    this.isTrusted = true;
    this.granted.fire();
  }

  get api() {
    const { folders, documents } = this;
    const isTrusted = () => this.isTrusted;
    const folderOf = (uri: real.Uri) =>
      folders?.find((one) => uri.path === one.uri.path || uri.path.startsWith(`${one.uri.path}/`));
    return {
      workspaceFolders: folders,
      name: folders?.[0]?.name,
      get isTrusted() {
        return isTrusted();
      },
      onDidGrantWorkspaceTrust: this.granted.event,
      onDidChangeWorkspaceFolders: new EventEmitter<real.WorkspaceFoldersChangeEvent>().event,
      getWorkspaceFolder: folderOf,
      asRelativePath: (what: string | real.Uri) => {
        const uri = typeof what === "string" ? Uri.file(what) : what;
        const folder = folderOf(uri);
        return folder === undefined ? uri.fsPath : uri.path.slice(folder.uri.path.length + 1);
      },
      fs: diskFileSystem,
      get textDocuments(): readonly real.TextDocument[] {
        return documents.all;
      },
      openTextDocument: ((what?: real.Uri | string | { content?: string; language?: string }) =>
        documents.open(what)) as typeof real.workspace.openTextDocument,
      onDidOpenTextDocument: documents.onDidOpen,
      onDidCloseTextDocument: documents.onDidClose,
      onDidChangeTextDocument: documents.onDidChange,
      onDidSaveTextDocument: documents.onDidSave,
      registerTextDocumentContentProvider: (
        scheme: string,
        provider: real.TextDocumentContentProvider,
      ) => documents.provide(scheme, provider),
      applyEdit: (edit: real.WorkspaceEdit) => documents.apply(edit as unknown as WorkspaceEdit),
      saveAll: async () => {
        for (const one of documents.all) if (one.isDirty) await one.save();
        return true;
      },
      encode: ((text: string) =>
        Promise.resolve(new TextEncoder().encode(text))) as typeof real.workspace.encode,
      decode: ((bytes: Uint8Array) =>
        Promise.resolve(new TextDecoder().decode(bytes))) as typeof real.workspace.decode,
      getConfiguration: ((section?: string) =>
        this.configuration.in(section)) as typeof real.workspace.getConfiguration,
      onDidChangeConfiguration: this.configuration.onDidChange,
      createFileSystemWatcher: (...args: Parameters<FileWatchers["create"]>) =>
        this.watchers.create(...args),
    } satisfies Partial<typeof real.workspace>;
  }
}
