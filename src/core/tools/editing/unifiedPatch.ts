import type { FileChange, ReadDiff } from "./fileChanges.js";
import { isHunkHead, readAddedLines, readHunks } from "./hunks.js";

/** Returns whether a unified diff, as `diff -u` and `git diff` write it, starts at a line. */
export function isUnifiedStart(lines: readonly string[], at: number): boolean {
  return isFileHead(lines, at) || isHunkHead(lines[at] ?? "");
}

/** Reads a unified diff. What `git diff` says before the names of a file is passed over. */
export function readUnifiedDiff(lines: readonly string[]): ReadDiff {
  const changes: FileChange[] = [];
  for (const { names, body } of filesOf(lines)) {
    const [from, to] = names;
    if (to === nothing) {
      return {
        problem: `It deletes ${from ?? ""}. Delete files with execute_command, and send the other changes without this.`,
      };
    }
    if (from === nothing) {
      const text = readAddedLines(body);
      if (typeof text === "string") return { problem: text };
      changes.push({ names: [to ?? ""], blocks: [{ search: [], replace: text }] });
      continue;
    }
    const read = readHunks(body);
    if ("problem" in read) return read;
    changes.push({ names, blocks: read.blocks });
  }
  return changes.length > 0 ? { changes } : { problem: "It has no hunk." };
}

const nothing = "/dev/null";

interface FilePart {
  readonly names: readonly string[];
  readonly body: string[];
}

function filesOf(lines: readonly string[]): FilePart[] {
  const files: FilePart[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isFileHead(lines, at)) {
      files.push({ names: [nameOf(line), nameOf(lines[at + 1] ?? "")], body: [] });
      at++;
    } else if (isGitHead(line)) {
      // What follows, up to the names, says nothing about the text.
      while (
        at + 1 < lines.length &&
        !isFileHead(lines, at + 1) &&
        !isGitHead(lines[at + 1] ?? "")
      ) {
        at++;
      }
    } else if (files.length === 0) {
      if (isHunkHead(line)) files.push({ names: [], body: [line] });
    } else files.at(-1)?.body.push(line);
  }
  return files;
}

function isGitHead(line: string): boolean {
  return line.startsWith("diff --git ");
}

/** Returns whether the two lines with a file's names begin here. */
function isFileHead(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? "") && /^\+\+\+ \S/.test(lines[at + 1] ?? "");
}

/** Returns the name without what stands before and behind it, as in `--- a/src/x.ts	2026-11-22`. */
function nameOf(line: string): string {
  const [name = ""] = line.slice(4).split("\t");
  return name.trim().replace(/^[ab]\//, "");
}
