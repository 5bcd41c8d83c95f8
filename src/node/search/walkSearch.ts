import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type FileQuery,
  type MatchQuery,
  mostSearchedBytes,
  type Search,
  type SearchMatch,
} from "../../core/ports/search.js";
import { filePattern } from "../../core/text/globPattern.js";
import { GitIgnoreRules } from "../files/gitIgnoreRules.js";
import { readSmallFile } from "../files/regularFile.js";
import { lineMatcher } from "./timedPatterns.js";

/** Characters of a matching line that are returned at most. */
const maxMatchLength = 1000;

/** The number of files that are read in parallel. */
const filesTogether = 64;

interface SearchedFile {
  readonly path: string;
  readonly text: string;
}

interface Entry {
  /** The path relative to the workspace. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Searches the disk without any other program. */
export class WalkSearch implements Search {
  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  async matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }> {
    const matching = lineMatcher(query.regex);
    const wanted = query.filePattern === undefined ? undefined : filePattern(query.filePattern);
    const matches: SearchMatch[] = [];
    /** Searches files that were read side by side; returns whether there are more matches than wanted. */
    const search = async (paths: readonly string[]): Promise<boolean> => {
      const read = await Promise.all(
        // Who names a link has its target searched; one that is found is not followed.
        paths.map(async (path) => ({ path, text: await this.textOf(path, path === query.path) })),
      );
      signal.throwIfAborted();
      const files = read.filter((file): file is SearchedFile => file.text !== undefined);
      for (const [index, found] of matching(files.map(({ text }) => text)).entries()) {
        const path = files[index]?.path ?? "";
        for (const { line, text } of found) {
          if (matches.length === query.limit) return true;
          matches.push({ path, line, text: shownMatch(text) });
        }
      }
      return false;
    };
    let paths: string[] = [];
    for await (const { path, isFolder } of this.walk(query, true, signal)) {
      if (isFolder || wanted?.(path) === false) continue;
      paths.push(path);
      if (paths.length < filesTogether) continue;
      if (await search(paths)) return { matches, truncated: true };
      paths = [];
    }
    return { matches, truncated: await search(paths) };
  }

  async files(
    query: FileQuery,
    signal: AbortSignal,
  ): Promise<{ paths: string[]; truncated: boolean }> {
    const paths: string[] = [];
    for await (const { path, isFolder } of this.walk(query, query.recursive, signal)) {
      if (paths.length === query.limit) return { paths, truncated: true };
      paths.push(isFolder ? `${path}/` : path);
    }
    return { paths, truncated: false };
  }

  async ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const above = await GitIgnoreRules.from(this.root);
    const rules = new Map<string, Promise<GitIgnoreRules>>([["", Promise.resolve(above)]]);
    const rulesOf = (folder: string): Promise<GitIgnoreRules> => {
      const known = rules.get(folder);
      if (known !== undefined) return known;
      const read = rulesOf(parentOf(folder)).then((outer) =>
        GitIgnoreRules.inside(resolve(this.root, folder), outer),
      );
      rules.set(folder, read);
      return read;
    };
    const answers = new Map<string, Promise<boolean>>([["", Promise.resolve(false)]]);
    const isIgnored = (path: string, isFolder: boolean): Promise<boolean> => {
      const known = answers.get(path);
      if (known !== undefined) return known;
      const folder = parentOf(path);
      const answer = isIgnored(folder, true).then(
        async (whole) =>
          whole || (await rulesOf(folder)).ignores(resolve(this.root, path), isFolder),
      );
      answers.set(path, answer);
      return answer;
    };
    const ignored = new Set<string>();
    for (const path of paths) {
      const isFolder = path.endsWith("/");
      if (await isIgnored(isFolder ? path.slice(0, -1) : path, isFolder)) ignored.add(path);
    }
    return ignored;
  }

  /** Yields entries in the order of their names, a folder before its contents; links are not followed. */
  private async *walk(
    query: FileQuery | MatchQuery,
    recursive: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Entry> {
    const { path } = query;
    signal.throwIfAborted();
    if (query.hides?.(path) === true) return;
    const absolute = resolve(this.root, path);
    const found = await stat(absolute).catch(() => undefined);
    signal.throwIfAborted();
    if (found?.isFile() === true) yield { path, isFolder: false };
    if (found?.isDirectory() !== true) return;
    const rules = await GitIgnoreRules.from(absolute);
    yield* this.below(path, rules, { ...query, recursive }, signal);
  }

  private async *below(
    folder: string,
    rules: GitIgnoreRules,
    query: FileQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Entry> {
    for (const entry of await this.entriesOf(folder)) {
      signal.throwIfAborted();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      if (entry.name === ".git" || path === ".rooroo") continue;
      const absolute = resolve(this.root, path);
      if (rules.ignores(absolute, isFolder) || query.hides?.(path) === true) continue;
      yield { path, isFolder };
      if (!isFolder || !query.recursive) continue;
      yield* this.below(path, await GitIgnoreRules.inside(absolute, rules), query, signal);
    }
  }

  private async entriesOf(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(resolve(this.root, folder), { withFileTypes: true });
      return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    } catch {
      // A folder that cannot be read, or is gone by now, has nothing to show.
      return [];
    }
  }

  /** Reads a file's text; `undefined` if it is no file, binary, too large, gone by now or unreadable. */
  private async textOf(path: string, follow: boolean): Promise<string | undefined> {
    try {
      const bytes = await readSmallFile(resolve(this.root, path), mostSearchedBytes, { follow });
      return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString("utf8");
    } catch {
      return undefined;
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function shownMatch(line: string): string {
  const text = line.replace(/^\uFEFF/, "");
  return text.length > maxMatchLength ? `${text.slice(0, maxMatchLength)}…` : text;
}
