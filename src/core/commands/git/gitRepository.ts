import { type Words, words } from "../../text/words.js";
import { followPath, joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";

/** The repository that git works on from a folder. */
export interface GitRepository {
  /** The folder of its files, with `.git` in it. */
  readonly place: string;
  /**
   * The folder of its `HEAD` and its index: `.git`, or a worktree's own folder in another
   * repository.
   */
  readonly folder: string;
  /**
   * The folder of its configuration, objects and hooks: the same, or that of the repository that it
   * is a worktree of.
   */
  readonly common: string;
}

/**
 * Finds the repository as git does it, from a canonical folder upwards, also beyond the workspace.
 *
 * @returns `undefined` where there is none; why not where there is one that is not laid out as
 *   git makes them, so that git may work on another one, with a configuration of its own
 */
export async function findRepository(
  folder: string,
  files: ReviewedFiles,
): Promise<GitRepository | Words | undefined> {
  for (const place of upwards(folder, files.absolute(""))) {
    const git = joinPath(place, ".git");
    const found = await files.stat(git);
    if (found === undefined) {
      if (await looksLikeRepository(place, files))
        return words("Git may take {folder} for a repository's own folder.", {
          folder: place === "" ? words("the workspace") : place,
        });
      continue;
    }
    if ((await files.locate(git)).path !== git) return link(git);
    if (found.kind === "file") return worktree(place, git, files);
    const problem = await layoutProblem(git, git, files);
    return problem ?? { place, folder: git, common: git };
  }
  return undefined;
}

function link(path: string): Words {
  return words("{path} is a link.", { path });
}

function* upwards(folder: string, root: string): Generator<string> {
  let place = folder;
  for (; !place.startsWith("/") && place !== ""; place = parentOf(place)) yield place;
  if (place === "") {
    yield place;
    place = parentOf(root);
  }
  for (; place.startsWith("/"); place = parentOf(place)) {
    yield place;
    if (place === "/") return;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/"))) || (path.startsWith("/") ? "/" : "");
}

async function looksLikeRepository(place: string, files: ReviewedFiles): Promise<boolean> {
  if ((await files.stat(joinPath(place, "HEAD"))) === undefined) return false;
  const has = async (name: string) => (await files.stat(joinPath(place, name))) !== undefined;
  return (await has("commondir")) || ((await has("objects")) && (await has("refs")));
}

/** Files that git makes only when it is told to, and that lead it to files elsewhere. */
const unusual = ["commondir", "objects/info/alternates", "gitdir"];

/**
 * Returns why a repository is not laid out as git makes them; `undefined` if it is.
 *
 * @param folder holds `HEAD` and the index
 * @param common holds all else
 */
async function layoutProblem(
  folder: string,
  common: string,
  files: ReviewedFiles,
): Promise<Words | undefined> {
  const head = joinPath(folder, "HEAD");
  const names = ["objects", "refs", "config", "packed-refs", "hooks", "info"];
  const paths = names.map((name) => joinPath(common, name));
  const own = ["index", "config.worktree"].map((name) => joinPath(folder, name));
  for (const path of [head, ...own, ...paths]) {
    if ((await files.locate(path)).path !== path) return link(path);
  }
  const text = new TextDecoder("utf-8").decode(await files.readFile(head));
  const isHead = /^(?:ref: ?refs\/[^\n]*|[0-9a-f]{40}(?:[0-9a-f]{24})?)$/.test(text.trimEnd());
  const parts = ["objects", "refs"].map((name) => files.stat(joinPath(common, name)));
  const isWhole = (await Promise.all(parts)).every((part) => part?.kind === "folder");
  if (!isHead || !isWhole) {
    return words("{path} is no whole repository: git may look for another one.", { path: folder });
  }
  for (const name of unusual) {
    const path = joinPath(common, name);
    if ((await files.stat(path)) !== undefined) {
      return words("{path} makes git use files elsewhere.", { path });
    }
  }
  const entries = await files.readDirectory(folder);
  const shared = entries.find(({ name }) => name.toLowerCase().startsWith("sharedindex"));
  return (
    shared &&
    words("{path} is a part of what git knows of the files.", {
      path: joinPath(folder, shared.name),
    })
  );
}

/**
 * Reads a `.git` file, which names the repository. It counts if it is of a worktree or a submodule
 * that knows of this place, in a repository outside of the workspace, whose files no expert has
 * written.
 */
async function worktree(
  place: string,
  git: string,
  files: ReviewedFiles,
): Promise<GitRepository | Words> {
  const elsewhere = words("{path} names a repository elsewhere, which git would use.", {
    path: git,
  });
  const read = async (path: string) => {
    const { size = 0 } = (await files.stat(path)) ?? {};
    return size > 5000 ? "" : new TextDecoder("utf-8").decode(await files.readFile(path)).trim();
  };
  const [, named] = /^gitdir: ([^\n]+)$/.exec(await read(git)) ?? [];
  const target = named === undefined ? undefined : await followPath(place, named, files);
  if (target === undefined || target.inside) return elsewhere;
  // A path out of the workspace counts as well if it is relative, as git writes it for a submodule.
  const whole = joinPath(files.absolute(""), target.place);
  // Paths in these folders lead to another place for each process.
  if (/^\/+(proc|dev)\//.test(target.path) || target.path !== whole) return elsewhere;
  // A worktree has the repositories of its submodules in its own folder.
  if (/\/\.git\/(?:worktrees\/[^/]+\/)?modules\/(?!.*\/worktrees\/)/.test(target.path)) {
    const config = new TextDecoder("utf-8").decode(
      await files.readFile(joinPath(target.path, "config")),
    );
    const [, top] = /^[ \t]*worktree[ \t]*=[ \t]*([^\s"\\#;]+)[ \t]*$/im.exec(config) ?? [];
    const back = top === undefined ? undefined : await followPath(target.path, top, files);
    if (back?.path !== (await files.locate(place)).path) return elsewhere;
    const folder = target.path;
    return (await layoutProblem(folder, folder, files)) ?? { place, folder, common: folder };
  }
  const [, common] =
    /^(.*\/\.git(?:\/(?:worktrees\/[^/]+\/)?modules\/.+)?)\/worktrees\/[^/]+$/.exec(target.path) ??
    [];
  if (common === undefined) return elsewhere;
  const back = await followPath(target.path, await read(joinPath(target.path, "gitdir")), files);
  const isKnown = back?.path === (await files.locate(git)).path;
  const isPlain = (await read(joinPath(target.path, "commondir"))) === "../..";
  if (!isKnown || !isPlain) return elsewhere;
  const problem = await layoutProblem(target.path, common, files);
  return problem ?? { place, folder: target.path, common };
}
