import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import { UserError } from "../../core/errors.js";
import type { JobName } from "../../core/ids.js";
import type { NewJob } from "../../core/jobs/documents/jobFolder.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { JobOrder } from "../../core/jobs/work/outerLoop.js";
import type { ChangeReview } from "../changes/changeReview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { answerQuestion, choose, namedBy } from "../work/choose.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import { joined, type Row } from "../work/row.js";
import { foreignMark, stateLook } from "../work/rowLooks.js";
import type { RowTree } from "../work/rowTree.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import { jobStemOf } from "./jobDocuments.js";
import { tasksIn } from "./roadmapTasks.js";

/** What the commands need of the window around the jobs. */
export interface JobCommandSurroundings {
  /** Reveals and selects a row of a job. */
  readonly reveal: (row: string) => Promise<void>;
  readonly review: ChangeReview;
}

/** What runs jobs in this window. */
interface JobsHere {
  create(job: NewJob): Promise<string>;
  run(run: JobOrder): Promise<void>;
  stop(name: JobName): Promise<void>;
}

interface JobCommandDependencies extends JobCommandSurroundings {
  readonly workspace: CurrentWorkspace;
  readonly places: ConversationPlaces;
  readonly runs: JobsHere;
  readonly tree: RowTree;
  readonly settings: Settings;
}

type JobHandler = ContextHandler<JobCommandDependencies>;

/** Returns a command for one job, which reads the jobs from the files when it is called. */
function withJob(
  fits: (job: JobOverview) => boolean,
  work: (context: JobCommandDependencies, job: JobOverview, row: Row | undefined) => Promise<void>,
): JobHandler {
  return async (context, argument) => {
    const row = context.tree.row(argument);
    const job = await chooseJob(context, argument, fits);
    if (job) await work(context, job, row);
  };
}

const any = () => true;
const hasSessions = ({ sessions }: JobOverview) => sessions.length > 0;
const hasLog = ({ logPath }: JobOverview) => logPath !== null;

const openLog = withJob(hasLog, async ({ workspace }, { logPath, name }) => {
  if (logPath === null) {
    throw new UserError(
      "jobLogMissing",
      "{job} has no log yet, because it has never been run. Run it first.",
      {
        job: name,
      },
    );
  }
  await new OpenDocuments(workspace.require()).file(logPath);
});

const showJob: JobHandler = async (context, argument) => {
  const { places, workspace, tree } = context;
  const job = await chooseJob(context, argument, any);
  if (job === undefined) return;
  const work = { kind: "job", name: job.name } as const;
  const row = tree.row(argument);
  if (row?.questionId !== undefined) {
    if (await places.showQuestion(row.questionId, work)) return;
    await vscode.commands.executeCommand("rooroo.answerJob" satisfies CommandId, argument);
    return;
  }
  const session = sessionOf(job, row);
  if (session !== undefined && (await places.showSession(session, work))) return;
  if (taskIdOf(row) === undefined && (await places.showWork(work))) return;
  const { path = job.logPath ?? job.jobPath, line } = row ?? {};
  await new OpenDocuments(workspace.require()).file(path, line, true);
};

const answerJob: JobHandler = async (context, argument, questionId) => {
  const id = context.tree.row(argument)?.questionId ?? questionId;
  const job = await chooseJob(context, argument, ({ questions }) =>
    questions.some(({ answer }) => answer === null),
  );
  if (job === undefined) return;
  const { chooseQuestion } = await import("./jobDialogs.js");
  const question = await chooseQuestion(job, typeof id === "string" ? id : undefined);
  if (question === undefined) return;
  const { text } = question;
  const answer = await answerQuestion({ questionId: question.id, text, suggestions: [] });
  if (answer === undefined) return;
  const session = context.workspace.require();
  await session.start();
  await (await session.works.jobs()).answer(question.id, answer);
};

const table = {
  "rooroo.showJobReport": withJob(hasLog, async ({ workspace }, job) => {
    const { showJobReport } = await import("./jobReport.js");
    await showJobReport(job, workspace.require());
  }),
  "rooroo.reviewJobChanges": withJob(hasSessions, async ({ review }, job, row) => {
    const { reviewJobChanges } = await import("./jobChanges.js");
    await reviewJobChanges(job, taskIdOf(row), review);
  }),
  "rooroo.undoJobTask": withJob(hasSessions, async ({ review, workspace }, job, row) => {
    const { undoJobTask } = await import("./jobChanges.js");
    await undoJobTask(job, taskIdOf(row), review, await workspace.require().works.jobs());
  }),
  "rooroo.showJob": showJob,
  "rooroo.newJob": async ({ workspace, runs }) => {
    const session = workspace.require();
    const { askForJob } = await import("./jobDialogs.js");
    const asked = await askForJob(session.folder, await session.works.jobOverviews());
    if (asked === undefined) return;
    const path = await runs.create(asked);
    await new OpenDocuments(workspace.require()).file(path);
  },
  "rooroo.runJob": withJob(
    ({ state }) => state !== "running",
    async ({ settings, reveal, runs }, job) => {
      const { askHowToRun } = await import("./jobDialogs.js");
      const run = await askHowToRun(job, settings.jobs);
      if (run === undefined) return;
      await reveal(`job:${job.stem}`);
      await runs.run(run);
    },
  ),
  "rooroo.stopJob": withJob(
    ({ state }) => state === "running",
    ({ runs }, { name }) => runs.stop(name),
  ),
  "rooroo.answerJob": answerJob,
  "rooroo.openJobFile": withJob(any, async ({ workspace }, { jobPath }, row) => {
    const line = row?.questionId === undefined ? undefined : row.line;
    await new OpenDocuments(workspace.require()).file(jobPath, line);
  }),
  "rooroo.openJobLog": async (context, argument) => {
    const { path, line, questionId } = context.tree.row(argument) ?? {};
    if (path === undefined || questionId !== undefined) return openLog(context, argument);
    await new OpenDocuments(context.workspace.require()).file(path, line);
  },
} satisfies CommandTable<JobCommandDependencies>;

/**
 * Returns the commands for jobs. Each takes a tree row, a file's URI, a job's name or stem, or nothing. Each rejects
 * with a {@link UserError} if the job lacks what the command shows.
 */
export function jobCommands(dependencies: JobCommandDependencies) {
  return bound(table, dependencies);
}

export type JobCommands = ReturnType<typeof jobCommands>;

async function chooseJob(
  { workspace, tree }: JobCommandDependencies,
  argument: unknown,
  fits: (job: JobOverview) => boolean,
): Promise<JobOverview | undefined> {
  const session = workspace.require();
  const jobs = await session.works.jobOverviews();
  const named = namedBy(argument, {
    tree,
    inFile: (uri) => jobStemOf(uri, session.folder),
    fits: (stem) => jobs.some((job) => job.stem === stem && fits(job)),
  });
  return choose(jobs, named, {
    fits,
    names: ({ stem, name }) => [stem, name],
    show: (job) => ({
      label: job.name,
      description: joined(
        t("{0}% · {1}", job.progress, stateLook(job.state, t).text),
        foreignMark(job, t)?.text ?? "",
      ),
      detail: job.title ?? job.jobPath,
    }),
    placeHolder: t("Select a job"),
    unknown: (job) =>
      new UserError("jobUnknown", "There is no job {job} in this workspace.", { job }),
    none: () => new UserError("noJobApplies", "There is no job that this command applies to."),
    takesOnly: ({ isForeign }) => !isForeign,
  });
}

/** Returns the task that a row shows; `undefined` for rows that show none. */
function taskIdOf(row: Row | undefined): string | undefined {
  const { id = "", of = "" } = row ?? {};
  const prefix = `task:${of}:`;
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}

/** Returns the session whose place in the conversation a row stands for. */
function sessionOf(job: JobOverview, row: Row | undefined): string | undefined {
  const task = tasksIn(job.roadmap).find(({ id }) => id === taskIdOf(row));
  const planner = job.runners.find(({ runner }) => row?.id === `planner:${job.stem}:${runner}`);
  return planner?.taskId ?? task?.runner?.taskId ?? task?.sessions[0];
}
