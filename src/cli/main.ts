#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { messageOf, UserError } from "../core/errors.js";
import { exitCode } from "./terminal/exitCode.js";
import { createProgram, type Handlers } from "./program.js";
import { Terminal } from "./terminal/terminal.js";
import { terminalText } from "./terminal/terminalText.js";
import { WrongUse } from "./commands/wrongUse.js";

// The shell grammar runs only a few times in a process: optimising its code costs ten times what it saves.
setFlagsFromString("--liftoff-only");

const { stdin, stdout, stderr, env, argv } = process;
const terminal = new Terminal(stdout, stderr, stdin, env);

/** Each handler loads its part of the program when it is called, so that small commands start at once. */
const handlers: Handlers = {
  async ask(words, options) {
    const { readInput } = await import("./terminal/readInput.js");
    const { work } = await import("./commands/work.js");
    return work({ type: "ask", text: await readInput(words, stdin) }, options, terminal);
  },
  async proceed(one, options) {
    const { work } = await import("./commands/work.js");
    return work({ type: "proceed", one }, options, terminal);
  },
  async answer(taskId, words, options) {
    const [{ readInput }, { answerJob }] = await Promise.all([
      import("./terminal/readInput.js"),
      import("./commands/answerJob.js"),
    ]);
    const text = await readInput(words, stdin);
    const answered = await answerJob(taskId, text, options, terminal);
    if (answered !== undefined) return answered;
    const { work } = await import("./commands/work.js");
    return work({ type: "answer", taskId, text }, options, terminal);
  },
  async resume(taskId, options) {
    const { work } = await import("./commands/work.js");
    return work({ type: "resume", taskId }, options, terminal);
  },
  async adopt(taskId, options) {
    const { adopt } = await import("./commands/adopt.js");
    return adopt(taskId, options, terminal);
  },
  async changes(taskId, options) {
    const { showChanges } = await import("./commands/showChanges.js");
    return showChanges(taskId, options, terminal);
  },
  async undo(taskId, options) {
    const [{ undoTask }, { noApprover }, { TerminalApprover }] = await Promise.all([
      import("./commands/undoTask.js"),
      import("./session/noApprover.js"),
      import("./terminal/terminalApprover.js"),
    ]);
    const approver = terminal.hasPerson ? new TerminalApprover(stdin, terminal) : noApprover;
    return undoTask(taskId, approver, options, terminal);
  },
  async agent(words, session, options) {
    const { readInput } = await import("./terminal/readInput.js");
    const { work } = await import("./commands/work.js");
    return work({ type: "agent", text: await readInput(words, stdin), session }, options, terminal);
  },
  async doctor(options) {
    const { doctor } = await import("./commands/doctor.js");
    return doctor(options, terminal);
  },
  async status(options) {
    const { showStatus } = await import("./commands/showStatus.js");
    return showStatus(options, terminal);
  },
  async listQueue(options) {
    const { listQueue } = await import("./commands/listQueue.js");
    return listQueue(options, terminal);
  },
  async changeQueue(change, options) {
    const { changeQueue } = await import("./commands/changeQueue.js");
    return changeQueue(change, options, terminal);
  },
  async listApprovals(options) {
    const { listApprovals } = await import("./commands/listApprovals.js");
    return listApprovals(options, terminal);
  },
  async revokeApprovals(ids, options) {
    const { revokeApprovals } = await import("./commands/revokeApprovals.js");
    return revokeApprovals(ids, options, terminal);
  },
  async listModels(options) {
    const { listModels } = await import("./commands/listModels.js");
    return listModels(options, terminal);
  },
  async testModel(options) {
    const { testConnection } = await import("./commands/testConnection.js");
    return testConnection(options, terminal);
  },
  async validateQueue(file, options) {
    const { validateQueue } = await import("./commands/validateQueue.js");
    return validateQueue(file, options, terminal);
  },
  async validateEnvelope(file, previousPlan, options) {
    const { validateEnvelope } = await import("./commands/validateEnvelope.js");
    return validateEnvelope(file, previousPlan, options, terminal);
  },
  async validateReport(file, options) {
    const { validateReport } = await import("./commands/validateReport.js");
    return validateReport(file, options, terminal);
  },
  async validateJobLog(files, options) {
    const { validateJobLog } = await import("./commands/validateJobLog.js");
    return validateJobLog(files, options, terminal);
  },
  async validateRunTables(files, options) {
    const { validateRunTables } = await import("./commands/validateRunTables.js");
    return validateRunTables(files, options, terminal);
  },
  async listJobs(options) {
    const { listJobs } = await import("./commands/listJobs.js");
    return listJobs(options, terminal);
  },
  async showJob(name, options) {
    const { showJob } = await import("./commands/showJob.js");
    return showJob(name, options, terminal);
  },
  async newJob(name, given, options) {
    const { newJob } = await import("./commands/newJob.js");
    return newJob(name, given, options, terminal);
  },
  async runJob(name, given, options) {
    const { work } = await import("./commands/work.js");
    return work({ type: "job", name, ...given }, options, terminal);
  },
  async stopJob(name, options) {
    const { stopJob } = await import("./commands/stopJob.js");
    return stopJob(name, options, terminal);
  },
  async startRun(words, { directory, isSimple }, options) {
    const { readInput } = await import("./terminal/readInput.js");
    const { workOnRun } = await import("./commands/workOnRun.js");
    const request = await readInput(words, stdin);
    return workOnRun({ type: "start", request, isSimple }, directory, options, terminal);
  },
  async decideRun(run, signal, { directory }, options) {
    const { workOnRun } = await import("./commands/workOnRun.js");
    return workOnRun({ type: "decide", run, signal }, directory, options, terminal);
  },
  async resumeRun(run, { directory }, options) {
    const { workOnRun } = await import("./commands/workOnRun.js");
    return workOnRun({ type: "resume", run }, directory, options, terminal);
  },
  async cancelRun(run, { directory }, options) {
    const { cancelRun } = await import("./commands/cancelRun.js");
    return cancelRun(run, directory, options, terminal);
  },
  async listRuns({ directory }, options) {
    const { listRuns } = await import("./commands/listRuns.js");
    return listRuns(directory, options, terminal);
  },
  async showRun(run, { directory }, options) {
    const { showRun } = await import("./commands/showRun.js");
    return showRun(run, directory, options, terminal);
  },
  async explain(line, options) {
    const { explain } = await import("./terminal/explain.js");
    return explain(line, options, terminal);
  },
};

async function main(): Promise<number> {
  const end: { code: number } = { code: exitCode.done };
  try {
    await createProgram(handlers, (code) => (end.code = code)).parseAsync(argv);
  } catch (error) {
    // Commander has already printed what is wrong; help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.wrongUse;
    terminal.printError(`rooroo: ${terminalText(explained(error))}\n`);
    return error instanceof WrongUse ? exitCode.wrongUse : exitCode.failed;
  }
  return end.code;
}

function explained(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const stack = error instanceof Error && argv.includes("--verbose") ? error.stack : undefined;
  return (
    stack ?? `Something went wrong in Rooroo itself: ${messageOf(error)} (--verbose says more)`
  );
}

void main().then(async (code) => {
  await terminal.flush();
  // Connections that a server keeps open must not keep a finished command from ending.
  process.exit(code);
});
