/** A piece of a command line as a grammar of the shell sees it; types are tree-sitter-bash's. */
export interface SyntaxNode {
  /** The type, as in `command` or `word`; for a token, its text, as in `&&`. */
  readonly type: string;
  /** UTF-16 code units from the beginning of the line. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export interface CommandParser {
  /** Parses a line; resolves to `undefined` when not every piece of it is understood. */
  parse(line: string): Promise<SyntaxNode | undefined>;
}
