/**
 * Folds a canonical path as the most lenient file system may read it, so that another spelling does not get
 * around a pattern: without case, compatible forms, accents and what is drawn as nothing (macOS); without
 * trailing dots and blanks, and without what follows a colon (Windows). For matching only.
 *
 * @returns `undefined` for a path without a certain reading, such as one with a short name of Windows
 */
export function foldedPath(path: string): string | undefined {
  const names: string[] = [];
  for (const name of path.split("/")) {
    const folded = foldedName(name);
    if (folded === undefined) return undefined;
    names.push(folded);
  }
  return names.join("/");
}

function foldedName(name: string): string | undefined {
  // Dots mean at most the folder that the path is in; the names after them are matched by themselves.
  if (/^\.{3,}$/.test(name)) return name;
  const folded = name
    .normalize("NFKD")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(?<=.):.*/s, "")
    .replace(/(?<![. ])[. ]+$/, "");
  // Compatible forms can bring new separators; `GIT~1` is `.git` where short names are made.
  if (folded === "" || /[/\\]/.test(folded) || /^[^.]{1,8}~\d+(\.|$)/.test(folded))
    return undefined;
  return folded;
}
