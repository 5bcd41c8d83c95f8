import { changeDiff } from "../../core/changes/hunks.js";
import type {
  MayWrite,
  ReviewedFile,
  TaskChanges,
  UndoneFile,
} from "../../core/changes/taskChanges.js";
import { earlierConversation } from "../../core/conversation/store/conversationFile.js";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import type { TaskId } from "../../core/ids.js";
import { sessionsOf, setTaskBack, undoable } from "../../core/jobs/undoTask.js";
import { TaskCommits } from "../../core/jobs/work/taskCommits.js";
import { recordUndone } from "../../core/navigator/recovery/undoTrace.js";
import { whileNotRunning } from "../../core/navigator/tasks/whileNotRunning.js";
import { translatable } from "../../core/text/translator.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { spoken } from "../../core/text/words.js";
import { lazyCommits } from "../../runtime/lazy.js";
import { localChanges } from "../../runtime/localChanges.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { localWorktrees } from "../../runtime/localWorktrees.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { coloredDiff, type Style } from "../terminal/style.js";
import { createApprover } from "../terminal/terminalApprover.js";
import { indented, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { jobOf } from "./jobs.js";
import { taskNamed } from "./tasks.js";

const undoneWords = {
  restored: translatable("restored"),
  removed: translatable("removed"),
  unchanged: translatable("unchanged"),
};

/** Shows the changes of a task that have been neither kept nor undone. */
export async function showChanges(task: string, cli: Cli): Promise<Result<never>> {
  const given = await servicesOf(cli, "rooroo changes");
  const taskId = await taskNamed(task, given.local.files);
  const services = { ...given, changes: await whereChanged(taskId, given, cli) };
  return changesOf([taskId], { taskId }, "task", services, cli);
}

/**
 * Shows what a job, or one of its tasks, has changed and nobody has kept or undone. Throws {@link WrongUse} if there is
 * no such job, and a `UserError` if it has no such task.
 */
export async function showJobChanges(
  { name, task }: { readonly name: string; readonly task: string | undefined },
  cli: Cli,
): Promise<Result<never>> {
  const services = await servicesOf(cli, "rooroo job changes");
  const job = await jobOf(name, services.local.files);
  const ids = sessionsOf(job, task);
  const told = { job: job.name, ...(task === undefined ? {} : { task }) };
  return changesOf(ids, told, task === undefined ? "job" : "task", services, cli);
}

/**
 * Undoes a task's changes of files, and says which files it left alone and why. Asks at the terminal about
 * protected files.
 */
export async function undoTask(task: string, cli: Cli): Promise<Result<"waiting">> {
  const services = await servicesOf(cli, "rooroo undo");
  const { local } = services;
  const taskId = await taskNamed(task, local.files);
  const changes = await whereChanged(taskId, services, cli);
  const damage = await changes.damage([taskId]);
  const asking = askToWrite(taskId, { local }, cli);
  const undone = await whileNotRunning([taskId], local.lock, () =>
    changes.undo(taskId, asking.mayWrite),
  );
  const events = await recordUndone(
    undone.map((one) => ({ ...one, taskId })),
    local,
  );
  const conversations = new ConversationStore(local.files, local.signer, () => undefined);
  for (const { event, conversation = earlierConversation } of events) {
    conversations.append(conversation, event);
  }
  await conversations.flush();
  return undoneResult(undone, { told: { taskId }, damage, waits: asking.waits }, cli);
}

/**
 * Undoes what a job's task has changed, and sets the task back. Throws {@link WrongUse} if there is no such job, and a
 * `UserError` if the task cannot be undone.
 */
export async function undoJobTask(
  { name, task }: { readonly name: string; readonly task: string },
  cli: Cli,
): Promise<Result<"waiting">> {
  const { root, local, changes } = await servicesOf(cli, "rooroo job undo");
  const { files, lock, clock } = local;
  const job = await jobOf(name, files);
  const { task: item, sessions } = undoable(job, task);
  const damage = await changes.damage(sessions);
  const asking = askToWrite(task, { local }, cli);
  const undone: UndoneFile[] = [];
  for (const session of sessions) undone.push(...(await changes.undo(session, asking.mayWrite)));
  const isSetBack = await setTaskBack(job, item, undone, { files, lock, clock });
  const commits = new TaskCommits(job, { ...local, commits: lazyCommits(root) });
  const problems = isSetBack && job.file.isCommitted ? await commits.settle() : [];
  const told = { job: job.name, task, isSetBack, problems };
  const more = [
    ...(isSetBack
      ? [`${t("Task {0} is Pending again, and the log says so.", terminalText(task))}\n`]
      : []),
    ...problems.map((problem) => `${terminalText(problem)}\n`),
  ].join("");
  return undoneResult(undone, { told, damage, waits: asking.waits, more }, cli);
}

interface Services {
  readonly root: string;
  readonly local: LocalServices;
  readonly changes: TaskChanges;
}

/** Returns what the commands about changes work with. */
export async function servicesOf({ options }: Cli, label: string): Promise<Services> {
  const root = await workspaceRoot(options.workspace);
  const local = localServices(root, label);
  return { root, local, changes: localChanges(root, local) };
}

/** Returns a task's changes: those in the worktree of its plan, if that has one. */
async function whereChanged(
  taskId: TaskId,
  { root, local, changes }: Services,
  { terminal }: Cli,
): Promise<TaskChanges> {
  const plans = localWorktrees({ root, local, redactor: terminal.redactor });
  return (await plans.changesOf(taskId)) ?? changes;
}

/** @param told what `--json` says besides the files */
async function changesOf(
  taskIds: readonly TaskId[],
  told: object,
  whose: "task" | "job",
  { changes }: Services,
  { terminal }: Cli,
): Promise<Result<never>> {
  const reviewed = await changes.files(taskIds);
  const damage = await changes.damage(taskIds);
  const json = () => ({
    ...told,
    files: reviewed.map((file) => ({
      path: file.path,
      kind: kindOf(file),
      ...(file.modes ? { modes: file.modes } : {}),
      ...(file.problem === undefined
        ? { diff: changeDiff(file.path, file.before, file.now) }
        : { problem: file.problem.message, code: file.problem.code }),
    })),
    damage,
  });
  const text = () => {
    if (reviewed.length === 0 && damage.length === 0) {
      return `${whose === "job" ? t("There are no changes of this job to review.") : t("There are no changes of this task to review.")}\n`;
    }
    const { style } = terminal;
    return damageText(damage, style) + reviewed.map((file) => changeText(file, style)).join("");
  };
  return { end: damage.length > 0 && reviewed.length === 0 ? "failed" : "done", json, text };
}

/** Returns how the terminal is asked about protected files, and whether nobody was there to be asked. */
export function askToWrite(
  taskId: TaskId,
  { local }: Pick<Services, "local">,
  cli: Cli,
): { mayWrite: MayWrite; waits: () => boolean } {
  const approver = createApprover(cli);
  const never = new AbortController().signal;
  let waits = false;
  const mayWrite: MayWrite = async (action) => {
    const request = {
      approvalId: `a-${local.ids.hex(12)}`,
      taskId,
      callId: "undo",
      action,
      why: t("It controls tools, editors or agents, or is outside the workspace."),
      options: [],
    };
    const decision = await approver.request(request, never);
    waits ||= decision.type === "unavailable";
    return decision.type === "allowed";
  };
  return { mayWrite, waits: () => waits };
}

interface Undoing {
  /** Fields that `--json` prints beside the list of files. */
  readonly told: object;
  readonly damage: readonly string[];
  /** Whether nobody was there to be asked. */
  readonly waits: () => boolean;
  /** The text to print after the files. */
  readonly more?: string;
}

function undoneResult(
  undone: readonly UndoneFile[],
  { told, damage, waits, more = "" }: Undoing,
  cli: Cli,
): Result<"waiting"> {
  const json = () => ({
    ...told,
    files: undone.map(({ path, ...file }) =>
      file.type === "left"
        ? {
            path,
            type: file.type,
            why: file.why,
            words: file.problem.message,
            code: file.problem.code,
          }
        : { path, ...file },
    ),
    damage,
  });
  const text = () => {
    if (undone.length === 0 && damage.length === 0) {
      return `${t("There are no changes of this task to undo.")}\n`;
    }
    const { style } = cli.terminal;
    const files = undone.map((file) => undoneText(file, style)).join("");
    return damageText(damage, style) + files + more;
  };
  const isAll = damage.length === 0 && undone.every(({ type }) => type !== "left");
  return { end: waits() ? "waiting" : isAll ? "done" : "failed", json, text };
}

function damageText(damage: readonly string[], { yellow }: Style): string {
  return damage.map((words) => `${yellow("!")} ${terminalText(words)}\n`).join("");
}

function changeText(file: ReviewedFile, style: Style): string {
  const path = shownPath(file);
  const head = `${style.bold(path)}  ${t(kindOf(file))}${modesOf(file)}\n`;
  if (file.problem !== undefined) {
    return `${head}  ${style.yellow("!")} ${terminalText(spoken(file.problem, t))}\n`;
  }
  return head + coloredDiff(terminalText(changeDiff(file.path, file.before, file.now)), style);
}

/** Returns a file's path on one line: a line break in it must not make what looks like another file's. */
function shownPath({ path }: { readonly path: string }): string {
  return visibleLine(path, 4_096);
}

function undoneText(file: UndoneFile, style: Style): string {
  const path = shownPath(file);
  if (file.type !== "left") return `${style.green("✓")} ${path} ${t(undoneWords[file.type])}\n`;
  const head = `${style.yellow("!")} ${t("{0} was not changed. {1}", path, terminalText(spoken(file.problem, t)))}\n`;
  if (!file.since) return head;
  const diff = terminalText(changeDiff(file.path, file.since.left, file.since.now));
  return head + indented(coloredDiff(diff, style), "    ");
}

function kindOf({ before, now, problem }: ReviewedFile): "added" | "removed" | "changed" {
  if (problem !== undefined || (before && now)) return translatable("changed");
  return before ? translatable("removed") : translatable("added");
}

function modesOf({ modes }: ReviewedFile): string {
  return modes
    ? `, ${t("permissions {0} → {1}", modes.before.toString(8), modes.now.toString(8))}`
    : "";
}
