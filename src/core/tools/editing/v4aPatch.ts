import type { FileChange, ReadDiff } from "./fileChanges.js";
import { isFileEnd, readAddedLines, readHunks } from "./hunks.js";

const fileHead = /^\*\*\* (Update|Add|Delete) File: *(?! )(.+)$/;
const moveHead = /^\*\*\* Move to: *(?! )(.+)$/;
const patchEnd = /^\*\*\* End Patch\s*$/;

/** Returns whether a patch of the form that begins with `*** Begin Patch` starts at a line. */
export function isV4aStart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return /^\s*\*\*\* Begin Patch\s*$/.test(line) || fileHead.test(line.trim());
}

/** Reads a patch of the form that begins with `*** Begin Patch`. */
export function readV4aPatch(lines: readonly string[]): ReadDiff {
  const changes: FileChange[] = [];
  const files = filesOf(lines);
  for (const { does, name, body } of files) {
    if (does === "Delete") return { problem: `It deletes ${name}. ${byCommand}` };
    const moved = body
      .map((line) => moveHead.exec(line.trimEnd())?.[1])
      .find((to) => to !== undefined);
    if (moved !== undefined) return { problem: `It moves ${name} to ${moved}. ${byCommand}` };
    if (does === "Add") {
      const text = readAddedLines(body.filter((line) => !isFileEnd(line)));
      if (typeof text === "string") return { problem: text };
      changes.push({ names: [name], blocks: [{ search: [], replace: text }] });
      continue;
    }
    const read = readHunks(body);
    if ("problem" in read) return read;
    changes.push({ names: [name], blocks: read.blocks });
  }
  return changes.length > 0 ? { changes } : { problem: "It has no *** Update File: line." };
}

const byCommand =
  "This tool changes the contents of one file only: delete or move files with execute_command, and send the other changes without this.";

interface FilePart {
  readonly does: string;
  readonly name: string;
  readonly body: string[];
}

function filesOf(lines: readonly string[]): FilePart[] {
  const files: FilePart[] = [];
  let body: string[] | undefined;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  for (const [at, line] of lines.entries()) {
    // Within a file's part, a blank before a line is the sign of one that stays.
    const isOpen = body !== undefined && body.length > 0;
    const marker = isOpen && at !== last ? line.trimEnd() : line.trim();
    const [, does, name] = fileHead.exec(marker) ?? [];
    if (does !== undefined && name !== undefined) {
      body = [];
      files.push({ does, name, body });
    } else if (patchEnd.test(marker)) body = undefined;
    else body?.push(line);
  }
  return files;
}
