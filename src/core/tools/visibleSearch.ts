import type { Search } from "../ports.js";
import type { Hidden } from "./hiddenFiles.js";

/**
 * Returns a search that, like {@link visibleFiles}, leaves out hidden files: they are neither
 * searched nor named.
 */
export function visibleSearch(search: Search, hidden: Hidden): Search {
  const without = async <Query extends { hides?: (path: string) => boolean }>(query: Query) => {
    const isHidden = await hidden.read();
    const hides = (path: string) => isHidden(path) !== undefined || query.hides?.(path) === true;
    return { ...query, hides };
  };
  return {
    matches: async (query, signal) => search.matches(await without(query), signal),
    files: async (query, signal) => search.files(await without(query), signal),
    ignored: (paths) => search.ignored(paths),
  };
}
