import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { UserError } from "../../core/errors.js";
import { IgnoreRules } from "../../core/text/ignoreRules.js";
import { readSmallFile } from "./regularFile.js";

/** Bytes; a larger `.gitignore` file is ignored. */
const largest = 5_000_000;

/** The rules in the `.gitignore` files of a folder and of those above it; the nearest file counts first. */
export class GitIgnoreRules {
  private constructor(
    private readonly folder: string,
    private readonly patterns: IgnoreRules | undefined,
    /** The rules of the folders above; `undefined` at the root of a repository. */
    private readonly above: GitIgnoreRules | undefined,
  ) {}

  /**
   * Reads the rules of a folder. Rules above a repository's root are dropped, because git looks no
   * further.
   */
  static async inside(folder: string, above?: GitIgnoreRules): Promise<GitIgnoreRules> {
    const isRepository = await exists(join(folder, ".git"));
    // Like git, this follows no link to a `.gitignore` file.
    const path = join(folder, ".gitignore");
    const read = await readSmallFile(path, largest, { follow: false }).catch(() => undefined);
    const text = read?.toString("utf8");
    const patterns = text === undefined ? undefined : new IgnoreRules(text, { ignorecase: false });
    return new GitIgnoreRules(folder, patterns, isRepository ? undefined : above);
  }

  /**
   * Reads the rules of a folder and of those above it, up to the root of its repository. If these
   * ignore the folder, only its own rules count: a caller who names an ignored folder wants to see what
   * is in it.
   */
  static async from(folder: string): Promise<GitIgnoreRules> {
    const above = await GitIgnoreRules.above(folder);
    return GitIgnoreRules.inside(folder, above?.ignores(folder, true) === true ? undefined : above);
  }

  static async isIgnored(folder: string): Promise<boolean> {
    return (await GitIgnoreRules.above(folder))?.ignores(folder, true) ?? false;
  }

  private static async above(folder: string): Promise<GitIgnoreRules | undefined> {
    const parent = dirname(folder);
    if (parent === folder || (await exists(join(folder, ".git")))) return undefined;
    return GitIgnoreRules.inside(parent, await GitIgnoreRules.above(parent));
  }

  /** @param path absolute, in this folder or below */
  ignores(path: string, isFolder: boolean): boolean {
    const way = relative(this.folder, path).replaceAll(sep, "/");
    const answer = this.patterns && judged(this.patterns, isFolder ? `${way}/` : way);
    if (answer?.ignored === true) return true;
    if (answer?.unignored === true) return false;
    return this.above?.ignores(path, isFolder) ?? false;
  }
}

/**
 * Tests a path. Rules that would take too long to match ignore nothing: they do not decide which files
 * experts may read.
 */
function judged(patterns: IgnoreRules, way: string): ReturnType<IgnoreRules["test"]> | undefined {
  try {
    return patterns.test(way);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
