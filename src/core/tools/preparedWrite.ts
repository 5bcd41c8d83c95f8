import type { PreparedCall, ToolContext, ToolResult } from "../agent/tool.js";
import type { Location } from "../ports.js";
import { failed } from "./failed.js";
import { withEnds } from "./lines.js";
import { decodeText, formatSize } from "./textFile.js";
import { unifiedDiff } from "./unifiedDiff.js";
import { visibleText } from "./visibleText.js";

/** A write, fully computed: what anyone approves is what will be on disk. */
export interface PlannedWrite {
  readonly location: Location;
  /** `undefined` when the file does not exist yet. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** What the model is told when it is done. */
  readonly done: string;
}

export function preparedWrite(plan: PlannedWrite, context: ToolContext): PreparedCall {
  const { location, before } = plan;
  const diff = diffOf(plan);
  return {
    intent: {
      access: "write",
      title: `${before ? "Edit" : "Create"} ${visibleText(location.path)}`,
      path: location.path,
      inside: location.inside,
      preview: { kind: "diff", text: visibleText(diff) },
    },
    // Between the look and the write no other task may write the file.
    run: () => context.alone(location.path, () => write(plan, diff, context)),
  };
}

async function write(plan: PlannedWrite, diff: string, context: ToolContext): Promise<ToolResult> {
  const { location, before, after } = plan;
  const { files, signal } = context;
  signal.throwIfAborted();
  const now = await files.locate(location.path);
  if (now.path !== location.path) return changed(location.path);
  const written = before
    ? await files.replaceFile(location.path, after, { expected: before })
    : await files.createFile(location.path, after);
  if (!written) return changed(location.path);
  return { ok: true, content: plan.done, diff };
}

function changed(path: string): ToolResult {
  return failed(
    `${path} was changed by somebody else while this edit waited, so nothing was written. Read it again, then repeat the edit on what it says now.`,
  );
}

function diffOf({ location, before, after }: PlannedWrite): string {
  const text = decodeText(after)?.text ?? "";
  const old = before && decodeText(before);
  if (before && !old) {
    return `Replaces a binary file of ${formatSize(before.length)}.\n${unifiedDiff(location.path, undefined, text)}`;
  }
  // CRLF throughout, before and after, is nothing that the edit is about.
  if (old && allCrlf(old.text) && allCrlf(text)) {
    return unifiedDiff(location.path, withEnds(old.text, "\n"), withEnds(text, "\n"));
  }
  return unifiedDiff(location.path, old?.text, text);
}

function allCrlf(text: string): boolean {
  return !/(?<!\r)\n/.test(text);
}
