import type { Node, Parser } from "web-tree-sitter";
import type { CommandParser, SyntaxNode } from "../../core/commands/line/syntaxTree.js";

const longestLine = 50_000;
const deepest = 150;

/**
 * Parses command lines with the bash grammar, which includes that of POSIX shells. It is loaded at the
 * first command.
 */
export class BashParser implements CommandParser {
  private loaded: Promise<Parser> | undefined;

  async parse(line: string): Promise<SyntaxNode | undefined> {
    if (line.length > longestLine) return undefined;
    this.loaded ??= import("./bashGrammar.js").then(({ loadBashGrammar }) => loadBashGrammar());
    const tree = (await this.loaded).parse(line);
    if (tree === null) return undefined;
    try {
      return tree.rootNode.hasError ? undefined : plainNode(tree.rootNode, 0);
    } finally {
      tree.delete();
    }
  }
}

/** Copies a syntax tree; `undefined` if a node is an error, is missing or lies too deep. */
function plainNode(node: Node, depth: number): SyntaxNode | undefined {
  if (depth > deepest || node.isError || node.isMissing) return undefined;
  const children: SyntaxNode[] = [];
  for (const child of node.children) {
    const plain = plainNode(child, depth + 1);
    if (plain === undefined) return undefined;
    children.push(plain);
  }
  return { type: node.type, start: node.startIndex, end: node.endIndex, children };
}
