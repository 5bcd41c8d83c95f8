import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { SandboxProfile } from "../../core/ports/shell.js";
import { readSmallFileNow } from "../files/openForReading.js";
import type { LayerFolder } from "./layerFolder.js";
import { isBelow, mountPoints, MountTable } from "./mountTable.js";
import { hiddenPlaces } from "./outsidePlaces.js";
import type { SandboxLimits } from "./sandboxLimits.js";
import type { GuardedPlaces } from "./workspaceWalk.js";

/**
 * Inputs of a view: the places of the machine, and which of them to hide. All paths are absolute,
 * without links.
 */
interface ViewInputs {
  readonly root: string;
  /** The folder for what commands write, which no command sees. */
  readonly data: string;
  readonly home: string;
  readonly hidden: readonly string[];
  readonly layer: LayerFolder;
  readonly places: GuardedPlaces;
  readonly limits: SandboxLimits;
  readonly network: SandboxProfile["network"];
  readonly writesCaches: boolean;
  /** The command's environment, which may say where tools keep their caches. */
  readonly env: NodeJS.ProcessEnv;
}

/** The machine as a sandboxed command sees it. */
interface SandboxView {
  /** The mounts that are made first, in a folder of this program's own and over what is to be hidden. */
  readonly mounts: MountTable;
  /** Bubblewrap's arguments, in the order in which it carries them out. */
  readonly args: readonly string[];
}

/** The folder in which a command finds the kept caches that have no folder in the user's home. */
const keptCaches = "/run/caches";

interface CachePlace {
  readonly path: string;
  /** The path at which the cache is visible together with what commands have written. */
  readonly merged: string;
}

/** Composes the view, and makes the folders in the layer's folder that the mounts need. */
export function sandboxView(inputs: ViewInputs): SandboxView {
  const { root, data, home, layer } = inputs;
  const points = mountPoints();
  const mounts = new MountTable(points);
  const blank = (isFolder: boolean): string => (isFolder ? layer.blankFolder : layer.blankFile);
  // Whatever is bound from these two stays read-only.
  mounts.bindReadOnly(layer.blankFolder, layer.blankFolder);
  mounts.bindReadOnly(layer.blankFile, layer.blankFile);
  mounts.overlay(layer.merged, { lower: "lower", upper: "upper", work: "work" });
  const hidden = [...hiddenPlaces(home), ...inputs.hidden].flatMap(existing);
  const { caches, variables } = inputs.writesCaches
    ? mountCaches(inputs, mounts, hidden)
    : { caches: [], variables: [] };

  /** Returns where a path of the machine is found while the mounts are made. */
  const placeOf = (path: string): string => {
    if (isBelow(path, root)) return join(layer.merged, relative(root, path));
    const cache = caches.find((one) => isBelow(path, one.path));
    return cache === undefined ? path : join(cache.merged, relative(cache.path, path));
  };
  const hide = (path: string): void => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    mounts.bind(blank(isFolder), placeOf(path));
  };
  for (const { path } of points) {
    if (path !== root && isBelow(path, root)) mounts.bindTree(path, placeOf(path));
  }
  for (const { path } of inputs.places.readOnly) {
    mounts.bindReadOnly(join(root, path), join(layer.merged, path));
  }
  for (const { path, isFolder } of inputs.places.masked) {
    mounts.bind(blank(isFolder), join(layer.merged, path));
  }
  // A link that a repository brings along must not be able to hide the machine itself.
  for (const path of inputs.places.linkTargets) {
    if ((isBelow(path, root) || isBelow(path, home)) && !isBelow(root, path)) hide(path);
  }
  // Mounts over these would hide the workspace and its layer from bubblewrap itself.
  const around = hidden.filter((path) => [root, data, home].some((own) => isBelow(own, path)));
  for (const path of hidden) if (!around.includes(path) && !isBelow(path, data)) hide(path);

  for (const path of socketFiles().flatMap(existing)) {
    const isSeen =
      !["/dev", "/run", "/tmp"].some((own) => isBelow(path, own)) ||
      broughtBack(inputs).some((own) => isBelow(path, own));
    // A socket cannot be reached through an overlay, whose files are others than those below it.
    const over = [root, data, ...hidden, ...caches.map((cache) => cache.path)];
    if (isSeen && !over.some((own) => isBelow(path, own))) hide(path);
  }

  const empty = [...around, ...(around.some((path) => isBelow(data, path)) ? [] : [data])];
  return { mounts, args: viewArguments(inputs, { empty, caches, variables }) };
}

/**
 * Returns bubblewrap's arguments for the view.
 *
 * @param empty places that are seen as empty folders
 */
function viewArguments(
  inputs: ViewInputs,
  {
    empty,
    caches,
    variables,
  }: Pick<ReturnType<typeof mountCaches>, "caches" | "variables"> & {
    readonly empty: readonly string[];
  },
): string[] {
  const { root, layer, limits } = inputs;
  return [
    ...namespaces(inputs),
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    ...temporary("/dev/shm", limits),
    "--remount-ro",
    "/dev",
    // Nothing else keeps root from setting the kernel's variables.
    "--proc",
    "/proc",
    "--remount-ro",
    "/proc",
    ...temporary("/tmp", limits),
    "--tmpfs",
    "/run",
    ...broughtBack(inputs).flatMap((path) => ["--ro-bind-try", path, path]),
    ...empty.flatMap((path) => ["--tmpfs", path]),
    ...caches.flatMap(({ path, merged }) => ["--bind", merged, path]),
    ...(inputs.writesCaches ? ["--bind", join(layer.path, "caches", "own"), keptCaches] : []),
    ...variables.flatMap(([name, value]) => ["--setenv", name, value]),
    "--bind",
    layer.merged,
    root,
    ...(typeof inputs.network === "object"
      ? ["--ro-bind", join(layer.path, "proxy.sock"), "/run/proxy.sock"]
      : []),
    ...["/run", ...empty].flatMap((path) => ["--remount-ro", path]),
  ];
}

function namespaces({ network }: ViewInputs): string[] {
  return [
    "--unshare-user",
    "--uid",
    String(process.getuid?.()),
    "--gid",
    String(process.getgid?.()),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network === "open" ? [] : ["--unshare-net"]),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
  ];
}

function temporary(path: string, { temporaryBytes }: SandboxLimits): string[] {
  return ["--size", String(temporaryBytes), "--perms", "1777", "--tmpfs", path];
}

/** Returns what a command needs of the folders that are private or empty for it. */
function broughtBack({ root, home, network }: ViewInputs): string[] {
  const wanted = [home, gitFolderOutside(root) ?? home, "/run/current-system"];
  if (network === "open") wanted.push(...existing("/etc/resolv.conf"));
  if (typeof network === "object") wanted.push(dirname(process.execPath));
  return wanted.filter((path) => ["/tmp", "/run"].some((top) => isBelow(path, top)));
}

/**
 * Mounts a layer over each tool's cache. A cache that does not exist is replaced by a kept folder and a
 * variable for it.
 */
function mountCaches(
  { root, data, home, layer, env }: ViewInputs,
  mounts: MountTable,
  hidden: readonly string[],
): { readonly caches: readonly CachePlace[]; readonly variables: readonly [string, string][] } {
  layer.takeCaches();
  mkdirSync(join(layer.path, "caches", "own"), { recursive: true });
  const caches: CachePlace[] = [];
  const variables: [string, string][] = [];
  for (const { name, path, variable } of toolCaches) {
    const named = variable === undefined ? undefined : env[variable];
    const usual = named !== undefined && isAbsolute(named) ? named : join(home, path);
    const [place] = existing(usual);
    if (place === undefined || hidden.some((one) => isBelow(place, one))) {
      if (variable === undefined) continue;
      mkdirSync(join(layer.path, "caches", "own", name), { recursive: true });
      variables.push([variable, `${keptCaches}/${name}`]);
      continue;
    }
    const isOwn = isBelow(place, root) || isBelow(data, place) || isBelow(place, data);
    if (isOwn || !statSync(place).isDirectory()) continue;
    const merged = join(layer.path, `cache-${name}`);
    mkdirSync(join(layer.path, "caches", "over", name), { recursive: true });
    mkdirSync(merged);
    mkdirSync(join(layer.path, `work-${name}`));
    symlinkSync(place, join(layer.path, `lower-${name}`));
    mounts.overlay(merged, {
      lower: `lower-${name}`,
      upper: `caches/over/${name}`,
      work: `work-${name}`,
    });
    caches.push({ path: place, merged });
  }
  return { caches, variables };
}

/** Returns the path without links, or nothing if it does not exist. */
function existing(path: string): string[] {
  return existsSync(path) ? [realpathSync.native(path)] : [];
}

/**
 * Returns the absolute paths of the files through which programs of this machine can be reached. They
 * lead out of a sandbox even where nothing can be written and there is no network.
 */
function socketFiles(): string[] {
  const paths = readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map((line) => /^\S+: (?:\S+ ){5} *\d+ (.+)$/.exec(line)?.[1] ?? "");
  return [...new Set(paths)].filter((path) => isAbsolute(path) && isSocket(path));
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    // A socket that this user cannot see cannot be reached by the user's commands either.
    return false;
  }
}

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
const toolCaches: readonly ToolCache[] = [
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

/**
 * Returns the absolute path of the git folder that belongs to this workspace and lies elsewhere, as
 * that of a git worktree; `undefined` if there is none. The other folder must confirm that this is its
 * worktree: the workspace alone could name any folder.
 *
 * @param root the workspace's absolute path without links
 */
export function gitFolderOutside(root: string): string | undefined {
  try {
    const here = join(root, ".git");
    const [, named] = /^gitdir: (.+)$/m.exec(textOf(here)) ?? [];
    if (named === undefined) return undefined;
    const own = realpathSync(resolve(root, named));
    const back = resolve(own, textOf(join(own, "gitdir")).trim());
    if (realpathSync(back) !== here) return undefined;
    const shared = resolve(own, textOf(join(own, "commondir")).trim());
    return dirname(dirname(own)) === realpathSync(shared) ? realpathSync(shared) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file that names a folder; empty if it is no regular file, or longer than a path. */
function textOf(file: string): string {
  return readSmallFileNow(file, 10_000)?.toString() ?? "";
}
