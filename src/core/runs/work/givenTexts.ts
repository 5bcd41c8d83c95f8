import { IgnoredFiles } from "../../access/ignoredFiles.js";
import { readNamedFile } from "../../access/namedFile.js";
import type { FileSystem } from "../../ports/files.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";

/** Texts that an agent is given with its first message, so that it need not read them. */
export interface GivenTexts {
  /** The texts, each in its own mark that names the file. */
  readonly quoted: readonly string[];
  /** The paths of the files that are given whole. */
  readonly whole: ReadonlySet<string>;
}

/**
 * Reads files for an agent's first message, in order, until they have `most` bytes together. What the agent could not
 * read without approval is left out, and so is what is no text.
 *
 * @param cuts whether a file that does not fit is given as far as it does; otherwise it is left out
 */
export async function givenTexts(
  paths: readonly string[],
  files: FileSystem,
  most: number,
  cuts: boolean,
): Promise<GivenTexts> {
  const hidden = new IgnoredFiles(files).once();
  const quoted: string[] = [];
  const whole = new Set<string>();
  let left = most;
  for (const path of paths) {
    if (left <= 0) break;
    const file = await readNamedFile(path, files, left, hidden);
    if (file.type !== "text" || file.text.includes("\0") || file.size === 0) continue;
    const isWhole = file.size <= left;
    if (!isWhole && !cuts) continue;
    left -= Math.min(file.size, left);
    if (isWhole) whole.add(path);
    const cut = isWhole ? "" : "\n(Cut here: read the file for the rest.)";
    quoted.push(quoteUntrusted(path, `${file.text}${cut}`));
  }
  return { quoted, whole };
}
