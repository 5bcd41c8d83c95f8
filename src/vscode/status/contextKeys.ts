import * as vscode from "vscode";
import type { PanelStatus } from "../../protocol/messages.js";

/** Sets the context keys that the manifest's `when` clauses use. */
export class ContextKeys {
  private readonly set = new Map<string, unknown>();

  async show(status: PanelStatus): Promise<void> {
    await Promise.all([
      this.put("rooroo.busy", status.busy),
      this.put("rooroo.queued", status.queued),
      this.put("rooroo.needsYou", status.needsYou),
      this.put("rooroo.approvals", status.approvals),
      this.put("rooroo.places", status.places),
      this.put("rooroo.toolless", status.model.toolless === true),
    ]);
  }

  private async put(key: string, value: unknown): Promise<void> {
    if (this.set.get(key) === value) return;
    this.set.set(key, value);
    await vscode.commands.executeCommand("setContext", key, value);
  }
}
