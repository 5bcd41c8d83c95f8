import { parseQueue } from "../../core/documents/queue.js";
import { Modes } from "../../core/experts/modes.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Problem, readTextFile, tellProblems } from "./validation.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Prints the lines of a queue that cannot be used, each with the reason. */
export async function validateQueue(
  file: string,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  // The workspace's own modes may take tasks, too.
  const root = await workspaceRoot(options.workspace);
  const read = await readTextFile(file);
  if ("problem" in read) return tellProblems(file, [read.problem], "", options, terminal);
  const modes = new Modes(machine(root, "rooroo validate").files, new TimedPatterns());
  await modes.refresh();
  const lines = parseQueue(read.text, (slug) => modes.all.has(slug));
  const problems = lines.flatMap((line): Problem[] =>
    line.kind === "problem" ? [{ line: line.line, message: line.reason }] : [],
  );
  const count = lines.filter(({ kind }) => kind === "task").length;
  const fine = count === 1 ? "1 task, no problems." : `${count} tasks, no problems.`;
  return tellProblems(file, problems, fine, options, terminal);
}
