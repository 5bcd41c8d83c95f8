import * as vscode from "vscode";
import * as z from "zod/mini";
import type { TaskChanges } from "../../core/changes/taskChanges.js";
import type { TaskId } from "../../core/ids.js";
import { decodeText } from "../../core/text/textFile.js";

const query = z.object({
  /** The path, relative to the workspace. */
  path: z.string(),
  taskIds: z.array(z.string()).check(z.maxLength(1000)),
  version: z.enum(["before", "left"]),
});

/** Documents with the content that files had before tasks changed them, or that a task left in them. */
export class EarlierVersions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = "rooroo-earlier";
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration: vscode.Disposable;

  /** @param changes reads the changes from the files; `undefined` where no workspace is open */
  constructor(private readonly changes: () => Promise<TaskChanges> | undefined) {
    const { scheme } = EarlierVersions;
    this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** Returns a URI with the file's own path, so that VS Code shows it as the same file. */
  uri(
    folder: vscode.Uri,
    path: string,
    taskIds: readonly TaskId[],
    version: "before" | "left",
  ): vscode.Uri {
    const { scheme } = EarlierVersions;
    const parsed: z.infer<typeof query> = { path, taskIds: [...taskIds], version };
    return vscode.Uri.joinPath(folder, path).with({ scheme, query: JSON.stringify(parsed) });
  }

  /** Makes VS Code read the open documents again. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === EarlierVersions.scheme) this.changed.fire(uri);
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const changes = await this.changes();
    const { path, taskIds, version } = query.parse(JSON.parse(uri.query));
    if (!changes) return "";
    const bytes = await changes.version(path, taskIds, version);
    return bytes === undefined ? "" : (decodeText(bytes)?.text ?? "");
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
