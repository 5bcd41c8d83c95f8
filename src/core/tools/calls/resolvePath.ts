import type { LocatedPath, PathGuard } from "../../access/locatedPath.js";
import type { FileAction, ToolResult } from "../../agent/tool.js";
import type { Location } from "../../ports/files.js";
import { visibleText } from "../../text/visibleText.js";
import { visibleWords } from "../../text/visibleWords.js";
import type { Words } from "../../text/words.js";
import { failed } from "./failed.js";

/**
 * Returns whether a path has a variable for the workspace in it, as `{{workspace}}/a` and `${workspaceFolder}/a` do: models
 * write the variables of prompts and editors. Other braces are names, such as `{{cookiecutter.name}}` in a project's template.
 */
export function hasPlaceholder(path: string): boolean {
  return /(?:\{\{|\$\{|<)\s*workspace(?:[ _-]?(?:folder|root|dir|path))?(?::[\w.-]+)?\s*[}>]/i.test(
    path,
  );
}

/**
 * Locates and judges a path as a model spells it, or returns why it names nothing.
 */
export async function resolvePath(
  path: string,
  guard: PathGuard,
): Promise<{ location: LocatedPath } | { failure: ToolResult }> {
  const trimmed = path.trim();
  if (hasPlaceholder(trimmed)) {
    return {
      failure: failed(
        `Leave the placeholder out of ${JSON.stringify(path)}: paths are relative to the workspace, as in src/main.js.`,
      ),
    };
  }
  if (trimmed.includes("\0")) {
    return { failure: failed("A path cannot contain the character NUL. Write it without.") };
  }
  if (/^~[\w.-]*([/\\]|$)/.test(trimmed)) {
    return {
      failure: failed(
        `${trimmed} is not spelled out here: "~" stands for nothing. Use a path relative to the workspace, as in src/main.js, or an absolute one.`,
      ),
    };
  }
  const found = await guard.locateTyped(trimmed.replaceAll("\\", "/").replace(/^(\.\/+)+/, ""));
  if (!isSeveral(found)) return { location: found };
  return {
    failure: failed(
      `There is no ${path}, but several names are spelled like it. Use one of them as it is shown here: ${found.map(listedPath).join(", ")}`,
    ),
  };
}

function isSeveral(found: LocatedPath | readonly string[]): found is readonly string[] {
  return Array.isArray(found);
}

/**
 * Resolves a path like {@link resolvePath}, for tools that read what is there. A path outside the workspace is not even
 * looked at before somebody has allowed that.
 *
 * @param problemOf looks at the place and returns why it cannot be read
 */
export async function resolveToRead(
  path: string,
  guard: PathGuard,
  problemOf: (location: LocatedPath) => Promise<ToolResult | undefined>,
): Promise<{ location: LocatedPath } | { failure: ToolResult }> {
  const resolved = await resolvePath(path, guard);
  if ("failure" in resolved || !resolved.location.inside) return resolved;
  const failure = await problemOf(resolved.location);
  return failure === undefined ? resolved : { failure };
}

/** Resolves a path like {@link resolvePath}, for tools that may look inside the workspace only. */
export async function resolveInside(
  path: string,
  guard: PathGuard,
): Promise<{ location: LocatedPath } | { failure: ToolResult }> {
  const resolved = await resolvePath(path, guard);
  if ("failure" in resolved) return resolved;
  if (resolved.location.inside) return resolved;
  return {
    failure: failed(
      `${resolved.location.path} is outside the workspace and cannot be read. Use a path relative to the workspace, as in src/main.js.`,
    ),
  };
}

/** Returns a path for people and models; the root is `.`. */
export function shownPath(path: string): string {
  return path === "" ? "." : path;
}

/** Returns a path for a line of its own: no name of a file can look like another line. */
export function listedPath(path: string): string {
  return visibleText(path).replace(/[\n\t]/g, (character) =>
    JSON.stringify(character).slice(1, -1),
  );
}

/**
 * Returns the proposed action of reading a path.
 *
 * @param what its title, as in `Read src/cart.js`, with the canonical path
 */
export function readAction(title: Words, { path, inside }: Location): FileAction {
  const shown = visibleWords(title);
  return { access: "read", title: shown, path, inside, preview: { kind: "text", text: shown } };
}
