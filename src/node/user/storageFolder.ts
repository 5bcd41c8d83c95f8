/**
 * Returns the folder that all windows on a workspace share. VS Code (1.139) gives a window another storage folder, whose
 * name has a number at its end, while the extension host of the window before still holds the usual one: as after a reload
 * in a browser. What is typed there, and shown, is to be found again.
 *
 * @param path the folder that VS Code has given the extension, as in `…/workspaceStorage/a1b2-1/rooroo.rooroo-navigator`
 */
export function sharedFolder(path: string): string {
  return path.replace(/-\d(?=[\\/][^\\/]+$)/, "");
}
