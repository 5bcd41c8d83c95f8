/** A piece of a command line as a grammar of the shell sees it; types are tree-sitter-bash's. */
export interface SyntaxNode {
  /** As in `command`, `word`; of a piece that is nothing but itself, its text, as in `&&`. */
  readonly type: string;
  /** UTF-16 code units from the beginning of the line. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export interface CommandParser {
  /** `undefined` when not every piece of the line is understood. */
  parse(line: string): Promise<SyntaxNode | undefined>;
}
