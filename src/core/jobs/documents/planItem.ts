import { UserError } from "../../errors.js";

/** An item that a planner adds to the roadmap: a task, or a phase with tasks. Tasks begin as Pending. */
export interface PlanItem {
  /** One line, with a number if the item is to have one, as in `1.2. Move the parser`. */
  readonly text: string;
  readonly children?: readonly PlanItem[];
}

/**
 * Returns the roadmap's lines for the items.
 *
 * @param indent the text before the items' markers
 * @param marker `-`, `*` or `+`
 * @throws {UserError} if an item has no text
 */
export function planLines(items: readonly PlanItem[], indent: string, marker: string): string[] {
  return items.flatMap(({ text, children = [] }) => {
    const line = oneLine(text);
    if (line === "") throw new UserError("An item of the roadmap has no text. Give it one.");
    const below = `${indent}  `;
    const status = children.length === 0 ? [`${below}${marker} status: Pending`] : [];
    return [`${indent}${marker} [ ] ${line}`, ...status, ...planLines(children, below, marker)];
  });
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
