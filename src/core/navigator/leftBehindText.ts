import { formatSize } from "../text/textFile.js";
import { notCarriedText } from "./notCarriedText.js";
import type { FileNotCarried } from "../ports/worktrees.js";

/** The most files that are named. */
const most = 20;

/**
 * Returns what a task's report says of files that its worker has not sent, so that nobody misses them without knowing.
 *
 * @param machine the worker's name
 */
export function leftBehindText(
  files: readonly (FileNotCarried & { readonly bytes: number })[],
  machine: string,
): string {
  const lines = files
    .slice(0, most)
    .map((file) => `- ${notCarriedText(file)} (${formatSize(file.bytes)})`);
  const rest = files.length > most ? [`- and ${files.length - most} more`] : [];
  return [
    `Not sent by ${machine}, so not in what lands, and gone with its checkout:`,
    ...lines,
    ...rest,
  ].join("\n");
}
