import { modeProblemWords } from "../../experts/modeProblem.js";
import { type Said, spoken, words } from "../../text/words.js";
import { holderWords } from "../queue/holderWords.js";
import type { MachineFacts } from "./machineReport.js";
import type { Overview } from "./overview.js";

/**
 * Returns what the overview knows of a workspace, in the form of the machine report.
 *
 * @param notes what else is to be told of it
 */
export function workspaceHealth(
  path: string,
  { holder, other, problems, modeProblems }: Overview,
  notes: readonly Said[] = [],
): MachineFacts["workspace"] {
  const holders = [holder, other].filter((one) => one !== undefined).map(holderWords);
  return {
    path,
    holders: [...new Map(holders.map((said) => [spoken(said), said])).values()],
    problems: [
      ...problems.map(({ line, reason }) =>
        words("Line {line, number} of the queue: {reason}", { line, reason }),
      ),
      ...modeProblems.map(modeProblemWords),
    ],
    notes,
  };
}
