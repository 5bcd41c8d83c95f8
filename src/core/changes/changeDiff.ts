import { decodeText, formatSize } from "../tools/textFile.js";
import { unifiedDiff } from "../tools/editing/unifiedDiff.js";

/** Returns a file's changes as `git diff` would show them; `undefined` stands for "no such file". */
export function changeDiff(
  path: string,
  before: Uint8Array | undefined,
  now: Uint8Array | undefined,
): string {
  const texts = [before, now].map((bytes) => bytes && decodeText(bytes)?.text);
  const isBinary = (index: number, bytes?: Uint8Array) => bytes && texts[index] === undefined;
  if (isBinary(0, before) || isBinary(1, now)) {
    const size = (bytes?: Uint8Array) => (bytes ? formatSize(bytes.length) : "nothing");
    return `--- a/${path}\n+++ b/${path}\nBinary file: ${size(before)} became ${size(now)}.\n`;
  }
  return unifiedDiff(path, texts[0], texts[1]);
}
