import type { ToolContext } from "../../agent/tool.js";
import { UserError } from "../../errors.js";
import { type MatchQuery, mostSearchedBytes } from "../../ports/search.js";
import { filePattern } from "../../text/globPattern.js";
import { formatSize } from "../../text/textFile.js";
import { listedPath } from "../calls/resolvePath.js";

/** The most files of a folder whose sizes are looked at, of those at a time, and that are named. */
const most = { looked: 2_000, atATime: 64, named: 5 };
/** Bytes of a large file's beginning by which texts are told from the rest. */
const beginning = 1_000;

/**
 * Returns a note on the texts below a searched folder that are too large to be searched; empty where there are none, and where
 * the agent knows of them. Of a large folder the first files are looked at.
 */
export async function passedOverNote(
  query: MatchQuery,
  context: Pick<ToolContext, "files" | "search" | "passedOver" | "signal">,
): Promise<string> {
  const { files, search, signal, passedOver = new Set() } = context;
  const asked = JSON.stringify([query.path, query.filePattern]);
  if (passedOver.has(asked)) return "";
  passedOver.add(asked);
  const { paths } = await search.files({ ...query, recursive: true, limit: most.looked }, signal);
  const wanted = query.filePattern === undefined ? undefined : filePattern(query.filePattern);
  const looked = paths.filter((path) => !path.endsWith("/") && wanted?.(path) !== false);
  const large: string[] = [];
  for (let at = 0; at < looked.length; at += most.atATime) {
    const some = looked.slice(at, at + most.atATime);
    const are = await Promise.all(some.map((path) => isLargeText(path, files)));
    large.push(...some.filter((_, index) => are[index]));
  }
  const told = large.filter((path) => !passedOver.has(path));
  for (const path of told) passedOver.add(path);
  if (told.length === 0) return "";
  const more = told.length > most.named ? `, and ${told.length - most.named} more` : "";
  const names = told.slice(0, most.named).map(listedPath).join(", ");
  return `\n(Not searched, because they have more than ${formatSize(mostSearchedBytes)}: ${names}${more}. Read a part with start_line, or search them by a command.)`;
}

/** A file that cannot be looked at is none. */
async function isLargeText(path: string, files: ToolContext["files"]): Promise<boolean> {
  try {
    const stat = await files.stat(path);
    if (stat?.kind !== "file" || stat.size <= mostSearchedBytes) return false;
    return !(await files.readRange(path, 0, beginning)).includes(0);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}
