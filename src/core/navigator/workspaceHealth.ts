import type { MachineFacts } from "./machineReport.js";
import type { Overview } from "./overview.js";
import { spoken, words } from "../text/words.js";
import { joined } from "../text/joined.js";
import { holderWords } from "./holderWords.js";

/** Returns what the overview knows of a workspace, in the form of the machine report. */
export function workspaceHealth(
  path: string,
  { holder, other, problems, modeProblems }: Overview,
): MachineFacts["workspace"] {
  const holders = [holder, other].filter((one) => one !== undefined).map(holderWords);
  return {
    path,
    holders: [...new Map(holders.map((said) => [spoken(said), said])).values()],
    problems: [
      ...problems.map(({ line, reason }) =>
        words("Line {line, number} of the queue: {reason}", { line, reason }),
      ),
      ...modeProblems.map(({ message }) => joined(".roomodes: ", message)),
    ],
  };
}
