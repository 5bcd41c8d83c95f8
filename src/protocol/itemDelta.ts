import type { Item } from "../core/conversation/state/items.js";
import type { ItemDelta } from "./messages.js";

/**
 * Returns the smallest delta that turns `before`, the item as the page has it, into `after`; `undefined` if
 * nothing has changed. Fields of an item appear and change but never vanish.
 */
export function itemDelta(before: Item | undefined, after: Item): ItemDelta | undefined {
  if (before === undefined) return { type: "put", item: after };
  const set: Record<string, unknown> = {};
  const old = before as unknown as Record<string, unknown>;
  for (const [key, value] of Object.entries(after)) if (old[key] !== value) set[key] = value;
  if (Object.keys(set).length === 0) return undefined;

  const text = addedText(before, after);
  if (text !== undefined) delete set["text"];
  const output = grownOutput(before, after);
  if (output !== undefined) delete set["output"];
  return {
    type: "patch",
    id: after.id,
    ...(Object.keys(set).length === 0 ? {} : { set }),
    ...(text === undefined ? {} : { text }),
    ...(output === undefined ? {} : { output }),
  };
}

/** Applies a patch of {@link itemDelta} to the page's item, and returns the new item. */
export function patchItem(item: Item, delta: Extract<ItemDelta, { type: "patch" }>): Item {
  const changed: Record<string, unknown> = { ...item, ...delta.set };
  if (delta.text !== undefined && "text" in item) changed["text"] = item.text + delta.text;
  if (delta.output !== undefined && item.kind === "tool") {
    changed["output"] = item.output.slice(delta.output.drop) + delta.output.add;
  }
  return changed as unknown as Item;
}

function addedText(before: Item, after: Item): string | undefined {
  if (before.kind !== "text" && before.kind !== "reasoning") return undefined;
  if (after.kind !== before.kind || before.text === after.text) return undefined;
  return after.text.startsWith(before.text) ? after.text.slice(before.text.length) : undefined;
}

function grownOutput(before: Item, after: Item): { drop: number; add: string } | undefined {
  if (before.kind !== "tool" || after.kind !== "tool" || before.output === after.output) {
    return undefined;
  }
  if (after.state === "running") {
    // Both are the ends of one growing output, without its first `omitted` characters.
    const drop = after.omitted - before.omitted;
    const known = before.omitted + before.output.length - after.omitted;
    return known > 0 ? { drop, add: after.output.slice(known) } : undefined;
  }
  if (before.omitted > 0 || !after.output.startsWith(before.output)) return undefined;
  return { drop: 0, add: after.output.slice(before.output.length) };
}
