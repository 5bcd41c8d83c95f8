import * as vscode from "vscode";
import { UserError } from "../core/errors.js";
import type { PanelStatus } from "../protocol/messages.js";
import type { WorkspaceSession } from "./workspaceSession.js";

/** Nothing can run here yet; {@link offer} is what would change that. */
export class NotOpenError extends UserError {
  constructor(
    message: string,
    readonly offer: { readonly label: string; readonly command: string },
  ) {
    super(message);
  }
}

/**
 * The folder that this window works in: the first, if there are several. VS Code starts extensions
 * anew when that changes, so only trust can come while we run.
 */
export class CurrentWorkspace implements vscode.Disposable {
  /** Exists before the workspace is trusted, but is not handed out. */
  private readonly made: WorkspaceSession | undefined;

  /** @param open makes a session; it reads and starts nothing */
  constructor(open: (folder: vscode.WorkspaceFolder) => WorkspaceSession) {
    const folder = vscode.workspace.workspaceFolders?.[0];
    this.made = folder?.uri.scheme === "file" ? open(folder) : undefined;
  }

  get state(): PanelStatus["workspace"] {
    if (this.made === undefined) return "none";
    return vscode.workspace.isTrusted ? "open" : "untrusted";
  }

  /** `undefined` when there is none, or while it is not trusted. */
  get session(): WorkspaceSession | undefined {
    return this.state === "open" ? this.made : undefined;
  }

  /** Throws {@link NotOpenError}. */
  require(): WorkspaceSession {
    if (this.session) return this.session;
    if (this.state === "untrusted") {
      throw new NotOpenError(
        vscode.l10n.t("Rooroo runs nothing in Restricted Mode. Trust this workspace first."),
        { label: vscode.l10n.t("Manage Trust"), command: "workbench.trust.manage" },
      );
    }
    throw new NotOpenError(
      vscode.l10n.t("Rooroo works on the files of a folder. Open one first."),
      { label: vscode.l10n.t("Open Folder"), command: "vscode.openFolder" },
    );
  }

  dispose(): void {
    this.made?.dispose();
  }
}
