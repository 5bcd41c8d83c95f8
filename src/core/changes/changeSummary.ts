import { isUserError } from "../errors.js";
import { countText } from "../text/countText.js";
import { visibleLine } from "../text/visibleText.js";
import type { ChangedFile } from "./changeLog.js";
import { isRecord, type ChangeStore } from "./changeStore.js";
import { hunksOf } from "./hunks.js";

/** The most files whose names are told, and the most whose lines are counted. */
const mostNamed = 10;
const mostCounted = 50;

/** How many files a task has changed, and how many lines, as far as these are known. */
export interface ChangeCount {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** A task's changes that nobody has kept or undone yet. */
export interface ChangeSummary {
  readonly files: number;
  /** The summary, as in `2 files (+40 −3): src/a.js`; empty if no file was changed. {@link readChanges} reads it. */
  readonly text: string;
}

/** Returns how many files a task has changed, with their names and the number of lines, as far as these are known. */
export async function changeSummary(store: ChangeStore): Promise<ChangeSummary> {
  const changed = await changedFiles(store);
  if (changed.length === 0) return { files: 0, text: "" };
  const { added, removed } = await countOf(changed, store);
  const names = changed.slice(0, mostNamed).map(({ path }) => visibleLine(path, 200));
  const more = changed.length - names.length;
  const count = countText(changed.length, "file");
  const text = `${count} (+${added} −${removed}): ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return { files: changed.length, text };
}

/** Returns how much a task has changed; `undefined` if that is nothing. */
export async function changeCount(store: ChangeStore): Promise<ChangeCount | undefined> {
  const changed = await changedFiles(store);
  return changed.length === 0 ? undefined : countOf(changed, store);
}

async function changedFiles(store: ChangeStore): Promise<readonly ChangedFile[]> {
  return [...(await store.read()).values()].filter(({ path }) => !isRecord(path));
}

async function countOf(changed: readonly ChangedFile[], store: ChangeStore): Promise<ChangeCount> {
  let [added, removed] = [0, 0];
  for (const file of changed.slice(0, mostCounted)) {
    for (const { before, now } of (await hunks(file, store)) ?? []) {
      added += now.length;
      removed += before.length;
    }
  }
  return { files: changed.length, added, removed };
}

/** The figures of a {@link ChangeSummary}'s text. */
export interface ReadChanges extends ChangeCount {
  /** The names of all files; `undefined` if the text does not name all, or not so that they can be told apart. */
  readonly names: readonly string[] | undefined;
}

/** Reads the text of a {@link ChangeSummary}; `undefined` for any other text. */
export function readChanges(text: string): ReadChanges | undefined {
  const [, files, added, removed, list = ""] =
    /^(\d+) files? \(\+(\d+) −(\d+)\): (.*)$/.exec(text) ?? [];
  if (files === undefined) return undefined;
  const names = list.split(", ");
  // A name may have a comma of its own, and a long one is cut.
  const areAll = names.length === Number(files) && names.length <= mostNamed;
  const areWhole = areAll && !names.some((name) => name.endsWith("…"));
  return {
    files: Number(files),
    added: Number(added),
    removed: Number(removed),
    names: areWhole ? names : undefined,
  };
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
