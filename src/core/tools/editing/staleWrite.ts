import type { LocatedPath } from "../../access/locatedPath.js";
import type { SeenFile, SeenFiles } from "../../agent/seenFiles.js";
import type { ToolContext, ToolResult } from "../../agent/tool.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { decodeText } from "../../text/textFile.js";
import { unifiedDiff } from "../../text/unifiedDiff.js";
import { failed } from "../calls/failed.js";

/** Characters of a difference that is shown to a model. */
const mostShown = 4_000;

/**
 * Returns why a write to an existing file would lose what its writer does not know of; `undefined` if it would
 * not.
 *
 * @param current the file's content, which the write would change
 * @param needs how much of the file the writer must have seen. `all`: the write replaces the file. `some`: it
 *   replaces places of the file that it counts. `nothing`: it only adds. Whatever was seen must still be so.
 */
export async function staleWrite(
  location: LocatedPath,
  current: Uint8Array,
  needs: "all" | "some" | "nothing",
  context: Pick<ToolContext, "seen" | "whyNeverWritten">,
): Promise<ToolResult | undefined> {
  const stale = await unseen(location, current, needs, context);
  if (stale === undefined) return undefined;
  // To read it first would be of no use.
  const never = await context.whyNeverWritten?.(location.path);
  return never === undefined ? stale : failed(`Nothing was written: ${never}`);
}

async function unseen(
  location: LocatedPath,
  current: Uint8Array,
  needs: "all" | "some" | "nothing",
  { seen }: Pick<ToolContext, "seen">,
): Promise<ToolResult | undefined> {
  const { path } = location;
  const known = seen.of(path);
  if (known === undefined) {
    if (needs === "nothing") return undefined;
    return failed(
      `Nothing was written: ${path} exists, and you have not read it. Read ${needs === "all" ? "all of it" : "it"} first.`,
    );
  }
  if (known.digest !== (await seen.digest(current))) {
    return failed(
      `Nothing was written: ${path} has changed since you read it; read it again.${differenceFrom(location, known.digest, current, seen)}`,
    );
  }
  if (needs !== "all" || known.isWhole) return undefined;
  return failed(
    `Nothing was written: you have read only a part of ${path}, and the call would replace all of it. Read the rest first, or change only a part.`,
  );
}

/**
 * Returns what the writer of a file has seen of it afterwards; nothing if the file also has changes that the
 * writer has not seen.
 *
 * @param isWhole whether the writer wrote all of the new content
 */
export async function seenAfterWrite(
  path: string,
  { before, after }: { readonly before: Uint8Array | undefined; readonly after: Uint8Array },
  isWhole: boolean,
  { seen }: Pick<ToolContext, "seen">,
): Promise<readonly SeenFile[]> {
  const digest = await seen.digest(after);
  if (isWhole || before === undefined) return [{ path, digest }];
  const known = seen.of(path);
  if (known?.digest !== (await seen.digest(before))) return [];
  // The lines of a part have other numbers now.
  return [known.isWhole ? { path, digest } : { path, digest, part: { from: 0, to: 0, of: 0 } }];
}

/**
 * Returns lines for the writer of a file that something else has changed right after the write, and what it has seen
 * by these lines.
 *
 * @param seen what the writer had seen of files after the write
 * @param after what the file says now; `undefined`: it is gone
 */
export async function changedFurther(
  { path, secret }: Pick<LocatedPath, "path" | "secret">,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array | undefined },
  seen: readonly SeenFile[],
  { seen: files }: Pick<ToolContext, "seen">,
): Promise<{ readonly lines: readonly string[]; readonly seen: readonly SeenFile[] }> {
  const difference = after && !secret ? shownDifference(path, before, after) : undefined;
  if (after === undefined || difference?.isWhole !== true) {
    const lines = ["Read it again before you go on."];
    return { lines: difference === undefined ? lines : [...lines, difference.text], seen };
  }
  const digest = await files.digest(after);
  return {
    lines: [difference.text],
    seen: seen.map((one) => (one.path === path ? { ...one, digest } : one)),
  };
}

/** Returns a part of a message that shows the difference, as far as it is known and may be shown. */
function differenceFrom(
  { path, secret }: LocatedPath,
  digest: string,
  current: Uint8Array,
  seen: SeenFiles,
): string {
  // Reading such a file is asked about, and the difference would show what it says now.
  if (secret) return "";
  const before = seen.contentOf(digest);
  const difference = before && shownDifference(path, before, current);
  return difference === undefined ? "" : ` What has changed:\n${difference.text}`;
}

/**
 * Returns the difference between two contents of a file, quoted for a model; `undefined` if one of them is no
 * text. `isWhole`: nothing was left out.
 */
function shownDifference(
  path: string,
  before: Uint8Array,
  after: Uint8Array,
): { readonly text: string; readonly isWhole: boolean } | undefined {
  const [old, now] = [decodeText(before)?.text, decodeText(after)?.text];
  if (old === undefined || now === undefined) return undefined;
  const difference = unifiedDiff(path, old, now);
  const isWhole = difference.length <= mostShown;
  const shown = isWhole ? difference : difference.slice(0, difference.lastIndexOf("\n", mostShown));
  const rest = isWhole ? "" : "\n(The rest is left out.)";
  return { text: quoteUntrusted(path, shown.trimEnd()) + rest, isWhole };
}
