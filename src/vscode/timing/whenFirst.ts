import * as vscode from "vscode";

/**
 * Creates something when an event first fits, such as what follows a list once the list has entries. Whoever owns the
 * result also disposes of what was created.
 *
 * @param create loads the code, too
 */
export function whenFirst<T>(
  event: vscode.Event<T>,
  fits: (value: T) => boolean,
  create: (value: T) => Promise<{ dispose(): unknown }>,
): vscode.Disposable {
  let isOver = false;
  let created: { dispose(): unknown } | undefined;
  const waiting = event((value) => {
    if (!fits(value)) return;
    waiting.dispose();
    void create(value).then((made) => {
      if (isOver) made.dispose();
      else created = made;
    });
  });
  return new vscode.Disposable(() => {
    isOver = true;
    waiting.dispose();
    created?.dispose();
  });
}
