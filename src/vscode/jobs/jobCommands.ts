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
import type { CommandHandlers } from "../work/commandHandlers.js";
import { joined } from "../work/row.js";
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

/**
 * Returns the commands for jobs. Each takes a tree row, a file's URI, a job's name or stem, or nothing. Each rejects
 * with a {@link UserError} if the job lacks what the command shows.
 */
export function jobCommands(dependencies: JobCommandDependencies) {
  const { workspace, places, runs, tree, reveal, settings, review } = dependencies;
  const open = async (path: string, line?: number, preserveFocus = false): Promise<void> => {
    const { folder, files } = workspace.require();
    await new OpenDocuments(folder, files).file(path, line, preserveFocus);
  };
  const rowOf = (argument: unknown) => tree.row(argument);
  const chooseJob = async (
    argument: unknown,
    fits: (job: JobOverview) => boolean = () => true,
  ): Promise<JobOverview | undefined> => {
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
  };

  /** Returns the task that a row shows; `undefined` for rows that show none. */
  const taskIdOf = (argument: unknown): string | undefined => {
    const { id = "", of = "" } = rowOf(argument) ?? {};
    const prefix = `task:${of}:`;
    return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
  };
  /** Returns the session whose place in the conversation a row stands for. */
  const sessionOf = (job: JobOverview, argument: unknown): string | undefined => {
    const task = tasksIn(job.roadmap).find(({ id }) => id === taskIdOf(argument));
    const row = rowOf(argument)?.id;
    const planner = job.runners.find(({ runner }) => row === `planner:${job.stem}:${runner}`);
    return planner?.taskId ?? task?.runner?.taskId ?? task?.sessions[0];
  };
  const hasSessions = (job: JobOverview) => job.sessions.length > 0;

  return {
    "rooroo.showJobReport": async (argument) => {
      const job = await chooseJob(argument, ({ logPath }) => logPath !== null);
      if (job === undefined) return;
      const { showJobReport } = await import("./jobReport.js");
      await showJobReport(job, workspace.require());
    },
    "rooroo.reviewJobChanges": async (argument) => {
      const job = await chooseJob(argument, hasSessions);
      if (job === undefined) return;
      const { reviewJobChanges } = await import("./jobChanges.js");
      await reviewJobChanges(job, taskIdOf(argument), review);
    },
    "rooroo.undoJobTask": async (argument) => {
      const job = await chooseJob(argument, hasSessions);
      if (job === undefined) return;
      const { undoJobTask } = await import("./jobChanges.js");
      await undoJobTask(job, taskIdOf(argument), review, await workspace.require().works.jobs());
    },
    "rooroo.showJob": async (argument) => {
      const job = await chooseJob(argument);
      if (job === undefined) return;
      const work = { kind: "job", name: job.name } as const;
      const { questionId } = rowOf(argument) ?? {};
      if (questionId !== undefined) {
        if (await places.showQuestion(questionId, work)) return;
        await vscode.commands.executeCommand("rooroo.answerJob" satisfies CommandId, argument);
        return;
      }
      const session = sessionOf(job, argument);
      if (session !== undefined && (await places.showSession(session, work))) return;
      if (taskIdOf(argument) === undefined && (await places.showWork(work))) return;
      const { path = job.logPath ?? job.jobPath, line } = rowOf(argument) ?? {};
      await open(path, line, true);
    },
    "rooroo.newJob": async () => {
      const session = workspace.require();
      const { askForJob } = await import("./jobDialogs.js");
      const asked = await askForJob(session.folder, await session.works.jobOverviews());
      if (asked !== undefined) await open(await runs.create(asked));
    },
    "rooroo.runJob": async (argument) => {
      const job = await chooseJob(argument, ({ state }) => state !== "running");
      if (job === undefined) return;
      const { askHowToRun } = await import("./jobDialogs.js");
      const run = await askHowToRun(job, settings.jobs);
      if (run === undefined) return;
      await reveal(`job:${job.stem}`);
      await runs.run(run);
    },
    "rooroo.stopJob": async (argument) => {
      const job = await chooseJob(argument, ({ state }) => state === "running");
      if (job) await runs.stop(job.name);
    },
    "rooroo.answerJob": async (argument, questionId) => {
      const id = rowOf(argument)?.questionId ?? questionId;
      const job = await chooseJob(argument, ({ questions }) =>
        questions.some(({ answer }) => answer === null),
      );
      if (job === undefined) return;
      const { chooseQuestion } = await import("./jobDialogs.js");
      const question = await chooseQuestion(job, typeof id === "string" ? id : undefined);
      if (question === undefined) return;
      const { text } = question;
      const answer = await answerQuestion({ questionId: question.id, text, suggestions: [] });
      if (answer === undefined) return;
      const session = workspace.require();
      await session.start();
      await (await session.works.jobs()).answer(question.id, answer);
    },
    "rooroo.openJobFile": async (argument) => {
      const { questionId, line } = rowOf(argument) ?? {};
      const job = await chooseJob(argument);
      if (job) await open(job.jobPath, questionId === undefined ? undefined : line);
    },
    "rooroo.openJobLog": async (argument) => {
      const { path, line, questionId } = rowOf(argument) ?? {};
      if (path !== undefined && questionId === undefined) return open(path, line);
      const job = await chooseJob(argument, ({ logPath }) => logPath !== null);
      if (!job) return;
      if (job.logPath === null) {
        throw new UserError(
          "jobLogMissing",
          "{job} has no log yet, because it has never been run.",
          { job: job.name },
        );
      }
      await open(job.logPath);
    },
  } satisfies CommandHandlers;
}

export type JobCommands = ReturnType<typeof jobCommands>;
