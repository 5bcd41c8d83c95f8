import type { ToolContext, ToolResult } from "../agent/tool.js";
import { mayHoldSecrets } from "../approvals/secretFiles.js";
import type { Location } from "../ports.js";
import { failed } from "./failed.js";
import { globPattern } from "./globPattern.js";
import { resolvePath, shownPath } from "./resolvePath.js";

/** Of files that are looked at, whether they fit or not. */
const mostLookedAt = 50_000;

interface Found {
  /** Newest first. */
  readonly paths: readonly string[];
  /** There may be more. */
  readonly truncated: boolean;
}

interface FileSearch {
  /** Where it is looked. */
  readonly folder: Location;
  run(): Promise<Found>;
}

/**
 * Files by a glob, but for what git ignores and what may hold secrets.
 *
 * @param folder what the glob counts from, unless it is absolute
 */
export async function findFiles(
  glob: string,
  folder: string,
  context: ToolContext,
): Promise<FileSearch | { readonly failure: ToolResult }> {
  const { fixed, rest } = parted(glob.trim().replaceAll("\\", "/"));
  const isAbsolute = /^(\/|[a-z]:\/)/i.test(fixed);
  const resolved = await resolvePath(
    isAbsolute || folder === "" ? fixed : `${folder}/${fixed}`,
    context.files,
  );
  if ("failure" in resolved) return resolved;
  const { location } = resolved;
  const { path } = location;
  const isThere = async () => (await context.files.stat(path))?.kind === "folder";
  // What is outside is not even looked at before it is allowed.
  if (location.inside && !(await isThere())) {
    return {
      failure: failed(`There is no folder ${shownPath(path)}. Look with list_files.`),
    };
  }
  const below = path === "" || path.endsWith("/") ? path : `${path}/`;
  const fits = globPattern(rest);
  // A file may be called what could be a glob, as `[id].md`.
  const isMeant = (found: string) => !found.endsWith("/") && (found === rest || fits(found));
  return {
    folder: location,
    run: async () => {
      if (!(await isThere())) return { paths: [], truncated: false };
      const { files, search, signal } = context;
      const query = { path, recursive: true, limit: mostLookedAt, hides: mayHoldSecrets };
      const { paths, truncated } = await search.files(query, signal);
      const dated: { path: string; at: number }[] = [];
      for (const one of paths.filter((found) => isMeant(found.slice(below.length)))) {
        // A link may lead to what is hidden.
        const stat = await files.stat(one).catch(() => undefined);
        if (stat?.kind === "file") dated.push({ path: one, at: stat.modifiedAt });
      }
      const newest = dated.toSorted((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
      return { paths: newest.map((one) => one.path), truncated };
    },
  };
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** The folders that a glob names, and what has to be looked for in them. */
function parted(glob: string): { fixed: string; rest: string } {
  const names = glob.replace(/^(\.\/+)+/, "").split("/");
  const wild = names.findIndex(isGlob);
  const at = wild < 0 ? names.length - 1 : wild;
  const fixed = names.slice(0, at).join("/");
  return { fixed: fixed === "" && at > 0 ? "/" : fixed, rest: names.slice(at).join("/") };
}
