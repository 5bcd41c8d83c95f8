import * as vscode from "vscode";

/**
 * Returns the id of the row with the keyboard's focus, if there is one, and selects it; for commands of the list's keys. VS
 * Code tells extensions only what is selected (microsoft/vscode#170248), and the arrow keys move the focus alone: so the
 * focused row is switched between selected and not, which shows which one it is. Twice, because what was selected just
 * before may not have been told yet; what a command selects is told before its end.
 */
export async function focusedRow({
  view,
}: {
  readonly view: vscode.TreeView<string>;
}): Promise<string | undefined> {
  await vscode.commands.executeCommand("list.toggleSelection");
  const before = view.selection;
  await vscode.commands.executeCommand("list.toggleSelection");
  const after = view.selection;
  const id =
    after.find((one) => !before.includes(one)) ?? before.find((one) => !after.includes(one));
  if (id !== undefined) await view.reveal(id, { select: true, focus: true });
  return id;
}
