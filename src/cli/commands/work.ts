import type { Finding } from "../../core/conversation/events/finding.js";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { chosenAnswer } from "../../core/conversation/input/plainAnswer.js";
import type { ReviewedChanges } from "../../core/conversation/input/reviewedChanges.js";
import { messageOf } from "../../core/errors.js";
import type { ConversationId, RunId, TaskId } from "../../core/ids.js";
import type { Given } from "../../core/navigator/requests/givenRequests.js";
import type { SessionOutcome } from "../../core/navigator/running/plainSession.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import type { RunDecision } from "../../core/runs/decideRun.js";
import { findLayout, type RunLayout } from "../../core/runs/documents/runLayout.js";
import type { RunAction } from "../../core/runs/runAction.js";
import { placeholder } from "../../core/text/shellWord.js";
import { spoken } from "../../core/text/words.js";
import type { Beginning } from "../../core/work/requestedWork.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { givenSettings } from "../session/givenSettings.js";
import { type JobOrder, Session } from "../session/session.js";
import { workspaceRoot } from "../session/settings.js";
import { FollowUps } from "../terminal/followUps.js";
import { HumanView } from "../terminal/humanView.js";
import { createApprover } from "../terminal/terminalApprover.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import { JsonView, type WorkView } from "../terminal/workViews.js";
import { type Cli, exitCodeOf, type Result, type StopSignal, stopSignals } from "./command.js";
import { latestConversation } from "./conversations.js";
import { jobOf } from "./jobs.js";
import { ownRun, runFiles } from "./runs.js";
import { taskNamed } from "./tasks.js";

/** An action on runs, and where the runs are. */
interface RunWork {
  readonly action: RunAction;
  readonly layout: RunLayout;
  /** The runs' directory as the user named it; `undefined`: the usual one. */
  readonly directory: string | undefined;
}

export type Work =
  | {
      readonly type: "ask";
      readonly text: string;
      /** The conversation to go on with; `undefined`: a new one. */
      readonly conversation: ConversationId | undefined;
      readonly attachments: readonly Attachment[];
    }
  | {
      readonly type: "proceed";
      readonly one: boolean;
      readonly done?: "again" | "drop" | undefined;
    }
  /** `taskId` may be a unique end of a task's id. */
  | { readonly type: "answer"; readonly taskId: TaskId; readonly text: string }
  | { readonly type: "resume"; readonly taskId: TaskId }
  | { readonly type: "review"; readonly changes: ReviewedChanges }
  | ({ readonly type: "job" } & JobOrder)
  | ({ readonly type: "run" } & RunWork)
  /** A message to a plain session. `session`: the id of the session to continue; `undefined`: a new one. */
  | { readonly type: "agent"; readonly text: string; readonly session: string | undefined };

type WorkOutcome = Outcome & Partial<SessionOutcome> & { readonly runId?: RunId };

/** Works off the queue. Throws {@link WrongUse} if it is not known what becomes of tasks that seem to be done. */
export function proceed(
  { one, done }: { readonly one: boolean; readonly done: string | undefined },
  cli: Cli,
): Promise<Result> {
  if (done === undefined || done === "again" || done === "drop") {
    return work({ type: "proceed", one, done }, cli);
  }
  throw new WrongUse("doneUnknown", "--done takes again or drop, and not {given}.", {
    given: done,
  });
}

/** Does one piece of work, and shows it as it happens. Throws {@link WrongUse} if it cannot begin. */
export async function work(given: Work, cli: Cli): Promise<Result> {
  const { options, terminal } = cli;
  const root = await workspaceRoot(options.workspace);
  const followUps = new FollowUps(options);
  const view = options.json
    ? new JsonView(terminal, followUps)
    : new HumanView(terminal, followUps, options.verbose);
  const findings: Finding[] = [];
  const seen: WorkView["show"] = (event) => {
    if (event.type === "sessionEnded") findings.push(...(event.findings ?? []));
    view.show(event);
  };
  const services = localServices(root, `rooroo ${given.type}`);
  const session = await createSession(root, services, cli, followUps, seen);
  const work = await understand(given, services, cli);

  const stop: { by?: StopSignal } = {};
  stopOnSignals(cli.ended, (signal) => {
    stop.by = signal;
    terminal.printError(`\n${t("Stopping… (press Ctrl-C again to quit at once)")}\n`);
    void session.stop();
  });
  const asked = newRequest(work);
  const accepted =
    asked && (await session.accept(asked, "conversation" in work ? work.conversation : undefined));
  // Jobs, runs and plain sessions do not depend on the recovery of tasks.
  if (work.type === "ask") await session.start(work.conversation);
  else if (work.type === "review") await session.start();
  else if (work.type === "proceed") await session.start(await latestConversation(services));
  else if (work.type === "answer" || work.type === "resume") {
    const { files, clock, signer } = services;
    const own = await new TaskStore(files, clock, signer).conversationOf(work.taskId);
    await session.start(own ?? (await latestConversation(services)), work.taskId);
  }
  // Stopping ends only what already runs, so nothing may begin after it.
  const outcome: WorkOutcome =
    stop.by === undefined
      ? await orEnded(perform(work, session, followUps, accepted), accepted)
      : await orEnded(Promise.resolve({ status: "failed" }), accepted);
  const { sessionId, runId } = outcome;
  if (sessionId !== undefined) followUps.offer(["agent", "--session", sessionId, placeholder]);
  const hasError = findings.some(({ severity }) => severity === "error");
  const isRefused = work.type === "review" && hasError && outcome.status === "done";
  const end = endOf(isRefused ? { status: "failed" } : outcome, stop.by);
  view.end({
    status: end.end,
    exitCode: exitCodeOf(end),
    ...(runId === undefined ? {} : { runId }),
    ...(work.type === "review" ? { findings } : {}),
  });
  await session.flush();
  return end;
}

/**
 * Creates the session from the options, the environment and the user's own file of models. Throws {@link WrongUse} if
 * they do not name a model, or are invalid.
 */
export async function createSession(
  root: string,
  local: LocalServices,
  cli: Cli,
  followUps: FollowUps,
  show: WorkView["show"],
): Promise<Session> {
  const { options, terminal } = cli;
  const settings = await givenSettings(options, process.env);
  const session: Session = new Session({
    root,
    local,
    ...settings,
    ended: cli.ended,
    redactor: terminal.redactor,
    approver: createApprover(cli),
    onRun: async (action, directory, begun) => {
      const layout = await findLayout(local.files, directory);
      return workRun({ action, layout, directory }, session, followUps, begun);
    },
    show,
    onJournalError: (error) => {
      terminal.printError(
        `! ${t("The conversation cannot be saved: {0}", terminalText(messageOf(error)))}\n`,
      );
    },
  });
  return session;
}

/** An action on runs as the user gave it: `run` may be a unique end of an id, or absent. */
type GivenRunAction =
  | Extract<RunAction, { type: "start" }>
  | { readonly type: "resume"; readonly run: string | undefined }
  | { readonly type: "decide"; readonly run: string | undefined; readonly decision: RunDecision };

/** The status of the runs that a decision can be about. */
const decidedAt: Readonly<Record<RunDecision["type"], string>> = {
  CONFIRM: "AWAITING_CONFIRMATION",
  MODIFY: "AWAITING_CONFIRMATION",
  CANCEL: "AWAITING_CONFIRMATION",
  RETRY: "FAILED",
  SKIP: "FAILED",
};

/**
 * Carries out an action on a run. Throws {@link WrongUse} if the run is unknown or ambiguous.
 *
 * @param directory the runs' directory as the user named it; `undefined`: the usual one
 */
export async function workOnRun(
  given: GivenRunAction,
  directory: string | undefined,
  cli: Cli,
): Promise<Result> {
  const { store, layout, local } = await runFiles(directory, cli);
  const wanted = given.type === "decide" ? decidedAt[given.decision.type] : "PENDING";
  const runId = (run: string | undefined) =>
    ownRun(run, ({ status }) => status === wanted, store, local);
  const action: RunAction =
    given.type === "start"
      ? given
      : given.type === "resume"
        ? { type: "resume", runId: await runId(given.run) }
        : { type: "decide", runId: await runId(given.run), decision: given.decision };
  return work({ type: "run", action, layout, directory }, cli);
}

/**
 * Replaces an abbreviated task id and a number as answer by what the user means; tells what is wrong with
 * a job file.
 */
async function understand(
  given: Work,
  { files, clock, signer }: LocalServices,
  { terminal }: Cli,
): Promise<Work> {
  switch (given.type) {
    case "ask":
    case "proceed":
    case "review":
    case "agent":
    case "run":
      return given;
    case "job": {
      const { file, jobPath } = await jobOf(given.name, files);
      // A check that cannot be read would otherwise be missed only after a night.
      for (const { row, message } of file.problems) {
        const text = `${jobPath}:${row + 1}: ${spoken(message, t)}`;
        terminal.printError(`${terminal.errorStyle.yellow("!")} ${terminalLine(text, 200)}\n`);
      }
      return given;
    }
    case "resume":
      return { ...given, taskId: await taskNamed(given.taskId, files) };
    case "answer": {
      if (given.text.trim() === "")
        throw new WrongUse("answerTextMissing", "The answer is empty. Say something.");
      const taskId = await taskNamed(given.taskId, files);
      const store = new TaskStore(files, clock, signer);
      const text = chosenAnswer(given.text, (await store.readQuestion(taskId))?.suggestions);
      return { type: "answer", taskId, text };
    }
  }
}

function perform(
  work: Work,
  session: Session,
  followUps: FollowUps,
  accepted: Awaited<ReturnType<Session["accept"]>>,
): Promise<WorkOutcome> {
  const { navigator } = session;
  switch (work.type) {
    case "agent":
      return session.agent(work.text, work.session);
    case "job":
      return session.job(work, accepted);
    case "run":
      return workRun(work, session, followUps, accepted);
    case "ask":
      return session.say(work.text, work.attachments, { accepted });
    case "review":
      return session.review(work.changes);
    case "proceed":
      return session.proceed(work);
    case "answer":
      return navigator.answer(work.taskId, work.text);
    case "resume":
      return navigator.resume(work.taskId);
  }
}

/** Returns what the work comes to; the request is over then, however it ends. */
async function orEnded(
  work: Promise<WorkOutcome>,
  accepted: Beginning | undefined,
): Promise<WorkOutcome> {
  try {
    return await work;
  } finally {
    await accepted?.end();
  }
}

/** Returns the request for work that no file of its own shows yet; `undefined` for all else. */
function newRequest(work: Work): Given | undefined {
  switch (work.type) {
    case "ask":
      return { kind: "say", text: work.text, attachments: [...work.attachments] };
    case "run": {
      const { action, directory } = work;
      if (action.type !== "start") return undefined;
      const { request, isSimple } = action;
      return { kind: "run", run: { request, isSimple, directory } };
    }
    case "job": {
      const { name, runners, quota, most, until, waits, budget } = work;
      const limits = { most, until: until?.toISOString(), waits, budget };
      return { kind: "job", job: { name, runners, quota, ...limits } };
    }
    case "agent":
    case "answer":
    case "proceed":
    case "resume":
    case "review":
      return undefined;
  }
}

/** Carries out an action on runs, and offers the commands that can follow. */
async function workRun(
  { action, layout, directory }: RunWork,
  session: Session,
  followUps: FollowUps,
  begun: Beginning | undefined,
): Promise<Outcome & { readonly runId?: RunId }> {
  const { status, runId, canSkip } = await session.run(action, layout, begun);
  const place = directory === undefined ? [] : ["--directory", directory];
  const run = (...words: string[]) => ["run", ...words, ...place];
  if (runId !== undefined && status === "waiting") {
    followUps.offer(run("confirm", runId), run("modify", runId, placeholder), run("cancel", runId));
  }
  if (runId !== undefined && canSkip !== undefined) {
    followUps.offer(run("retry", runId), ...(canSkip ? [run("skip", runId)] : []));
  }
  const about = runId === undefined ? {} : { runId };
  if (status === "elsewhere") return { status: "waiting", ...about };
  if (status !== "stopped") return { status, ...about };
  if (runId !== undefined) followUps.offer(run("resume", runId));
  return { status: "failed", ...about };
}

/**
 * Calls `onStop` at the first signal that asks this process to end; the second signal ends the process at
 * once, and with it the commands that it started.
 *
 * @param ended aborts when signals are of no interest any more
 */
export function stopOnSignals(ended: AbortSignal, onStop: (signal: StopSignal) => void): void {
  let seen = false;
  for (const signal of stopSignals) {
    const stop = (): void => {
      if (seen) process.exit(exitCodeOf({ end: "stopped", signal }));
      seen = true;
      onStop(signal);
    };
    process.on(signal, stop);
    ended.addEventListener("abort", () => process.off(signal, stop));
  }
}

function endOf({ status }: Outcome, stopped: StopSignal | undefined): Result {
  // Work that was done, or that waited, before the signal came keeps that status.
  return status === "failed" && stopped !== undefined
    ? { end: "stopped", signal: stopped }
    : { end: status };
}
