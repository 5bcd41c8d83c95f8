import { html, type TemplateResult } from "lit";
import type { Item } from "../../core/conversation/state/items.js";
import { translatable } from "../../core/text/translator.js";
import { toolEntry } from "../../core/tools/toolTable.js";
import { visibleText } from "../text/visibleText.js";
import { t } from "../text/words.js";

export type ToolItem = Extract<Item, { kind: "tool" }>;

/** Collapsed tool calls on one line; if the user opens it, they follow as rows of their own. */
export interface ToolCallGroup {
  readonly calls: readonly ToolItem[];
  readonly open: boolean;
}

const kindCounts = {
  file: translatable("{0, plural, one {# file} other {# files}}"),
  folder: translatable("{0, plural, one {# folder} other {# folders}}"),
  search: translatable("{0, plural, one {# search} other {# searches}}"),
} as const;

/** Returns whether an item is a successful call of a reading tool that needed no approval, so it can be collapsed. */
export function isCollapsible(item: Item): item is ToolItem {
  return (
    item.kind === "tool" &&
    item.state === "ok" &&
    item.approval === undefined &&
    toolEntry(item.tool).reads !== undefined
  );
}

/** Summarises collapsed tool calls, as in "Read 3 files". */
export function groupSummary(calls: readonly ToolItem[]): string {
  const seen = new Map<string, Set<string>>();
  for (const { id, tool, title } of calls) {
    const kind = toolEntry(tool).reads ?? tool;
    const things = seen.get(kind) ?? new Set();
    // Two parts of a file count as one file; a repeated search counts as another search.
    things.add(kind === "search" ? id : pathOf(title));
    seen.set(kind, things);
  }
  const counts = (["file", "folder", "search"] as const).flatMap((kind) => {
    const count = seen.get(kind)?.size ?? 0;
    return count === 0 ? [] : [t(kindCounts[kind], count)];
  });
  const what = counts.join(", ");
  return seen.has("file") ? t("Read {0}", what) : t("Explored {0}", what);
}

/** Returns the names of the files that were read, in that order. */
export function groupFiles(calls: readonly ToolItem[]): string {
  const read = calls.filter(({ tool }) => tool === "read_file");
  const names = read.map(({ title }) => pathOf(title).split("/").at(-1) ?? title);
  return [...new Set(names)].join(", ");
}

function pathOf(title: string): string {
  return title.replace(/:\d+(?:-\d*)?$/, "");
}

/** Renders collapsed tool calls as one line that the user can open. */
export function toolCallGroup({ calls, open }: ToolCallGroup, toggle: () => void): TemplateResult {
  return html`
    <div class="tool">
      <button type="button" class="tool-row" aria-expanded=${open} @click=${toggle}>
        <span class="codicon codicon-files quiet tool-icon" aria-hidden="true"></span>
        <span class="tool-verb">${groupSummary(calls)}</span>
        <span class="tool-title"
          ><span class="title-head">${visibleText(groupFiles(calls))}</span></span
        >
        <span
          class="codicon codicon-chevron-${open ? "down" : "right"} tool-chevron"
          aria-hidden="true"
        ></span>
      </button>
    </div>
  `;
}
