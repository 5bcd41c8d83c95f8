import { mayHoldSecrets } from "../../access/secretFiles.js";
import type { ToolContext, ToolResult } from "../../agent/tool.js";
import type { Location } from "../../ports/files.js";
import { globPattern } from "../../text/globPattern.js";
import { failed } from "../calls/failed.js";
import { resolvePath, shownPath } from "../calls/resolvePath.js";

/** The most files that are looked at, whether they match or not. */
const mostLookedAt = 50_000;

interface Found {
  /** The files' paths, newest first. */
  readonly paths: readonly string[];
  /** Whether there may be more files. */
  readonly truncated: boolean;
}

interface FileSearch {
  /** The folder that is searched. */
  readonly folder: Location;
  run(): Promise<Found>;
}

/**
 * Prepares a search for files by a glob, leaving out what git ignores and what may hold secrets.
 *
 * @param folder the folder that the glob counts from, unless the glob is absolute
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
    context.guard,
  );
  if ("failure" in resolved) return resolved;
  const { location } = resolved;
  const { path } = location;
  const isThere = async () => (await context.files.stat(location))?.kind === "folder";
  // A folder outside the workspace is not even looked at before that is allowed.
  if (location.inside && !(await isThere())) {
    return {
      failure: failed(`There is no folder ${shownPath(path)}. Look with list_files.`),
    };
  }
  const below = path === "" || path.endsWith("/") ? path : `${path}/`;
  const fits = globPattern(rest);
  // A file's name may look like a glob, as in `[id].md`.
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
        // A link may lead to a hidden file, which cannot be looked at.
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

/** Splits a glob into the folders that it names and the rest, which has to be looked for in them. */
function parted(glob: string): { fixed: string; rest: string } {
  const names = glob.replace(/^(\.\/+)+/, "").split("/");
  const wild = names.findIndex(isGlob);
  const at = wild < 0 ? names.length - 1 : wild;
  const fixed = names.slice(0, at).join("/");
  return { fixed: fixed === "" && at > 0 ? "/" : fixed, rest: names.slice(at).join("/") };
}
