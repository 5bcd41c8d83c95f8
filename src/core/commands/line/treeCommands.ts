import { type Words, words } from "../../text/words.js";
import type { Extent } from "./plainLine.js";
import type { SyntaxNode } from "./syntaxTree.js";

interface TreeRedirect extends Extent {
  /** The operator, as in `>>`. */
  readonly operator: string;
  /** The target; a here-document has none. */
  readonly target: Extent | undefined;
}

/** A command of a syntax tree, at any depth. */
export interface TreeCommand {
  readonly assignments: readonly Extent[];
  /** The brackets of a test are one word with all that is between them. */
  readonly words: readonly Extent[];
  readonly redirects: readonly TreeRedirect[];
}

export interface TreeReading {
  readonly commands: readonly TreeCommand[];
  /** The first thing in the tree that is more than commands in a row, such as `a loop`. */
  readonly beyond: Words | undefined;
}

const more: Readonly<Record<string, Words>> = {
  command_substitution: words("a command substitution"),
  process_substitution: words("a process substitution"),
  heredoc_redirect: words("a here-document"),
  herestring_redirect: words("a here-string"),
  for_statement: words("a loop"),
  c_style_for_statement: words("a loop"),
  while_statement: words("a loop"),
  if_statement: words("a condition"),
  case_statement: words("a condition"),
  function_definition: words("a function"),
  compound_statement: words("a group of commands"),
  subshell: words("a group of commands"),
  negated_command: words("a negated command"),
  array: words("an array"),
  "&": words("a command in the background"),
};

/** Returns every command of a tree, including those inside of substitutions, loops and functions. */
export function readTree(root: SyntaxNode): TreeReading {
  return new TreeReader().read(root);
}

class TreeReader {
  private readonly commands: {
    assignments: Extent[];
    words: Extent[];
    redirects: TreeRedirect[];
  }[] = [];
  private readonly redirects: TreeRedirect[] = [];
  /** Words that the grammar takes for targets of redirects; the shell gives them to the command. */
  private readonly spare: Extent[] = [];
  private beyond: Words | undefined;

  read(root: SyntaxNode): TreeReading {
    this.visit(root);
    for (const word of this.spare) this.commandBefore(word.start).words.push(word);
    for (const one of this.redirects) this.commandBefore(one.start).redirects.push(one);
    return { commands: this.commands, beyond: this.beyond };
  }

  private visit(node: SyntaxNode): void {
    this.beyond ??= more[node.type];
    switch (node.type) {
      case "command":
      case "declaration_command":
      case "unset_command":
        this.addCommand(node);
        break;
      case "test_command":
        this.commands.push({ assignments: [], words: [node], redirects: [] });
        break;
      case "variable_assignment":
        this.commands.push({ assignments: [node], words: [], redirects: [] });
        break;
      case "file_redirect":
      case "heredoc_redirect":
      case "herestring_redirect":
        this.addRedirect(node);
        break;
      default:
        break;
    }
    const inner = node.type === "command" || node.type === "declaration_command";
    for (const child of node.children) {
      const isAssignment = inner && child.type === "variable_assignment";
      for (const one of isAssignment ? child.children : [child]) this.visit(one);
    }
  }

  private addCommand(node: SyntaxNode): void {
    const assignments: Extent[] = [];
    const words: Extent[] = [];
    for (const child of node.children) {
      if (child.type.endsWith("_redirect")) continue;
      const isAssignment = child.type === "variable_assignment" && node.type === "command";
      (isAssignment ? assignments : words).push(child);
    }
    this.commands.push({ assignments, words, redirects: [] });
  }

  private addRedirect({ type, start, end, children }: SyntaxNode): void {
    const isFile = type === "file_redirect";
    const parts = children.filter((child) => child.type !== "file_descriptor");
    const [operator, target, ...behind] = parts;
    this.redirects.push({
      start,
      end,
      operator: operator?.type ?? "",
      target: isFile ? target : undefined,
    });
    if (isFile) this.spare.push(...behind);
  }

  /** Returns the last command that begins before a place; an empty one, which is added, if there is none. */
  private commandBefore(at: number) {
    const near = this.commands.filter(({ words, assignments }) =>
      [...words, ...assignments].some(({ start }) => start < at),
    );
    const last = near.at(-1);
    if (last !== undefined) return last;
    const none = { assignments: [], words: [], redirects: [] };
    this.commands.push(none);
    return none;
  }
}
