import { isAbsolute, join } from "node:path";
import type { Search } from "../../core/ports/search.js";
import { findProgram, isProgram, isWithin } from "../processes/findProgram.js";
import { RipgrepSearch } from "./ripgrepSearch.js";
import { WalkSearch } from "./walkSearch.js";

/** The places where ripgrep is looked for besides PATH. */
export interface RipgrepPlaces {
  /** The path in the user's settings. Empty, relative, or in the workspace: it is ignored. */
  readonly chosen?: string;
  /** The folder of VS Code's own files (`vscode.env.appRoot`), which has a ripgrep among its packages. */
  readonly editor?: string;
}

/** Returns a search that uses ripgrep if it is found, else one that needs no other program. */
export function createSearch(root: string, places: RipgrepPlaces = {}): Search {
  const program = findRipgrep(root, places);
  return program === undefined ? new WalkSearch(root) : new RipgrepSearch(root, program);
}

/**
 * Returns the absolute path of ripgrep: the one that the user has chosen, else that on PATH, else the
 * editor's own; `undefined` if there is none.
 *
 * @param root the workspace folder's absolute path; nothing in it is ever run
 */
export function findRipgrep(root: string, { chosen, editor }: RipgrepPlaces): string | undefined {
  if (chosen !== undefined && isAbsolute(chosen) && !isWithin(chosen, root)) return chosen;
  const onPath = findProgram(["rg"], root);
  if (onPath !== undefined || editor === undefined) return onPath;
  return editorRipgreps(editor).find((path) => isProgram(path) && !isWithin(path, root));
}

/** Returns the paths at which VS Code has its ripgrep; it moved with version 1.122. */
function editorRipgreps(editor: string): string[] {
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  return ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) => [
    join(
      editor,
      modules,
      "@vscode/ripgrep-universal/bin",
      `${process.platform}-${process.arch}`,
      program,
    ),
    join(editor, modules, "@vscode/ripgrep/bin", program),
  ]);
}
