import { lastPart } from "../../core/text/pathParts.js";
export interface WorkspaceReference {
  readonly path: string;
  readonly line?: number;
}

/**
 * Reads inline code or a link's target as a file of the workspace, as in `src/cart.js:10-40` or
 * `src/cart.js#L10`; `undefined` for anything that does not look like a path. Whether there is such
 * a file only the host knows.
 */
export function workspaceReference(text: string): WorkspaceReference | undefined {
  const match = /^(.+?)(?:(?::|#L)(\d{1,7})(?:(?:-L?|:)\d+)?)?$/u.exec(text);
  const path = match?.[1]?.replace(/^\.\//, "");
  if (path === undefined || !/^[\p{L}\p{N}_@.~+\-()[\]/]+$/u.test(path)) return undefined;
  const name = lastPart(path);
  const looksLikeFile = /^\.*[^.].*\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(name);
  const looksLikeDotFile = /^(.*\/)?\.[a-z][\w.-]+$/.test(path) && path.includes("/");
  if (!looksLikeFile && !looksLikeDotFile) return undefined;
  // `console.log()`, `1.5.x` and `app.listen` are not files; a folder or a known ending is needed.
  if (!path.includes("/") && !knownEnding.test(path)) return undefined;
  if (path.startsWith("//") || /[()]/.test(path)) return undefined;
  const line = Number(match?.[2] ?? 0);
  return line > 0 ? { path, line } : { path };
}

const knownEnding =
  /\.(?:[cm]?[jt]sx?|jsonl?|md|mdx|txt|html?|css|scss|less|svg|png|ya?ml|toml|ini|cfg|conf|env|lock|sh|bash|ps1|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sql|vue|svelte|xml|csv|log|gradle|proto|ipynb|dockerfile)$/i;
