import { PendingMessages } from "../../core/agent/pendingMessages.js";
import { type DayCost, noUsage } from "../../core/conversation/state/items.js";
import { addCallUsage, dayOf } from "../../core/conversation/state/usageTotals.js";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import { modeName } from "../../core/experts/modeName.js";
import { Modes } from "../../core/experts/modes.js";
import type {
  EarlierTask,
  Overview,
  TaskState,
  TaskView,
} from "../../core/navigator/overview/overview.js";
import { OverviewReader } from "../../core/navigator/overview/overviewReader.js";
import { queuePath } from "../../core/navigator/queue/queuePath.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { GivenRequests } from "../../core/navigator/requests/givenRequests.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import { Redactor } from "../../core/text/redactor.js";
import { placeholder } from "../../core/text/shellWord.js";
import { translatable } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { localServices } from "../../runtime/localServices.js";
import type { Options } from "../arguments/options.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { commandWords } from "../terminal/followUps.js";
import type { Style } from "../terminal/style.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** The most tasks of a state that are listed: of those that have ended, the newest. */
const mostShown = (state: TaskState): number => (state === "done" || state === "failed" ? 5 : 20);
/** The most problems of a file that are listed. */
const problemsShown = 20;

const sections: readonly { readonly state: TaskState; readonly title: string }[] = [
  { state: "needsYou", title: translatable("Needs you") },
  { state: "running", title: translatable("Running") },
  { state: "queued", title: translatable("Queued") },
  { state: "interrupted", title: translatable("Interrupted") },
  { state: "failed", title: translatable("Failed") },
  { state: "done", title: translatable("Done") },
  { state: "foreign", title: translatable("External") },
];

/** Shows the tasks: those that need the user first, with the commands to continue. */
export async function showStatus({ options, terminal }: Cli): Promise<Result<never>> {
  const root = await workspaceRoot(options.workspace);
  const overview = await readOverview(root, "rooroo status");
  return {
    end: "done",
    json: async () => ({ workspace: root, ...overview, today: await costToday(root) }),
    text: () => statusText(root, overview, options, terminal.style),
  };
}

/**
 * Reads the overview of a workspace's tasks. No task runs in this process, so the code that runs tasks is
 * not loaded.
 *
 * @param label the name of this process for others that have to wait for its locks
 */
export async function readOverview(root: string, label: string): Promise<Overview> {
  const local = localServices(root, label);
  const { files, signer, lock, clock } = local;
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const store = new TaskStore(files, clock, signer);
  const queue = new QueueStore(files, lock, (name) => modes.named(name));
  const messages = new PendingMessages({ ...local, redactor: new Redactor() });
  const nothingRuns = { isRunning: () => false, waitsForApproval: () => false };
  const requests = new GivenRequests(files, lock, signer);
  const parts = { files, lock, store, queue, modes, messages, requests };
  const reader = new OverviewReader(parts, nothingRuns);
  return reader.read();
}

/** Returns what the model calls of all conversations cost today; without `costUsd` if a price is unknown. */
async function costToday(root: string): Promise<DayCost> {
  const { files, signer, clock } = localServices(root, "rooroo status");
  const store = new ConversationStore(files, signer, () => undefined);
  const date = dayOf(clock.now().toISOString());
  const today = (await store.list()).filter(
    ({ changedAt }) => dayOf(new Date(changedAt).toISOString()) === date,
  );
  const loaded = await Promise.all(today.map(({ id }) => store.journal(id).load()));
  const events = loaded
    .flatMap((one) => one.events)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
  const usage = events.reduce(
    (sum, event) =>
      event.type === "agent" && event.event.type === "usage"
        ? addCallUsage(sum, event.event.usage, event.at)
        : sum,
    noUsage,
  );
  return usage.day?.date === date ? usage.day : { date, costUsd: 0 };
}

/** Returns the tasks as text. */
function statusText(root: string, overview: Overview, options: Options, style: Style): string {
  const { tasks, problems, modeProblems, holder, earlier = [], earlierFiles = [] } = overview;
  const lines = [style.dim(terminalText(root))];
  if (holder !== undefined) {
    const { label, pid, host, since } = holder;
    lines.push(
      terminalText(
        t(
          "{0} is running the queue (process {1} on {2}, since {3}).",
          label,
          String(pid),
          host,
          since,
        ),
      ),
    );
  }
  if (tasks.length === 0) {
    const none = earlier.length === 0 ? t("No tasks yet.") : t("No tasks of your own yet.");
    lines.push("", none, go(["ask", placeholder]));
  }
  for (const { state, title } of sections) {
    const found = tasks.filter((task) => task.state === state);
    if (found.length === 0) continue;
    lines.push("", `${style.bold(t(title))} (${t("{0, number}", found.length)})`);
    addSome(found, mostShown(state), (task) => taskLines(task, style, go));
    if (state === "queued" && holder === undefined) lines.push(go(["proceed"]));
  }
  if (earlier.length > 0) {
    const title = t("Earlier work, to be read only");
    lines.push("", `${style.bold(title)} (${t("{0, number}", earlier.length)})`);
    addSome(earlier, 5, (task) => earlierLines(task, style));
    addSome(earlierFiles, 5, (path) => [`  ${terminalText(path)}`]);
  }
  if (problems.length > 0) {
    lines.push("", style.yellow(t("{0} has invalid lines, which are ignored:", queuePath)));
    addSome(problems, problemsShown, ({ line, reason }) => [
      `  ${t("line {0}: {1}", line, terminalLine(spoken(reason, t), 300))}`,
    ]);
  }
  if (modeProblems.length > 0) {
    lines.push("", style.yellow(t("Modes with problems:")));
    addSome(modeProblems, problemsShown, ({ path, line, column, message }) => [
      `  ${terminalText(path)}:${line}:${column}: ${terminalText(spoken(message, t))}`,
    ]);
  }
  return `${lines.join("\n")}\n`;

  function addSome<T>(items: readonly T[], most: number, linesOf: (item: T) => string[]): void {
    const shown = options.verbose ? items : items.slice(0, most);
    for (const item of shown) lines.push(...linesOf(item));
    const left = items.length - shown.length;
    if (left === 0) return;
    lines.push(style.dim(`  ${t("and {0, number} more: rooroo status --verbose", left)}`));
  }

  function go(words: readonly string[]): string {
    return `  → ${style.cyan(terminalText(commandWords(options, words)))}`;
  }
}

/** Returns the lines of one task of earlier work: its goal, its files and its plan. */
function earlierLines({ taskId, goal, files, planPath }: EarlierTask, style: Style): string[] {
  const paths = [...files, ...(planPath === undefined ? [] : [planPath])];
  return [
    `  ${style.dim(terminalText(taskId))}  ${terminalLine(goal, 100)}`,
    ...paths.map((path) => `    ${terminalText(path)}`),
  ];
}

/** Returns the lines of one task: its goal, and what a person can do about it. */
function taskLines(
  task: TaskView,
  style: Style,
  go: (words: readonly string[]) => string,
): string[] {
  const { taskId, mode, goal, state, question, message } = task;
  const name = mode === "" ? "" : `${terminalText(t(modeName(mode)))}: `;
  const text = [`  ${style.dim(terminalText(taskId))}  ${name}${terminalLine(goal, 100)}`];
  if (question !== undefined) {
    text.push(`    ${style.yellow("?")} ${terminalLine(question.text, 200)}`);
    question.suggestions.forEach((one, index) => {
      text.push(`      ${index + 1}. ${terminalLine(one, 200)}`);
    });
    text.push(`  ${go(["answer", taskId, placeholder])}`);
  } else if (state === "failed" && message !== undefined) {
    text.push(`    ${style.red("✗")} ${terminalLine(spoken(message, t), 200)}`);
  } else if (state === "interrupted") {
    text.push(`  ${go(["resume", taskId])}`);
    if (task.isRequest) text.push(`  ${go(["queue", "remove", taskId])}`);
  } else if (task.seemsDone) {
    text.push(
      `    ${style.yellow("!")} ${t("seems to be done already; rooroo proceed asks first")}`,
    );
  } else if (state === "foreign") text.push(`  ${go(["adopt", taskId])}`);
  return text;
}
