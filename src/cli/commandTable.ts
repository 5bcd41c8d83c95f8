import type { SettingDefault } from "../contributions/settings.js";
import type { RestoreScope } from "../core/conversation/events/events.js";
import { parseMoment } from "../core/text/parseMoment.js";
import { translatable } from "../core/text/translator.js";
import { flag, type OptionEntry, repeatable, text, wholeNumber } from "./arguments/optionEntry.js";
import { limit } from "./arguments/options.js";
import { WrongUse } from "./arguments/wrongUse.js";
import { command, readInput } from "./commands/command.js";

/** Descriptions of the words that several commands begin with, for the help. */
export const groups: Readonly<Record<string, string>> = {
  conversations: translatable("list, show, rename, delete and export conversations"),
  plan: translatable(
    "plans that work in a worktree of their own, or on other machines: list, send, land, discard",
  ),
  queue: translatable("show and change the task queue"),
  git: translatable("allow a repository's git settings that may run programs"),
  mcp: translatable("show the MCP servers whose tools experts may use"),
  model: translatable("list the server's models and your profiles, and test a model"),
  approvals: translatable("manage permissions that you granted permanently"),
  validate: translatable("check files and report problems with their lines"),
  job: translatable("create, run, show and stop jobs: long, unattended work"),
  run: translatable("start, confirm, show and resume runs: document work in phases"),
};

const directory = text(
  "--directory <folder>",
  "folder of the runs (default: the workspace if it has db/process_runs.md, else multiverse)",
);

const until: OptionEntry<Date | undefined> = {
  flags: "--until <time>",
  description: "start no new work at or after this time, such as 07:00",
  default: undefined,
  parse: parseTime,
};

const database = text(
  "--db <url>",
  "address of the team's PostgreSQL (default: $ROOROO_TEAM_DATABASE)",
);

const restoreScope: OptionEntry<RestoreScope> = {
  flags: "--what <what>",
  description: "what is restored",
  choices: ["both", "files", "conversation"],
  default: "both",
};

/**
 * The commands of the command line, in the order of the help. A command's code is loaded when it runs, so that
 * small commands start at once.
 */
export const commands = [
  command({
    words: "ask <words...>",
    description:
      "send a request to the Navigator; - reads it from standard input, else that is attached",
    options: {
      conversation: text("--conversation <id>", "go on with this conversation"),
      continue: flag("--continue", "go on with the latest conversation"),
      attach: repeatable(
        "--attach <path>",
        "file, as in src/cart.js:10-20, folder or image that goes with it",
      ),
    },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ words, attach, ...which }, cli) => {
      const { requestAttachments } = await import("./commands/attach.js");
      const attachments = await requestAttachments(words, attach, cli);
      const { work } = await import("./commands/work.js");
      const { conversationToGoOnWith } = await import("./commands/conversations.js");
      const conversation = await conversationToGoOnWith(which, cli);
      const text = await readInput(words, cli);
      return work({ type: "ask", text, attachments, conversation }, cli);
    },
  }),
  command({
    words: "proceed",
    description: "run the queued tasks",
    options: {
      one: flag("--one", "run only the first task"),
      done: text("--done <what>", "tasks that seem done: again or drop"),
    },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async (given, cli) => (await import("./commands/work.js")).proceed(given, cli),
  }),
  command({
    words: "answer <task> <words...>",
    description: "answer the question of a task or a job, with text or the number of a suggestion",
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ task, words }, cli) => {
      const answer = await readInput(words, cli);
      const { answerJob } = await import("./commands/jobs.js");
      const answered = await answerJob(task, answer, cli);
      if (answered !== undefined) return answered;
      const { answerAway, isTaskAway } = await import("./commands/team.js");
      if (await isTaskAway(task, cli)) return answerAway(task, answer, undefined, cli);
      const { work } = await import("./commands/work.js");
      return work({ type: "answer", taskId: task, text: answer }, cli);
    },
  }),
  command({
    words: "approve <task>",
    description: "allow what a task on another machine asks to do, this once",
    options: { db: database },
    run: async ({ task, db }, cli) => {
      const { decide } = await import("./commands/team.js");
      return decide(task, true, db, cli);
    },
  }),
  command({
    words: "deny <task>",
    description: "deny what a task on another machine asks to do",
    options: {
      db: database,
      why: text("--why <words>", "why, or what to do instead; the expert reads it"),
    },
    run: async ({ task, db, why }, cli) => {
      const { decide } = await import("./commands/team.js");
      const reason = why?.trim() ?? "";
      return decide(task, reason === "" ? false : { deniedBecause: reason }, db, cli);
    },
  }),
  command({
    words: "tell <task> <words...>",
    description:
      "tell the expert at work on a task, a job or a run something, from another terminal",
    run: async ({ task, words }, cli) => {
      const text = await readInput(words, cli);
      const { tell } = await import("./commands/tell.js");
      return tell(task, text, cli);
    },
  }),
  command({
    words: "resume <task>",
    description: "resume a task that was interrupted or is awaiting approval",
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ task }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "resume", taskId: task }, cli);
    },
  }),
  command({
    words: "adopt [task]",
    description: "adopt external tasks, which came with the folder",
    json: "lines",
    run: async ({ task }, cli) => {
      const { adopt } = await import("./commands/tasks.js");
      return adopt(task, cli);
    },
  }),
  command({
    words: "changes <task>",
    description: "show the changes of a task, file by file",
    run: async ({ task }, cli) => {
      const { showChanges } = await import("./commands/changes.js");
      return showChanges(task, cli);
    },
  }),
  command({
    words: "undo <task>",
    description: "undo the changes of a task, except in files that have changed since",
    ends: ["waiting"],
    run: async ({ task }, cli) => {
      const { undoTask } = await import("./commands/changes.js");
      return undoTask(task, cli);
    },
  }),
  command({
    words: "restore [checkpoint]",
    description:
      "restore files and conversation to before one of your messages, or a task of a plan; without one, list them",
    options: {
      conversation: text("--conversation <id>", "the conversation; otherwise the latest"),
      what: restoreScope,
      yes: flag("--yes", "do it; otherwise only show what would change"),
      undo: flag("--undo", "undo the last restore"),
    },
    ends: ["waiting"],
    run: async (given, cli) => {
      const { restore } = await import("./commands/restore.js");
      return restore(given, cli);
    },
  }),
  command({
    words: "review",
    description:
      "have the analyzer review your changes, and print its findings; fails if one is an error",
    options: {
      staged: flag(
        "--staged",
        "review what is staged; otherwise all changes since the last commit",
      ),
      base: text("--base <revision>", "review all changes since this branch left that one"),
    },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ staged, base }, cli) => {
      if (staged && base !== undefined) {
        throw new WrongUse(
          "stagedWithBase",
          "--staged and --base contradict each other. Give one of them.",
        );
      }
      const { reviewedChanges } = await import("./commands/reviewedChanges.js");
      const changes = reviewedChanges(staged, base);
      const { work } = await import("./commands/work.js");
      return work({ type: "review", changes }, cli);
    },
  }),
  command({
    words: "commit-message",
    description:
      "write a commit message for what is staged or, if nothing is, for what has changed; commits nothing",
    run: async (_given, cli) => {
      const { printCommitMessage } = await import("./commands/commitMessage.js");
      return printCommitMessage(cli);
    },
  }),
  command({
    words: "agent <words...>",
    description: "work with a single agent that uses envelopes, without experts or queue",
    options: { session: text("--session <id>", "continue this session") },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ words, session }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "agent", text: await readInput(words, cli), session }, cli);
    },
  }),
  command({
    words: "acp",
    description: "work for an editor by the Agent Client Protocol, on standard input and output",
    ends: ["stopped"],
    run: async (_given, cli) => {
      const { acp } = await import("./commands/acp.js");
      return acp(cli);
    },
  }),
  command({
    words: "doctor",
    description: "check this machine: programs, sandbox, model and workspace",
    run: async (_given, cli) => {
      const { doctor } = await import("./commands/doctor.js");
      return doctor(cli);
    },
  }),
  command({
    words: "status",
    description: "show the tasks by their state",
    run: async (_given, cli) => {
      const { showStatus } = await import("./commands/status.js");
      return showStatus(cli);
    },
  }),
  command({
    words: "conversations list [words...]",
    description: "list the conversations, or those that have all of the words, the latest first",
    run: async ({ words }, cli) => {
      const { listConversations } = await import("./commands/conversations.js");
      return listConversations(words, cli);
    },
  }),
  command({
    words: "conversations show <conversation>",
    description: "show a conversation as text",
    run: async ({ conversation }, cli) => {
      const { showConversation } = await import("./commands/conversations.js");
      return showConversation(conversation, cli);
    },
  }),
  command({
    words: "conversations rename <conversation> <title...>",
    description: "give a conversation a title",
    run: async ({ conversation, title }, cli) => {
      const { renameConversation } = await import("./commands/conversations.js");
      return renameConversation(conversation, title.join(" "), cli);
    },
  }),
  command({
    words: "conversations delete <conversation>",
    description: "delete a conversation; the tasks that were started in it stay",
    run: async ({ conversation }, cli) => {
      const { deleteConversation } = await import("./commands/conversations.js");
      return deleteConversation(conversation, cli);
    },
  }),
  command({
    words: "conversations export <conversation>",
    description: "print a conversation as Markdown",
    run: async ({ conversation }, cli) => {
      const { exportConversation } = await import("./commands/conversations.js");
      return exportConversation(conversation, cli);
    },
  }),
  command({
    words: "plan list",
    description: "list the plans in worktrees, with their conflicts, and what is left over",
    run: async (_given, cli) => {
      const { listPlans } = await import("./commands/plans.js");
      return listPlans(cli);
    },
  }),
  command({
    words: "plan diff <plan>",
    description: "show what landing a plan would change in the folder",
    run: async ({ plan }, cli) => {
      const { showPlanChanges } = await import("./commands/plans.js");
      return showPlanChanges(plan, cli);
    },
  }),
  command({
    words: "plan land <plan>",
    description:
      "put what a plan has changed, in its worktree or on other machines, into the folder",
    options: {
      db: database,
      yes: flag("--yes", "do it, although some of its tasks have not ended"),
    },
    ends: ["waiting"],
    run: async ({ plan, yes, db }, cli) => {
      const { forgetSettled, receiveIfSent } = await import("./commands/team.js");
      await receiveIfSent(plan, db, cli);
      const { landPlan } = await import("./commands/plans.js");
      const landed = await landPlan({ plan, yes }, cli);
      await forgetSettled(db, cli);
      return landed;
    },
  }),
  command({
    words: "plan update <plan>",
    description:
      "bring what is in the folder by now into a plan's worktree; conflicts become a task",
    run: async ({ plan }, cli) => {
      const { updatePlan } = await import("./commands/plans.js");
      return updatePlan(plan, cli);
    },
  }),
  command({
    words: "plan discard <plan>",
    description: "remove a plan's worktree, with all that was done in it",
    options: { db: database, yes: flag("--yes", "do it, although it cannot be undone") },
    run: async ({ plan, yes, db }, cli) => {
      const { discardPlan } = await import("./commands/plans.js");
      const discarded = await discardPlan({ plan, yes }, cli);
      const { forgetSettled } = await import("./commands/team.js");
      await forgetSettled(db, cli);
      return discarded;
    },
  }),
  command({
    words: "plan send <plan>",
    description: "have the team's workers work on a plan, or a single task, that is queued here",
    options: {
      db: database,
      repository: {
        ...text("--repository <name>", "the repository's name in the workers' lists"),
        isRequired: true,
      },
      remote: {
        ...text("--remote <name>", "git remote by which files travel"),
        default: "origin" satisfies SettingDefault<"team.remote">,
      },
      labels: text("--labels <list>", "what a worker must have, as in linux,gpu"),
    },
    run: async ({ plan, repository, remote, ...given }, cli) => {
      const { sendPlan } = await import("./commands/team.js");
      return sendPlan({ plan, repository: repository ?? "", remote: remote ?? "", ...given }, cli);
    },
  }),
  command({
    words: "plan sent",
    description: "list the plans that other machines work on, and what they ask",
    options: { db: database },
    run: async ({ db }, cli) => {
      const { listSent } = await import("./commands/team.js");
      return listSent(db, cli);
    },
  }),
  command({
    words: "plan push <plan>",
    description: "push what came of a plan that was sent as a branch, for a pull request",
    options: { db: database },
    run: async ({ plan, db }, cli) => {
      const { pushPlan } = await import("./commands/team.js");
      return pushPlan(plan, db, cli);
    },
  }),
  command({
    words: "plan cancel <plan>",
    description: "end the work on a plan that was sent",
    options: { db: database },
    run: async ({ plan, db }, cli) => {
      const { cancelPlan } = await import("./commands/team.js");
      return cancelPlan(plan, db, cli);
    },
  }),
  command({
    words: "worker",
    description: "work on the plans of a team, as other machines send them, until it is stopped",
    options: {
      db: database,
      repos: text("--repos <file>", "JSON file that says on which repositories it works"),
      slots: wholeNumber("--slots", "number of tasks at once", 64, 1),
      labels: text("--labels <list>", "what this machine has, as in linux,gpu"),
      name: text("--name <name>", "name of this machine (default: its host name)"),
      keepDays: wholeNumber(
        "--keep-days",
        "days for which settled plans stay in the database",
        3650,
        30,
      ),
    },
    ends: ["stopped"],
    run: async (given, cli) => {
      const { runWorker } = await import("./commands/worker.js");
      return runWorker(given, cli);
    },
  }),
  command({
    words: "queue list",
    description: "list the queued tasks in order, and invalid lines",
    run: async (_given, cli) => {
      const { listQueue } = await import("./commands/listQueue.js");
      return listQueue(cli);
    },
  }),
  command({
    words: "queue add <goal...>",
    description: "add a task to the end of the queue without running it",
    options: {
      expert: {
        flags: "--expert <slug>",
        description: "expert for the task",
        default: "rooroo-developer",
      },
    },
    run: async ({ goal, expert }, cli) => {
      const { addToQueue } = await import("./commands/changeQueue.js");
      return addToQueue(goal.join(" "), expert, cli);
    },
  }),
  command({
    words: "queue remove <task>",
    description: "remove a task from the queue; its folder is kept",
    run: async ({ task }, cli) => {
      const { removeFromQueue } = await import("./commands/changeQueue.js");
      return removeFromQueue(task, cli);
    },
  }),
  command({
    words: "queue move <task>",
    description: "move a task to another place in the queue",
    options: {
      first: flag("--first", "move it to the beginning, so that it runs next"),
      last: flag("--last", "move it to the end"),
      before: text("--before <task>", "move it before this task"),
    },
    run: async ({ task, first, last, before }, cli) => {
      const given = [first, last, before !== undefined].filter(Boolean);
      if (given.length !== 1)
        throw new WrongUse(
          "placeMissing",
          "Say where to put the task: --first, --last or --before TASK.",
        );
      const { moveInQueue } = await import("./commands/changeQueue.js");
      const place = before === undefined ? (first ? "first" : "last") : { before };
      return moveInQueue(task, place, cli);
    },
  }),
  command({
    words: "import [files...]",
    description:
      "show what of the settings of Roo Code, Cline and Kilo Code can be imported, and import it",
    options: {
      apply: flag("--apply", "import what is marked"),
      take: repeatable("--take <id>", "import this, too, although it is not marked"),
      leave: repeatable("--leave <id>", "do not import this"),
    },
    run: async (given, cli) => {
      const { importSettings } = await import("./commands/importSettings.js");
      return importSettings(given, cli);
    },
  }),
  command({
    words: "mcp list",
    description: "start the MCP servers that you have named or allowed, and show their tools",
    run: async (_given, cli) => {
      const { listMcpServers } = await import("./commands/mcp.js");
      return listMcpServers(cli);
    },
  }),
  command({
    words: "mcp allow <server>",
    description: "show what an MCP server of the workspace's lists would run, and allow it",
    options: {
      yes: flag("--yes", "allow it without being asked, in the sandbox"),
      outside: flag("--without-sandbox", "with --yes: also where there is no sandbox"),
    },
    ends: ["waiting"],
    run: async ({ server, yes, outside }, cli) => {
      const { allowMcpServer } = await import("./commands/mcp.js");
      return allowMcpServer(server, { yes, outside }, cli);
    },
  }),
  command({
    words: "git allow",
    description:
      "show what the repository's git configuration may have git run, and allow it as it is",
    options: { yes: flag("--yes", "allow it without being asked") },
    ends: ["waiting"],
    run: async ({ yes }, cli) => {
      const { allowGitConfig } = await import("./commands/git.js");
      return allowGitConfig(yes, cli);
    },
  }),
  command({
    words: "model list",
    description: "list the models with their capabilities, as the server reports them",
    run: async (_given, cli) => {
      const { listModels } = await import("./commands/models.js");
      return listModels(cli);
    },
  }),
  command({
    words: "model profiles",
    description: "list the model profiles that you have defined",
    run: async (_given, cli) => {
      const { listProfiles } = await import("./commands/models.js");
      return listProfiles(cli);
    },
  }),
  command({
    words: "model test",
    description: "send a small request to the model, and report problems",
    run: async (_given, cli) => {
      const { testConnection } = await import("./commands/models.js");
      return testConnection(cli);
    },
  }),
  command({
    words: "approvals list",
    description: "list the permissions with their ids",
    run: async (_given, cli) => {
      const { listApprovals } = await import("./commands/approvals.js");
      return listApprovals(cli);
    },
  }),
  command({
    words: "approvals revoke [ids...]",
    description: "revoke permissions, so that you are asked again",
    options: { all: flag("--all", "revoke all permissions") },
    json: "lines",
    run: async ({ ids, all }, cli) => {
      if (all === ids.length > 0)
        throw new WrongUse(
          "permissionsMissing",
          "Say which permissions to revoke: give their ids, or --all.",
        );
      const { revokeApprovals } = await import("./commands/approvals.js");
      return revokeApprovals(all ? "all" : ids, cli);
    },
  }),
  command({
    words: "validate queue <file>",
    description: "check a queue file (queue.jsonl)",
    run: async ({ file }, cli) => {
      const { validateQueue } = await import("./commands/validate.js");
      return validateQueue(file, cli);
    },
  }),
  command({
    words: "validate envelope <file>",
    description: "check a file with one envelope, or one on each line, and report broken rules",
    options: {
      previousPlan: text(
        "--previous-plan <file>",
        "file with the previous plan, or the envelope that contains it",
      ),
    },
    json: "lines",
    run: async ({ file, previousPlan }, cli) => {
      const { validateEnvelope } = await import("./commands/validateEnvelope.js");
      return validateEnvelope(file, previousPlan, cli);
    },
  }),
  command({
    words: "validate report <file>",
    description: "check the report of an expert",
    run: async ({ file }, cli) => {
      const { validateReport } = await import("./commands/validateReport.js");
      return validateReport(file, cli);
    },
  }),
  command({
    words: "validate job-log <files...>",
    description: "check job logs, and report broken rules",
    json: "lines",
    run: async ({ files }, cli) => {
      const { validateJobLog } = await import("./commands/validate.js");
      return validateJobLog(files, cli);
    },
  }),
  command({
    words: "validate run-tables <files...>",
    description: "check tables of runs, recognized by their file names, and report broken rules",
    json: "lines",
    run: async ({ files }, cli) => {
      const { validateRunTables } = await import("./commands/validate.js");
      return validateRunTables(files, cli);
    },
  }),
  command({
    words: "job list",
    description: "list the jobs with their progress and next step",
    run: async (_given, cli) => {
      const { listJobs } = await import("./commands/jobs.js");
      return listJobs(cli);
    },
  }),
  command({
    words: "job status [name]",
    description:
      "show what is done of a job, what failed and why, what it cost, what is in its way, and when it will be done",
    run: async ({ name }, cli) => {
      const { showJob } = await import("./commands/jobs.js");
      return showJob(name, cli);
    },
  }),
  command({
    words: "job page <name>",
    description:
      "write a page of what the job has done, over time and task by task, as an HTML file",
    options: {
      output: text("--output <file>", "where to write it (default: a file that git ignores)"),
    },
    run: async (given, cli) => {
      const { writePage } = await import("./commands/jobs.js");
      return writePage(given, cli);
    },
  }),
  command({
    words: "job new <name>",
    description: "create a job file, which you complete before you run the job",
    options: {
      goal: {
        flags: "--goal <text>",
        description: "goal of the job",
        isRequired: true,
        default: "",
      },
      dirs: repeatable("--dir <folder>", "folder that the job works in"),
    },
    run: async (given, cli) => {
      const { newJob } = await import("./commands/jobs.js");
      return newJob(given, cli);
    },
  }),
  command({
    words: "job run <name>",
    description: "run a job, one lifecycle after another, until it is done",
    options: {
      runners: wholeNumber("--runners", "number of runners that work in parallel", 64, 1),
      quota: wholeNumber(
        "--max-turns",
        "maximum number of model calls per lifecycle (default: 60)",
        10_000,
        undefined,
      ),
      once: flag("--once", "run one lifecycle"),
      loop: wholeNumber("--loop", "maximum number of lifecycles", 1_000_000, undefined),
      until,
      budget: limit("--budget", "what the job may use, in all its runs", {}, "none"),
      waits: flag(
        "--wait",
        "wait for other runners to end, for answers, for limits to be reset, and for the next cycle of a periodic job",
      ),
    },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ once, loop, ...given }, cli) => {
      if (once && loop !== undefined) {
        throw new WrongUse("onceWithLoop", "--once and --loop say the same. Give one of them.");
      }
      const { work } = await import("./commands/work.js");
      return work({ type: "job", ...given, most: once ? 1 : loop }, cli);
    },
  }),
  command({
    words: "job changes <name> [task]",
    description: "show what a job, or one of its tasks, has changed, file by file",
    run: async (given, cli) => {
      const { showJobChanges } = await import("./commands/changes.js");
      return showJobChanges(given, cli);
    },
  }),
  command({
    words: "job undo <name> <task>",
    description: "undo what a task of a job has changed, and set the task back",
    ends: ["waiting"],
    run: async (given, cli) => {
      const { undoJobTask } = await import("./commands/changes.js");
      return undoJobTask(given, cli);
    },
  }),
  command({
    words: "job stop <name>",
    description: "stop all runners of a job, in all processes; their work is kept",
    json: "lines",
    ends: ["waiting"],
    run: async ({ name }, cli) => {
      const { stopJob } = await import("./commands/jobs.js");
      return stopJob(name, cli);
    },
  }),
  command({
    words: "run start <request...>",
    description: "start a run, up to the proposal that you confirm; - reads standard input",
    options: {
      directory,
      simple: flag("--simple", "do the request at once, as a single command"),
      phases: flag("--phases", "make it a run in phases, without asking the model"),
    },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ request: words, simple, phases, directory }, cli) => {
      if (simple && phases) {
        throw new WrongUse(
          "simpleWithPhases",
          "--simple and --phases contradict each other. Give one of them.",
        );
      }
      const { workOnRun } = await import("./commands/work.js");
      const request = await readInput(words, cli);
      const isSimple = simple || phases ? simple : undefined;
      return workOnRun({ type: "start", request, isSimple }, directory, cli);
    },
  }),
  command({
    words: "run confirm [run]",
    description: "confirm the proposal of a run, and continue it",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "decide", run, decision: { type: "CONFIRM" } }, directory, cli);
    },
  }),
  command({
    words: "run modify <run> <words...>",
    description: "request changes to the proposal of a run",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, words, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      const decision = { type: "MODIFY", words: words.join(" ") } as const;
      return workOnRun({ type: "decide", run, decision }, directory, cli);
    },
  }),
  command({
    words: "run stop [run]",
    description: "stop a run in whichever process runs it; it can be resumed",
    options: { directory },
    ends: ["waiting"],
    run: async ({ run, directory }, cli) => {
      const { stopNamedRun } = await import("./commands/runs.js");
      return stopNamedRun(run, directory, cli);
    },
  }),
  command({
    words: "run cancel [run]",
    description: "cancel a run; its files are kept",
    options: { directory },
    run: async ({ run, directory }, cli) => {
      const { cancelRun } = await import("./commands/runs.js");
      return cancelRun(run, directory, cli);
    },
  }),
  command({
    words: "run resume [run]",
    description: "resume a run that was stopped or interrupted",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "resume", run }, directory, cli);
    },
  }),
  command({
    words: "run retry [run]",
    description: "try again what a run has failed with, and continue it",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "decide", run, decision: { type: "RETRY" } }, directory, cli);
    },
  }),
  command({
    words: "run skip [run]",
    description: "continue a run without what it has failed with",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "decide", run, decision: { type: "SKIP" } }, directory, cli);
    },
  }),
  command({
    words: "run list",
    description: "list the runs with their next step",
    options: { directory },
    run: async ({ directory }, cli) => {
      const { listRuns } = await import("./commands/runs.js");
      return listRuns(directory, cli);
    },
  }),
  command({
    words: "run status [run]",
    description: "show the progress of a run, and what is awaiting your input",
    options: { directory },
    run: async ({ run, directory }, cli) => {
      const { showRun } = await import("./commands/runs.js");
      return showRun(run, directory, cli);
    },
  }),
  command({
    words: "explain <command>",
    description:
      "explain what a shell command would do and whether it needs approval, without running it",
    run: async ({ command: line }, cli) => {
      const { explain } = await import("./commands/explain.js");
      return explain(line, cli);
    },
  }),
];

/** Parses a future time as {@link parseMoment} does. Throws {@link WrongUse} if the text names none. */
function parseTime(given: string): Date {
  const time = parseMoment(given, new Date());
  if (time !== undefined) return time;
  throw new WrongUse(
    "notATime",
    "{given} is not a time. Write one like 07:00 or 2026-01-31T07:00.",
    { given },
  );
}
