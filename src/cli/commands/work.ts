import { messageOf } from "../../core/errors.js";
import type { JobRun } from "../../core/jobs/work/outerLoop.js";
import type { SessionOutcome } from "../../core/navigator/plainSession.js";
import type { Outcome } from "../../core/navigator/outcome.js";
import { findLayout } from "../../core/runs/runLayout.js";
import { TaskStore } from "../../core/navigator/taskStore.js";
import { chosenAnswer } from "./chosenAnswer.js";
import { commandRules } from "../session/commandRules.js";
import { placeholder } from "./commandWords.js";
import { contextTokens } from "../session/contextTokens.js";
import { exitCode } from "../terminal/exitCode.js";
import { FollowUps } from "../terminal/followUps.js";
import { goOn, type RunWork } from "./goOn.js";
import { HumanView } from "../terminal/humanView.js";
import { JsonView } from "../terminal/jsonView.js";
import { knownJob } from "./knownJob.js";
import { machine } from "../session/machine.js";
import { modelSettings } from "../session/modelSettings.js";
import { noApprover } from "../session/noApprover.js";
import type { Options } from "../session/options.js";
import { sandboxOption } from "../session/sandboxOption.js";
import { runJob } from "./runJob.js";
import { Session } from "../session/session.js";
import { signalExitCode, type StopSignal, stopOnSignals } from "../session/stopOnSignals.js";
import { taskNamed } from "./taskNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { TerminalApprover } from "../terminal/terminalApprover.js";
import { terminalText } from "../terminal/terminalText.js";
import type { WorkEnd } from "../terminal/workView.js";
import { webSettings } from "../session/webSettings.js";
import { workspaceRoot } from "../session/workspaceRoot.js";
import { WrongUse } from "./wrongUse.js";

export type Work =
  | { readonly type: "ask"; readonly text: string }
  | { readonly type: "proceed"; readonly one: boolean }
  /** `taskId` may be a unique end of a task's id. */
  | { readonly type: "answer"; readonly taskId: string; readonly text: string }
  | { readonly type: "resume"; readonly taskId: string }
  | ({ readonly type: "job" } & Omit<JobRun, "quota"> & { readonly quota: number | undefined })
  | ({ readonly type: "run" } & RunWork)
  /** One turn of a plain session. `session`: the id of the session to continue; `undefined`: a new one. */
  | { readonly type: "agent"; readonly text: string; readonly session: string | undefined };

type WorkOutcome = Outcome & Partial<SessionOutcome> & { readonly runId?: string };

/** Does one piece of work, and shows it as it happens. Resolves to the exit code. */
export async function work(given: Work, options: Options, terminal: Terminal): Promise<number> {
  const root = await workspaceRoot(options.workspace);
  const model = modelSettings(options, process.env);
  const web = webSettings(process.env);
  const window = contextTokens(process.env);
  const parts = machine(root, `rooroo ${given.type}`);
  const meant = await understand(
    given,
    new TaskStore(parts.files, parts.clock, parts.signer),
    parts,
  );

  const followUps = new FollowUps(options);
  const view =
    options.json === true
      ? new JsonView(terminal, followUps)
      : new HumanView(terminal, followUps, options.verbose === true);
  const session: Session = new Session({
    root,
    machine: parts,
    model,
    web,
    approve: options.approve,
    spend: { task: options.limitTask, day: options.limitDay },
    concurrency: options.concurrency,
    dialect: options.dialect,
    commands: commandRules(options),
    sandbox: sandboxOption(options, process.env),
    record: options.record === true,
    redactor: terminal.redactor,
    ...(window === undefined ? {} : { contextTokens: window }),
    approver: terminal.hasPerson ? new TerminalApprover(process.stdin, terminal) : noApprover,
    startRun: async (request) => {
      const layout = await findLayout(parts.files, undefined);
      const action = { type: "start", request, isSimple: false } as const;
      return goOn({ action, layout, directory: undefined }, session, followUps);
    },
    show: (event) => {
      view.show(event);
    },
    onJournalError: (error) => {
      terminal.printError(
        `! The conversation cannot be saved: ${terminalText(messageOf(error))}\n`,
      );
    },
  });

  const stop: { by?: StopSignal } = {};
  stopOnSignals((signal) => {
    stop.by = signal;
    terminal.printError("\nStopping… (once more to leave at once)\n");
    void session.stop();
  });
  // Jobs, runs and plain sessions do not depend on the recovery of tasks.
  if (meant.type === "answer" || meant.type === "resume") await session.start(meant.taskId);
  else if (meant.type === "ask" || meant.type === "proceed") await session.start();
  // Stopping ends only what already runs, so nothing may begin after it.
  const outcome: WorkOutcome =
    stop.by === undefined ? await perform(meant, session, followUps) : { status: "failed" };
  const { sessionId, runId } = outcome;
  if (sessionId !== undefined) followUps.offer(["agent", "--session", sessionId, placeholder]);
  const end = { ...endOf(outcome, stop.by), ...(runId === undefined ? {} : { runId }) };
  view.end(end);
  await session.flush();
  return end.exitCode;
}

/** Replaces an abbreviated task id, a job's name, and a number as answer by what the user means. */
async function understand(
  given: Work,
  store: TaskStore,
  { files }: Pick<ReturnType<typeof machine>, "files">,
): Promise<Work> {
  switch (given.type) {
    case "ask":
    case "proceed":
    case "agent":
    case "run":
      return given;
    case "job":
      return { ...given, name: (await knownJob(given.name, files)).name };
    case "resume":
      return { ...given, taskId: await taskNamed(given.taskId, files) };
    case "answer": {
      if (given.text.trim() === "") throw new WrongUse("The answer is empty. Say something.");
      const taskId = await taskNamed(given.taskId, files);
      const text = chosenAnswer(given.text, await store.readQuestion(taskId));
      return { type: "answer", taskId, text };
    }
  }
}

function perform(meant: Work, session: Session, followUps: FollowUps): Promise<WorkOutcome> {
  const { navigator } = session;
  switch (meant.type) {
    case "agent":
      return session.agent(meant.text, meant.session);
    case "job":
      return runJob(meant, session);
    case "run":
      return goOn(meant, session, followUps);
    case "ask":
      return navigator.say(meant.text);
    case "proceed":
      return navigator.proceed({ one: meant.one });
    case "answer":
      return navigator.answer(meant.taskId, meant.text);
    case "resume":
      return navigator.resume(meant.taskId);
  }
}

function endOf({ status }: Outcome, stopped: StopSignal | undefined): WorkEnd {
  // Work that was done, or that waited, before the signal came keeps that status.
  return status === "failed" && stopped !== undefined
    ? { status: "stopped", exitCode: signalExitCode(stopped) }
    : { status, exitCode: exitCode[status] };
}
