/**
 * A program that puts links in the place of the folders and files that another process writes to, and
 * takes them away again, until it is ended.
 *
 * Arguments: the workspace's folder, and the folder that the links lead to.
 */
import { existsSync, lstatSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const [, , root = "", elsewhere = ""] = process.argv;
let moved = 0;

/** Each with what a link in its place leads to. */
const places = [
  [".rooroo", elsewhere],
  [".rooroo/tasks", join(elsewhere, "tasks")],
  [".rooroo/tasks/X", join(elsewhere, "tasks/X")],
  [".rooroo/tasks/X", join(root, ".git")],
  [".rooroo/tasks/X/output", join(root, ".git")],
  [".rooroo/tasks/X/transcript.jsonl", join(root, ".git/config")],
  [".rooroo/locks", join(elsewhere, "locks")],
  [".rooroo/queue.jsonl", join(root, ".git/config")],
  [".rooroo/queue.jsonl", join(elsewhere, "yet-to-be")],
].map(([path = "", target = ""]) => ({ path: join(root, path), target }));

process.stdout.write("ready\n");
for (;;) for (const { path, target } of places) exchange(path, target);

function exchange(path: string, target: string): void {
  const kept = `${path}.kept`;
  if (!attempt(renameSync, path, kept)) return;
  if (attempt(symlinkSync, target, path)) {
    // The other one gets the time for a few calls of the system.
    for (let look = 0; look < 20; look++) lstatSync(path, { throwIfNoEntry: false });
    if (isLink(path)) attempt(unlinkSync, path);
  }
  // What the other one has made meanwhile goes out of the way.
  while (!attempt(renameSync, kept, path)) {
    if (existsSync(path)) attempt(renameSync, path, `${path}.${moved++}`);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Answers with whether it could be done: the other process is at work, too. */
function attempt<Given extends string[]>(
  work: (...given: Given) => void,
  ...given: Given
): boolean {
  try {
    work(...given);
    return true;
  } catch {
    return false;
  }
}
