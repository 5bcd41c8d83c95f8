import ignore from "ignore";
import { UserError } from "../../src/core/errors.js";
import type { FileQuery, MatchQuery, Search, SearchMatch } from "../../src/core/ports/search.js";
import { filePattern } from "../../src/core/text/globPattern.js";
import type { MemoryFileSystem } from "./memoryFileSystem.js";

/** Searches a {@link MemoryFileSystem}; knows the `.gitignore` of the workspace's root only. */
export class MemorySearch implements Search {
  constructor(private readonly files_: MemoryFileSystem) {}

  async matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }> {
    await Promise.resolve();
    signal.throwIfAborted();
    const regex = compile(query.regex);
    const wanted = query.filePattern === undefined ? undefined : filePattern(query.filePattern);
    const matches: SearchMatch[] = [];
    for (const path of this.visible(query)) {
      if (wanted?.(path) === false) continue;
      const text = this.files_.text(path) ?? "";
      if (text.includes("\0")) continue;
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      for (const [index, raw] of lines.entries()) {
        const line = raw.replace(/\r$/, "");
        if (!regex.test(line)) continue;
        if (matches.length === query.limit) return { matches, truncated: true };
        matches.push({ path, line: index + 1, text: line });
      }
    }
    return { matches, truncated: false };
  }

  async files(
    query: FileQuery,
    signal: AbortSignal,
  ): Promise<{ paths: string[]; truncated: boolean }> {
    await Promise.resolve();
    signal.throwIfAborted();
    const prefix = query.path === "" ? "" : `${query.path}/`;
    const paths = new Set<string>();
    for (const path of this.visible(query)) {
      const parts = path.slice(prefix.length).split("/");
      const depth = query.recursive ? parts.length : 1;
      for (let i = 1; i <= depth; i++) {
        paths.add(prefix + parts.slice(0, i).join("/") + (i < parts.length ? "/" : ""));
      }
    }
    const sorted = [...paths].sort(byName);
    return { paths: sorted.slice(0, query.limit), truncated: sorted.length > query.limit };
  }

  ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const rules = ignore().add(this.files_.text(".gitignore") ?? "");
    return Promise.resolve(new Set(paths.filter((path) => rules.ignores(path))));
  }

  private visible({ path: folder, hides }: MatchQuery | FileQuery): string[] {
    const ignored = ignore()
      .add(this.files_.text(".gitignore") ?? "")
      .add(".git");
    if (folder !== ".rooroo" && !folder.startsWith(".rooroo/")) ignored.add("/.rooroo");
    const below = folder === "" ? "" : `${folder}/`;
    return this.files_.paths
      .filter((path) => !path.startsWith("/") && (path === folder || path.startsWith(below)))
      .filter((path) => path === folder || !ignored.ignores(path))
      .filter((path) => !withFolders(path).some((one) => hides?.(one)))
      .sort(byName);
  }
}

function withFolders(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** Compares paths folder by folder: `a/b` comes before `a-b`. */
function byName(a: string, b: string): number {
  return a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1;
}

function compile(regex: string): RegExp {
  try {
    return new RegExp(regex, "u");
  } catch (error) {
    throw new UserError("patternInvalid", "The regular expression cannot be read ({reason}).", {
      reason: String(error),
    });
  }
}
