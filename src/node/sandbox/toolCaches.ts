/** A folder in which a tool keeps what it has downloaded, so that it need not download it again. */
interface ToolCache {
  /** The name of the cache's kept layer on disk. */
  readonly name: string;
  /** The path relative to the user's home folder. */
  readonly path: string;
  /** The environment variable that names another place; it is set if the folder does not exist. */
  readonly variable?: string;
}

/**
 * Folders that tools must be able to write. A command sees what is in them and writes a layer of its
 * own, which is kept for the next command in the same workspace.
 */
export const toolCaches: readonly ToolCache[] = [
  { name: "cache", path: ".cache", variable: "XDG_CACHE_HOME" },
  { name: "npm", path: ".npm", variable: "npm_config_cache" },
  { name: "cargo", path: ".cargo" },
  { name: "go", path: "go/pkg", variable: "GOMODCACHE" },
  { name: "gradle", path: ".gradle", variable: "GRADLE_USER_HOME" },
  { name: "maven", path: ".m2" },
  { name: "yarn", path: ".yarn" },
  { name: "pnpm", path: ".local/share/pnpm" },
  { name: "nuget", path: ".nuget", variable: "NUGET_PACKAGES" },
  { name: "bun", path: ".bun", variable: "BUN_INSTALL_CACHE_DIR" },
  { name: "deno", path: ".deno", variable: "DENO_DIR" },
];
