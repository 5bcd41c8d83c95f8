/**
 * R-ENV-7: the hidden folder that a path leads into, if it is one that nobody has asked for.
 * `.rooroo` is where tasks live, so it is always asked for.
 *
 * @param path canonical
 * @param asked what the person said
 */
export function hiddenFolder(path: string, isFolder: boolean, asked: string): string | undefined {
  const segments = path.split("/");
  const folders = isFolder ? segments : segments.slice(0, -1);
  return folders.find(
    (name) => /^\.[^.]/.test(name) && name !== ".rooroo" && !isNamed(name, asked),
  );
}

/** As a word of its own: who speaks of `.github` has not asked for `.git`. */
function isNamed(folder: string, asked: string): boolean {
  for (let at = asked.indexOf(folder); at >= 0; at = asked.indexOf(folder, at + 1)) {
    const around = (asked[at - 1] ?? " ") + (asked[at + folder.length] ?? " ");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
