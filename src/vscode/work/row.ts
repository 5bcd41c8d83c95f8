/** Fills placeholders like `{0}` of a message in the user's language; `vscode.l10n.t` is one. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** A product icon by its name, and a theme color by its id. */
export interface Icon {
  readonly name: string;
  readonly color?: string;
}

/** The words and the icon of a state. */
export interface StateLook {
  readonly text: string;
  readonly icon: Icon;
}

/** What a row is about, for the commands that are run on it. */
export interface Subject {
  /** The id of the task, plan or run, or the stem of the job; `""` for a row that belongs to none. */
  readonly of: string;
  /** The file that the row stands for, relative to the workspace, and the 1-based line in it. */
  readonly path?: string;
  readonly line?: number;
  /** The id of the question that the row asks. */
  readonly questionId?: string;
}

/** A paragraph of text from anywhere, shown literally; or text under a horizontal line; or a code block. */
export type TooltipBlock =
  string | { readonly below: string } | { readonly code: string; readonly language?: string };

/** A finished row of a tree, as plain data: drawing it decides nothing. */
export interface Row {
  /** The id stays the same as long as the row is about the same thing in the same place. */
  readonly id: string;
  readonly subject: Subject;
  readonly label: string;
  readonly description?: string;
  readonly icon?: Icon;
  readonly tooltip?: readonly TooltipBlock[];
  /** What a screen reader says. Default: label and description. */
  readonly spoken?: string;
  /** The words that the manifest's menus match, separated by spaces. */
  readonly context?: string;
  /** The command that a click runs. */
  readonly command?: RowCommand;
  /** How the row's children are shown at first. */
  readonly folding: "open" | "folded" | "leaf";
}

interface RowCommand {
  readonly id: string;
  /** Default: the row's id. */
  readonly argument?: unknown;
}

/** All rows of a tree at one moment. */
export interface Rows {
  readonly byId: ReadonlyMap<string, Row>;
  /** The ids of the children by the parent's id; `""` is the parent of the roots. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** Collects the rows of a tree. */
export class RowCollection implements Rows {
  readonly byId = new Map<string, Row>();
  readonly children = new Map<string, string[]>([["", []]]);

  /** Adds a row as the last child of `parent`, and returns the row's id. */
  add(parent: string, row: Row): string {
    this.byId.set(row.id, row);
    const siblings = this.children.get(parent);
    if (siblings) siblings.push(row.id);
    else this.children.set(parent, [row.id]);
    return row.id;
  }
}

export const icons = {
  running: { name: "loading~spin", color: "charts.blue" },
  elsewhere: { name: "vm-running", color: "charts.blue" },
  needsYou: { name: "bell-dot", color: "list.warningForeground" },
  paused: { name: "debug-pause", color: "charts.orange" },
  pending: { name: "circle-outline" },
  done: { name: "pass", color: "testing.iconPassed" },
  failed: { name: "error", color: "testing.iconFailed" },
  cancelled: { name: "circle-slash", color: "disabledForeground" },
  warning: { name: "warning", color: "list.warningForeground" },
} satisfies Record<string, Icon>;

/** A line of a file that breaks a rule, as the overviews list it. */
export interface ListedProblem {
  /** The path, relative to the workspace. */
  readonly path: string;
  /** The line number, 1-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/**
 * Returns the row of a problem.
 *
 * @param of what the problem belongs to; see {@link Subject}
 * @param command the id of the command that a click runs
 */
export function problemRow(
  id: string,
  of: string,
  { path, line, rule, message }: ListedProblem,
  command: string,
  t: Translate,
): Row {
  return {
    id,
    subject: { of, path, line },
    label: message,
    description: t("line {0}", line),
    icon: icons.warning,
    tooltip: [message, `${rule} · ${path}:${line}`],
    spoken: t("Problem in line {0}: {1}", line, message),
    command: { id: command },
    folding: "leaf",
  };
}

/** Joins the parts that are not empty, as in `40% · 2 runners`. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

/** Joins the parts that are not empty as they are to be spoken, as in `Job docs, Running, 40%`. */
export function spoken(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}

/** Returns the last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
