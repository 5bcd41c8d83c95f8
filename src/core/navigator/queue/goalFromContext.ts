import { IgnoredFiles } from "../../access/ignoredFiles.js";
import { readNamedFile } from "../../access/namedFile.js";
import { FileError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import { visibleLine } from "../../text/visibleText.js";
import { beginningOf } from "../../text/wellFormed.js";
import { type Words, words } from "../../text/words.js";

/** The most bytes of a context file in which its goal is looked for, and the most characters of a goal. */
const mostRead = 64_000;
const longestGoal = 2_000;

/** Matches the heading above a goal, in the languages in which such files are written. */
const goalWords = /\b(?:goal|objective|ziel|objetivo)s?\b|目标|目的|ゴール/i;
const heading = /^#{1,6}[ \t]/;

/** Returns what a context file says that its task is for; empty if it says nothing. */
function goalIn(context: string): string {
  const lines = context.split(/\r?\n/);
  const at = lines.findIndex((line) => heading.test(line) && goalWords.test(line));
  const below = at < 0 ? [] : lines.slice(at + 1);
  const end = below.findIndex((line) => heading.test(line));
  const section = below.slice(0, end < 0 ? below.length : end).join("\n");
  const first = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
  const goal = section.trim() === "" ? first.replace(/^[#>\s*-]+/, "") : section;
  return beginningOf(goal.trim(), longestGoal);
}

/** Returns the goal that a context file has for a line of the queue without one, or why there is none. */
export async function goalOf(contextPath: string, files: FileSystem): Promise<string | Words> {
  const path = visibleLine(contextPath, 200);
  try {
    const hidden = new IgnoredFiles(files).once();
    const file = await readNamedFile(contextPath, files, mostRead, hidden);
    if (file.type === "text") {
      const goal = goalIn(file.text);
      if (goal !== "") return goal;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return words(
    '"goal_for_expert" is missing, and the context file {path} does not say what is to be done.',
    { path },
  );
}
