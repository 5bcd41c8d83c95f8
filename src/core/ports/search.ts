/** Bytes of the largest file whose content is searched. */
export const mostSearchedBytes = 5 * 1024 * 1024;

export interface SearchMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

interface SearchQuery {
  readonly path: string;
  readonly limit: number;
  /** Returns whether to skip a path and everything below it. */
  readonly hides?: (path: string) => boolean;
}

export interface MatchQuery extends SearchQuery {
  readonly regex: string;
  readonly filePattern?: string;
}

export interface FileQuery extends SearchQuery {
  readonly recursive: boolean;
}

export interface Search {
  /**
   * Returns the lines that match a regular expression, files in order of their paths. Throws a
   * `UserError` for an invalid expression.
   */
  matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
  /** Returns the paths below a folder, without those that git ignores; folders end with `/`. */
  files(query: FileQuery, signal: AbortSignal): Promise<{ paths: string[]; truncated: boolean }>;
  /**
   * Returns those of the given paths that git ignores, such as build output and installed packages.
   *
   * @param paths folders end with `/`
   */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PatternMatch {
  /** The 0-based index of the text that matches. */
  readonly text: number;
  /** Offsets in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface Patterns {
  /**
   * Returns where a JavaScript regular expression matches in the texts, in order, at most `limit`
   * places. Finds every place, whatever the flags. Throws a `UserError` for an expression that is
   * invalid or takes too long.
   */
  find(
    pattern: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[];
}
