import { visibleLine } from "../text/visibleText.js";
import { withTexts } from "../text/withTexts.js";
import { type Said, type Words, words } from "../text/words.js";

/** A part of a mode file that cannot be used. */
export interface ModeProblem {
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The 1-based column where the problem begins. */
  readonly column: number;
  readonly message: Said;
}

/** Returns a problem as a sentence for the user, with its file and line. */
export function modeProblemWords({ path, line, message }: ModeProblem): Words {
  const problem = withTexts(message, (text) => visibleLine(text, 300));
  return words("{path}, line {line, number}: {problem}", { path, line, problem });
}
