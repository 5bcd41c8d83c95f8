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
  readonly beyond: string | undefined;
}

const more: Readonly<Record<string, string>> = {
  command_substitution: "a command substitution",
  process_substitution: "a process substitution",
  heredoc_redirect: "a here-document",
  herestring_redirect: "a here-string",
  for_statement: "a loop",
  c_style_for_statement: "a loop",
  while_statement: "a loop",
  if_statement: "a condition",
  case_statement: "a condition",
  function_definition: "a function",
  compound_statement: "a group of commands",
  subshell: "a group of commands",
  negated_command: "a negated command",
  array: "an array",
  "&": "a command in the background",
};

/** Returns every command of a tree, including those inside of substitutions, loops and functions. */
export function readTree(root: SyntaxNode): TreeReading {
  const commands: { assignments: Extent[]; words: Extent[]; redirects: TreeRedirect[] }[] = [];
  const stray: TreeRedirect[] = [];
  const spare: Extent[] = [];
  let beyond: string | undefined;

  const visit = (node: SyntaxNode): void => {
    beyond ??= more[node.type];
    switch (node.type) {
      case "command":
      case "declaration_command":
      case "unset_command": {
        const assignments: Extent[] = [];
        const words: Extent[] = [];
        for (const child of node.children) {
          if (child.type.endsWith("_redirect")) continue;
          const isAssignment = child.type === "variable_assignment" && node.type === "command";
          (isAssignment ? assignments : words).push(child);
        }
        commands.push({ assignments, words, redirects: [] });
        break;
      }
      case "test_command":
        commands.push({ assignments: [], words: [node], redirects: [] });
        break;
      case "variable_assignment":
        commands.push({ assignments: [node], words: [], redirects: [] });
        break;
      case "file_redirect":
      case "heredoc_redirect":
      case "herestring_redirect": {
        const isFile = node.type === "file_redirect";
        const parts = node.children.filter(({ type }) => type !== "file_descriptor");
        const [operator, target, ...behind] = parts;
        stray.push({
          start: node.start,
          end: node.end,
          operator: operator?.type ?? "",
          target: isFile ? target : undefined,
        });
        // The grammar takes words behind a target for more targets; the shell gives them to the command.
        if (isFile) spare.push(...behind);
        break;
      }
      default:
        break;
    }
    const inner = node.type === "command" || node.type === "declaration_command";
    for (const child of node.children) {
      if (inner && child.type === "variable_assignment") child.children.forEach(visit);
      else visit(child);
    }
  };
  visit(root);

  const before = (at: number) => {
    const near = commands.filter(({ words, assignments }) =>
      [...words, ...assignments].some(({ start }) => start < at),
    );
    const last = near.at(-1);
    if (last !== undefined) return last;
    const none = { assignments: [], words: [], redirects: [] };
    commands.push(none);
    return none;
  };
  for (const word of spare) before(word.start).words.push(word);
  for (const redirect of stray) before(redirect.start).redirects.push(redirect);
  return { commands, beyond };
}
