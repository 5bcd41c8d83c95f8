/**
 * A person with an editor, who reads a job's log and writes into it while runners do:
 * `node jobEditor.js LOG EDITS SEED`. The editor sees when the file has changed on disk, reads it
 * again then, and saves by renaming, or in place. Prints what came of it. When standard input ends,
 * nobody else changes the file any more.
 */
import { once } from "node:events";
import { renameSync, statSync, writeFileSync } from "node:fs";
import { readFile, watch, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { randomFrom } from "../fakes/randomFrom.js";

const [path = "", edits = "0", seed = "1"] = process.argv.slice(2);
const folder = dirname(path);
const name = basename(path);

/** How the person's work fared. */
export interface LogEdits {
  /** Saved; each has left its mark, `hand-N`. */
  readonly marks: readonly string[];
  /** The file had changed between being read and being saved, so it was read again. */
  readonly readAgain: number;
  /** Edits that were not in the file any more when it was looked at next, and were made again. */
  readonly lost: number;
}

const chance = randomFrom(Number(seed));
const random = (below: number): number => Math.floor(chance() * below);
const marks = new Set<string>();
let readAgain = 0;
let lost = 0;

const alone = new AbortController();
void once(process.stdin.resume(), "end").then(() => {
  alone.abort();
});

/** Resolves when the file has changed so many times from now on, or nobody changes it any more. */
async function changes(times: number): Promise<void> {
  let left = times;
  try {
    for await (const { filename } of watch(folder, { signal: alone.signal })) {
      if (filename === name && --left === 0) return;
    }
  } catch (error) {
    if (!alone.signal.aborted) throw error;
  }
}

function identity(): string {
  const { ino, mtimeNs, size } = statSync(path, { bigint: true });
  return [ino, mtimeNs, size].join(" ");
}

const has = (text: string, mark: string): boolean => new RegExp(`\\b${mark}\\b`).test(text);

/** Returns the text with a mark in prose, in the title, in a note below a task, or in a phase's words. */
function edited(text: string, mark: string): string {
  const behind = (line: RegExp, added: (found: string) => string): string => {
    const found = [...text.matchAll(line)];
    const one = found[random(found.length)];
    if (one === undefined) throw new Error(`nothing in the log is like ${String(line)}`);
    const end = one.index + one[0].length;
    return text.slice(0, end) + added(one[0]) + text.slice(end);
  };
  switch (random(4)) {
    case 0:
      return behind(/(?=\n## Roadmap)/g, () => `\nRead this, too: ${mark}.\n`);
    case 1:
      return behind(/^title: ".*(?=")/gm, () => ` ${mark}`);
    case 2:
      return behind(/^ +- status: \w+$/gm, (status) => {
        return `\n${status.replace(/status.*/, `note: ${mark}`)}`;
      });
    default:
      return behind(/^- \[.\] \d+\. Phase.*$/gm, () => ` ${mark}`);
  }
}

async function save(mark: string): Promise<void> {
  for (;;) {
    const seen = identity();
    const text = await readFile(path, "utf8");
    const gone = [...marks].filter((one) => !has(text, one));
    lost += gone.length;
    for (const one of gone) marks.delete(one);
    const missing = [...gone, ...(has(text, mark) ? [] : [mark])];
    const after = missing.reduce(edited, text);
    if (after === text) return;
    const temp = `${path}~`;
    await writeFile(temp, after);
    if (identity() === seen) {
      if (random(2) === 0) renameSync(temp, path);
      else writeFileSync(path, after);
      for (const one of missing) marks.add(one);
      return;
    }
    readAgain++;
  }
}

for (let number = 1; number <= Number(edits) && !alone.signal.aborted; number++) {
  // A person is slower than the machine: others change the file before the next edit.
  await changes(1 + random(5));
  await save(`hand-${number}`);
}
if (!alone.signal.aborted) await once(alone.signal, "abort");
const [last] = marks;
if (last !== undefined) await save(last);
const result: LogEdits = { marks: [...marks], readAgain, lost };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
