import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { t } from "../text/words.js";
import type { EmittedEvent, WorkspaceSession } from "./workspaceSession.js";

/** Says that nothing can run in this window yet; {@link offer} is the command that would change that. */
export class NotOpenError extends UserError {
  constructor(
    code: string,
    template: string,
    readonly offer: { readonly label: string; readonly command: string },
  ) {
    super(code, template);
  }
}

/**
 * The folder that this window works in: the first one, if there are several. VS Code restarts
 * extensions when the folder changes, so only trust can be granted while the extension runs.
 */
export class CurrentWorkspace implements vscode.Disposable {
  /** The session. It exists before the workspace is trusted, but is not handed out until then. */
  private readonly made: WorkspaceSession | undefined;

  /** @param open creates a session, which reads and starts nothing yet */
  constructor(open: (folder: vscode.WorkspaceFolder) => WorkspaceSession) {
    const folder = vscode.workspace.workspaceFolders?.[0];
    this.made = folder?.uri.scheme === "file" ? open(folder) : undefined;
  }

  /** Fires for everything that happens here from now on. */
  get onDidEmit(): vscode.Event<EmittedEvent> {
    return this.made?.onDidEmit ?? nothing;
  }

  get state(): PanelStatus["workspace"] {
    if (this.made === undefined) return "none";
    return vscode.workspace.isTrusted ? "open" : "untrusted";
  }

  /** The session; `undefined` if there is no folder, or while the workspace is not trusted. */
  get session(): WorkspaceSession | undefined {
    return this.state === "open" ? this.made : undefined;
  }

  /** Returns the session. Throws {@link NotOpenError} if there is none or the workspace is not trusted. */
  require(): WorkspaceSession {
    if (this.session) return this.session;
    if (this.state === "untrusted") {
      throw new NotOpenError(
        "workspaceUntrusted",
        "Rooroo runs nothing in Restricted Mode. Trust this workspace first.",
        { label: t("Manage Trust"), command: "workbench.trust.manage" },
      );
    }
    throw new NotOpenError(
      "noFolderOpen",
      "Rooroo works on the files of a folder. Open one first.",
      { label: t("Open Folder"), command: "vscode.openFolder" },
    );
  }

  dispose(): void {
    this.made?.dispose();
  }
}

/** The event of a window in which nothing can happen. */
const nothing: vscode.Event<never> = () => new vscode.Disposable(() => undefined);
