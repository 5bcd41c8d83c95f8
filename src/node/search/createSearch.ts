import { join } from "node:path";
import type { Search } from "../../core/ports/search.js";
import { findProgram, isProgram, isWithin } from "../processes/findProgram.js";
import { RipgrepSearch } from "./ripgrepSearch.js";
import { WalkSearch } from "./walkSearch.js";

/** Returns a search that uses ripgrep if {@link findRipgrep} finds it, else one that needs no other program. */
export function createSearch(root: string, editor?: string): Search {
  const program = findRipgrep(root, editor);
  return program === undefined ? new WalkSearch(root) : new RipgrepSearch(root, program);
}

/**
 * Returns the absolute path of ripgrep: that on PATH, else the editor's own; `undefined` if there is none.
 *
 * @param root the workspace folder's absolute path; nothing in it is ever run
 * @param editor the folder of VS Code's own files (`vscode.env.appRoot`), which has a ripgrep among its packages
 */
export function findRipgrep(root: string, editor: string | undefined): string | undefined {
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
