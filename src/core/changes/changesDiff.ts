import { UserError } from "../errors.js";
import { isRecord, type ChangeStore } from "./changeStore.js";
import { changeDiff } from "./hunks.js";

/**
 * Returns a task's changes as `git diff` shows them, file by file, until there are `most` characters; one more line
 * then tells how many files are left out. A file whose contents are not known is named.
 */
export async function changesDiff(store: ChangeStore, most: number): Promise<string> {
  const changed = [...(await store.read()).values()].filter(({ path }) => !isRecord(path));
  let text = "";
  for (const [index, { path, baseline, left }] of changed.entries()) {
    if (text.length >= most) return `${text}(${changed.length - index} more files)\n`;
    try {
      const now = left.at(-1);
      const [before, after] = [await store.content(baseline), now && (await store.content(now))];
      text += changeDiff(path, before, after);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      text += `${path}: ${error.message}\n`;
    }
  }
  return text;
}
