import { isUserError } from "../errors.js";
import { visibleLine } from "../text/visibleText.js";
import { isRecord, type ChangeStore } from "./changeStore.js";
import type { ChangedFile } from "./changeLog.js";
import { hunksOf } from "./hunks.js";

/** The most files whose names are told, and the most whose lines are counted. */
const mostNamed = 10;
const mostCounted = 50;

/** A task's changes that nobody has kept or undone yet. */
export interface ChangeSummary {
  readonly files: number;
  /** As in `2 files (+40 −3): src/a.js, src/b.js`; empty if no file was changed. */
  readonly text: string;
}

/** Returns how many files a task has changed, with their names and the number of lines, as far as these are known. */
export async function changeSummary(store: ChangeStore): Promise<ChangeSummary> {
  const changed = [...(await store.read()).values()].filter(({ path }) => !isRecord(path));
  if (changed.length === 0) return { files: 0, text: "" };
  let [added, removed] = [0, 0];
  for (const file of changed.slice(0, mostCounted)) {
    for (const { before, now } of (await hunks(file, store)) ?? []) {
      added += now.length;
      removed += before.length;
    }
  }
  const names = changed.slice(0, mostNamed).map(({ path }) => visibleLine(path, 200));
  const more = changed.length - names.length;
  const count = changed.length === 1 ? "1 file" : `${changed.length} files`;
  const text = `${count} (+${added} −${removed}): ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return { files: changed.length, text };
}

async function hunks({ baseline, left }: ChangedFile, store: ChangeStore) {
  const now = left.at(-1);
  if (now === undefined) return undefined;
  try {
    const [before, after] = [await store.content(baseline), await store.content(now)];
    return (
      hunksOf(before, after) ??
      hunksOf(new Uint8Array(), after) ??
      hunksOf(before, new Uint8Array())
    );
  } catch (error) {
    if (!isUserError(error)) throw error;
    return undefined;
  }
}
