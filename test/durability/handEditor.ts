/**
 * A person with an editor who knows nothing of locks: `node handEditor.js ROOT EDITS SEED`. Edits the
 * queue while others work through it: adds tasks, notes and rubbish, and moves lines. The editor sees
 * when the file has changed on disk, reads it again then, and saves by renaming. Prints what came of
 * it. When standard input ends, nobody else changes the file any more.
 */

import { once } from "node:events";
import { existsSync, renameSync, statSync } from "node:fs";
import { readFile, watch, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { queueLine } from "../cli/script.js";

const [root = "", edits = "0", seed = "1"] = process.argv.slice(2);
const folder = join(root, ".rooroo");
const path = join(folder, "queue.jsonl");

/** How the person's work fared. */
export interface HandEdits {
  /** Saved. */
  readonly edits: number;
  /** The file had changed between being read and being saved, so it was read again. */
  readonly readAgain: number;
  /** Edits that were not in the file any more when it was looked at next, and were made again. */
  readonly lost: number;
  /** Ids of the tasks that were added. */
  readonly tasks: readonly string[];
  /** Lines that were added and are no tasks. */
  readonly notes: readonly string[];
}

interface Edit {
  readonly lines: readonly string[];
  /** The line that it brings, if it is not a move. */
  readonly added: string | undefined;
  /** It was found to be gone. */
  readonly isLost?: boolean;
}

const added = new Set<string>();
let readAgain = 0;
let lost = 0;
/** What was saved last. */
let saved: Edit | undefined;

let state = Number(seed);
/** Returns the same numbers for the same seed: 0 to `below` - 1. */
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const alone = new AbortController();
void once(process.stdin.resume(), "end").then(() => {
  alone.abort();
});

/** Resolves when the file has come, gone or changed so many times from now on. */
async function changes(name: string, times: number, where = folder): Promise<void> {
  let left = times;
  try {
    for await (const { filename } of watch(where, { signal: alone.signal })) {
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

async function read(): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
}

/**
 * Returns whether a person's lines are kept: others add lines, and those of tasks go when their reports are there; the
 * order stays.
 */
function isKept(lines: readonly string[]): boolean {
  const there = new Set(lines);
  const before = new Set(saved?.lines);
  const kept = (saved?.lines ?? []).filter((line) => there.has(line) || !isDone(line));
  return lines.filter((line) => before.has(line)).join("\n") === kept.join("\n");
}

function taskOf(line: string): string | undefined {
  return /^\{"taskId":"([^"]+)"/.exec(line)?.[1];
}

function isDone(line: string): boolean {
  const taskId = taskOf(line);
  return taskId !== undefined && existsSync(join(folder, "tasks", taskId, "report.json"));
}

function edited(lines: readonly string[], number: number): Edit {
  const at = random(lines.length + 1);
  const add = (line: string): Edit => ({ lines: lines.toSpliced(at, 0, line), added: line });
  switch (random(4)) {
    case 0:
      return add(queueLine(`HAND_${number}`).trimEnd());
    case 1:
      return add(`# note ${number}`);
    case 2:
      return add(`{"torn": ${number}`);
    default: {
      const from = random(lines.length);
      const rest = lines.toSpliced(from, 1);
      const moved = lines.slice(from, from + 1);
      return { lines: rest.toSpliced(random(rest.length + 1), 0, ...moved), added: undefined };
    }
  }
}

/** Does what a person does who finds that the last edit is gone: makes it again. */
function again(lines: readonly string[]): Edit | undefined {
  const { added: line, isLost = false } = saved ?? {};
  if (!isLost && isKept(lines)) return undefined;
  if (!isLost) lost++;
  saved = { lines, added: line, isLost: true };
  if (line === undefined || lines.includes(line) || isDone(line)) return undefined;
  return { lines: [line, ...lines], added: line };
}

async function save(number: number): Promise<void> {
  for (;;) {
    const seen = identity();
    const lines = await read();
    const edit = again(lines) ?? edited(lines, number);
    const temp = join(folder, ".queue.jsonl.editor");
    await writeFile(temp, edit.lines.map((line) => `${line}\n`).join(""));
    // The worst moment to save: when somebody has just begun to change the file.
    if (random(2) === 0) await changes("queue.lock", 1, join(folder, "locks"));
    if (identity() === seen) {
      renameSync(temp, path);
      saved = edit;
      if (edit.added !== undefined) added.add(edit.added);
      return;
    }
    readAgain++;
  }
}

for (let number = 1; number <= Number(edits); number++) {
  await save(number);
  // A person is slower than the machine: others change the file before the next edit.
  await changes("queue.jsonl", 1 + random(3));
}
await save(Number(edits) + 1);
const tasks = [...added].flatMap((line) => taskOf(line) ?? []);
const notes = [...added].filter((line) => taskOf(line) === undefined);
const result: HandEdits = { edits: Number(edits), readAgain, lost, tasks, notes };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
