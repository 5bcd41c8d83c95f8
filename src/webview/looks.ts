import type { Item } from "../core/conversation/items.js";
import { plural } from "./plural.js";

export type ToolItem = Extract<Item, { kind: "tool" }>;

/** Tools that only read, each with the kind of thing that it reads. */
const lookingTools: Readonly<Record<string, string>> = {
  read_file: "file",
  list_files: "folder",
  search_files: "search",
  list_directory: "folder",
  glob: "search",
  search_file_content: "search",
};

/** Whether an item is a successful call of a reading tool that needed no approval, so it can be collapsed. */
export function isLook(item: Item): item is ToolItem {
  return (
    item.kind === "tool" &&
    item.state === "ok" &&
    item.approval === undefined &&
    Object.hasOwn(lookingTools, item.tool)
  );
}

/** Summarises collapsed tool calls, as in "Read 3 files". */
export function looksSummary(looks: readonly ToolItem[]): string {
  const seen = new Map<string, Set<string>>();
  for (const { id, tool, title } of looks) {
    const kind = lookingTools[tool] ?? tool;
    const things = seen.get(kind) ?? new Set();
    // Two parts of a file count as one file; a repeated search counts as another search.
    things.add(kind === "search" ? id : pathOf(title));
    seen.set(kind, things);
  }
  const counts = ["file", "folder", "search"].flatMap((kind) => {
    const count = seen.get(kind)?.size ?? 0;
    return count === 0
      ? []
      : [kind === "search" && count > 1 ? `${count} searches` : plural(count, kind)];
  });
  const verb = seen.has("file") ? "Read" : "Explored";
  return `${verb} ${counts.join(", ")}`;
}

/** Returns the names of the files that were read, in that order. */
export function lookedAt(looks: readonly ToolItem[]): string {
  const read = looks.filter(({ tool }) => tool === "read_file");
  const names = read.map(({ title }) => pathOf(title).split("/").at(-1) ?? title);
  return [...new Set(names)].join(", ");
}

function pathOf(title: string): string {
  return title.replace(/:\d+(?:-\d*)?$/, "");
}
