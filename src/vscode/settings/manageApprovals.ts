import * as vscode from "vscode";
import { permissionText } from "../../core/approvals/permission.js";
import type { ListedPermission } from "../../core/approvals/permissions.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

/** Lists the permissions that go beyond single calls, and revokes those that the user chooses. */
export async function manageApprovals(permissions: readonly ListedPermission[]): Promise<void> {
  if (permissions.length === 0) {
    const settings = t("Open Settings");
    const chosen = await vscode.window.showInformationMessage(
      t("No permissions have been granted here beyond single calls."),
      settings,
    );
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "rooroo.approvals");
    }
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    permissions.map((listed) => ({
      label: visibleLine(spoken(permissionText(listed.permission), t), 200),
      description: howLong(listed),
      listed,
    })),
    {
      canPickMany: true,
      title: t("Always-Allowed Actions"),
      placeHolder: t("Select actions to revoke"),
    },
  );
  for (const { listed } of chosen ?? []) await listed.revoke();
}

function howLong({ scope, since }: ListedPermission): string {
  switch (scope) {
    case "task":
      return t("for its task");
    case "session":
      return t("until this window is closed");
    case "always":
      return t("always, since {0}", new Date(since ?? 0).toLocaleDateString());
  }
}
