import { randomBytes } from "node:crypto";
import type { ToolCall } from "../../core/agent/messages.js";

/** A fragment of a tool call as servers really send it; any field may be missing. */
export interface ToolCallFragment {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

interface Draft {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
}

/**
 * The shortest id that is kept: shorter ones are counters, as in `call_0`, that come again in the next
 * response.
 */
const shortestId = 9;

/** Assembles the tool calls of one response from their fragments. */
export class ToolCallFragments {
  private readonly drafts: Draft[] = [];

  add(fragment: ToolCallFragment): void {
    const id = fragment.id ?? "";
    const name = fragment.function?.name ?? "";
    const draft = this.continued(fragment, id, name) ?? this.begin(fragment.index ?? undefined);
    if (draft.id === "") draft.id = id;
    // A name may come in fragments, or as a whole with every fragment.
    if (draft.arguments === "" && name !== draft.name) draft.name += name;
    const more = fragment.function?.arguments ?? "";
    draft.arguments += typeof more === "string" ? more : JSON.stringify(more);
  }

  /**
   * Returns the complete calls, each with an id of its own.
   *
   * @param taken ids that are already in the conversation
   */
  finish(taken: ReadonlySet<string>): ToolCall[] {
    const used = new Set(taken);
    return this.drafts.map((draft) => {
      const usable = draft.id.length >= shortestId && !used.has(draft.id);
      const id = usable ? draft.id : `call_${randomBytes(12).toString("hex")}`;
      used.add(id);
      return { id, name: draft.name, arguments: draft.arguments };
    });
  }

  private continued(fragment: ToolCallFragment, id: string, name: string): Draft | undefined {
    const hasIndex = typeof fragment.index === "number";
    const draft = hasIndex
      ? this.drafts.findLast((one) => one.index === fragment.index)
      : this.drafts.at(-1);
    if (!draft) return undefined;
    // Some servers give every call the index 0; another id with a name is another call.
    const another = id !== "" && draft.id !== "" && id !== draft.id && name !== "";
    const unnumbered = !hasIndex && name !== "" && draft.name !== "" && id !== draft.id;
    return another || unnumbered ? undefined : draft;
  }

  private begin(index: number | undefined): Draft {
    const draft = { index, id: "", name: "", arguments: "" };
    this.drafts.push(draft);
    return draft;
  }
}
