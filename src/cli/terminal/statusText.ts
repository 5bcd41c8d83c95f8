import type { Overview, TaskState, TaskView } from "../../core/navigator/overview.js";
import { queuePath } from "../../core/navigator/queuePath.js";
import { commandWords, placeholder } from "../commands/commandWords.js";
import { expertName } from "./expertName.js";
import type { Options } from "../session/options.js";
import type { Style } from "./style.js";
import { terminalLine, terminalText } from "./terminalText.js";

/** How many tasks that ended are listed per state: the newest ones. */
const endedShown = 5;

const sections: readonly { readonly state: TaskState; readonly title: string }[] = [
  { state: "needsYou", title: "Needs you" },
  { state: "running", title: "Running" },
  { state: "queued", title: "Queued" },
  { state: "interrupted", title: "Interrupted" },
  { state: "failed", title: "Failed" },
  { state: "done", title: "Done" },
  { state: "foreign", title: "From elsewhere" },
];

/** Returns the tasks as text: those that need the user first, with the commands to continue. */
export function statusText(
  root: string,
  overview: Overview,
  options: Options,
  style: Style,
): string {
  const { tasks, problems, modeProblems, holder } = overview;
  const lines = [style.dim(terminalText(root))];
  if (holder !== undefined) {
    const { label, pid, host, since } = holder;
    lines.push(
      terminalText(`${label} works on the queue (process ${pid} on ${host}, since ${since}).`),
    );
  }
  if (tasks.length === 0) lines.push("", "No tasks yet.", go(["ask", placeholder]));
  for (const { state, title } of sections) {
    const found = tasks.filter((task) => task.state === state);
    if (found.length === 0) continue;
    const isEnded = state === "done" || state === "failed";
    const shown = isEnded && options.verbose !== true ? found.slice(0, endedShown) : found;
    lines.push("", `${style.bold(title)} (${found.length})`);
    lines.push(...shown.flatMap((task) => taskLines(task)));
    if (shown.length < found.length) {
      lines.push(style.dim(`  and ${found.length - shown.length} more: rooroo status --verbose`));
    }
    if (state === "queued" && holder === undefined) lines.push(go(["proceed"]));
  }
  if (problems.length > 0) {
    lines.push("", style.yellow(`${queuePath} has lines that are passed over:`));
    for (const { line, reason } of problems) {
      lines.push(`  line ${line}: ${terminalText(reason)}`);
    }
  }
  if (modeProblems.length > 0) {
    lines.push("", style.yellow("Modes that cannot be used as they are:"));
    for (const { path, line, column, message } of modeProblems) {
      lines.push(`  ${terminalText(path)}:${line}:${column}: ${terminalText(message)}`);
    }
  }
  return `${lines.join("\n")}\n`;

  function taskLines({ taskId, mode, goal, state, question, message }: TaskView): string[] {
    const name = mode === "" ? "" : `${expertName(mode)}: `;
    const text = [`  ${style.dim(terminalText(taskId))}  ${name}${terminalLine(goal, 100)}`];
    if (question !== undefined) {
      text.push(`    ${style.yellow("?")} ${terminalLine(question.text, 200)}`);
      question.suggestions.forEach((one, index) => {
        text.push(`      ${index + 1}. ${terminalLine(one, 200)}`);
      });
      text.push(`  ${go(["answer", taskId, placeholder])}`);
    } else if (state === "failed" && message !== undefined) {
      text.push(`    ${style.red("✗")} ${terminalLine(message, 200)}`);
    } else if (state === "interrupted") text.push(`  ${go(["resume", taskId])}`);
    else if (state === "foreign") text.push(`  ${go(["adopt", taskId])}`);
    return text;
  }

  function go(words: readonly string[]): string {
    return `  → ${style.cyan(terminalText(commandWords(options, words)))}`;
  }
}
