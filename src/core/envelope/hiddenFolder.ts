/**
 * R-ENV-7: Returns the hidden folder (its name begins with a dot) that a path leads into, unless the
 * user asked for it. `.rooroo`, where tasks live, is always allowed.
 *
 * @param path canonical
 * @param asked what the user said
 */
export function hiddenFolder(path: string, isFolder: boolean, asked: string): string | undefined {
  const segments = path.split("/");
  const folders = isFolder ? segments : segments.slice(0, -1);
  return folders.find(
    (name) => /^\.[^.]/.test(name) && name !== ".rooroo" && !isNamed(name, asked),
  );
}

/** Returns whether the folder is named as a word of its own: `.github` does not name `.git`. */
function isNamed(folder: string, asked: string): boolean {
  for (let at = asked.indexOf(folder); at >= 0; at = asked.indexOf(folder, at + 1)) {
    const around = (asked[at - 1] ?? " ") + (asked[at + folder.length] ?? " ");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
