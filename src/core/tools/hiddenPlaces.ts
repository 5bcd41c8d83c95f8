import { foldedPath } from "../approvals/foldedPath.js";
import type { HiddenTest } from "./hiddenFiles.js";

interface Places {
  /**
   * The beginnings of paths below which each folder has an owner. What is in such a folder is
   * hidden.
   */
  readonly all: readonly string[];
  /** The beginnings of the expert's own paths, which are not hidden. */
  readonly own: readonly string[];
  /** Paths that are visible all the same, and so are the folders on the way there. */
  readonly open: readonly string[];
}

/**
 * Returns a test that hides the folders of other owners, however a path to them is spelled.
 *
 * @param why the reason, as in `of another run`
 */
export function hiddenPlaces({ all, own, open }: Places, why: string): HiddenTest {
  const [places, mine] = [all.map(folded), own.map(folded)];
  const known = new Set<string>();
  for (const path of open) {
    const names = folded(path).split("/");
    for (let depth = 1; depth <= names.length; depth++) known.add(names.slice(0, depth).join("/"));
  }
  return (path) => {
    const name = folded(path);
    const isIn = (place: string) => name.startsWith(place) && name.includes("/", place.length);
    const isOthers = places.some(isIn) && !mine.some((place) => name.startsWith(place));
    return isOthers && !known.has(name) ? why : undefined;
  };
}

function folded(path: string): string {
  const isFolder = path.endsWith("/");
  const plain = isFolder ? path.slice(0, -1) : path;
  return (foldedPath(plain) ?? plain.toLowerCase()) + (isFolder ? "/" : "");
}
