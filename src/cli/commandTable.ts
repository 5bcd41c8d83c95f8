import { parseMoment } from "../core/text/parseMoment.js";
import { command, readInput } from "./command.js";
import { flag, type OptionEntry, repeatable, text, wholeNumber } from "./optionEntry.js";
import { WrongUse } from "./wrongUse.js";

/** What the help says of words that several commands begin with. */
export const groups: Readonly<Record<string, string>> = {
  queue: "look at the queue of tasks, and change it",
  model: "look at the server's models, and test one",
  approvals: "what you allowed for good here",
  validate: "check a file, line by line",
  job: "long work by two files in .jixo: look, make, run, stop",
  run: "document work in phases, from tables in db/ and runs/",
};

const directory = text(
  "--directory <folder>",
  "where runs are (default: the workspace if it has db/process_runs.md, else multiverse)",
);

const until: OptionEntry<Date | undefined> = {
  flags: "--until <time>",
  description: "begin nothing then or later, as in 07:00",
  default: undefined,
  parse: parseTime,
};

/**
 * Every command of the command line, in the order of the help. A command's code is loaded when it runs, so that
 * small commands start at once.
 */
export const commands = [
  command({
    words: "ask <words...>",
    description: "say what you want; - reads it from standard input",
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ words }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "ask", text: await readInput(words, cli) }, cli);
    },
  }),
  command({
    words: "proceed",
    description: "work through the queue",
    options: { one: flag("--one", "only the task at its head") },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ one }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "proceed", one }, cli);
    },
  }),
  command({
    words: "answer <task> <words...>",
    description: "answer a task's or a job's question, in words or with a suggestion's number",
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ task, words }, cli) => {
      const answer = await readInput(words, cli);
      const { answerJob } = await import("./commands/jobs.js");
      const answered = await answerJob(task, answer, cli);
      if (answered !== undefined) return answered;
      const { work } = await import("./commands/work.js");
      return work({ type: "answer", taskId: task, text: answer }, cli);
    },
  }),
  command({
    words: "resume <task>",
    description: "go on with a task that was interrupted or waits for an approval",
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ task }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "resume", taskId: task }, cli);
    },
  }),
  command({
    words: "adopt [task]",
    description: "take over tasks that came with the folder, so that they count as yours",
    json: "lines",
    run: async ({ task }, cli) => {
      const { adopt } = await import("./commands/tasks.js");
      return adopt(task, cli);
    },
  }),
  command({
    words: "changes <task>",
    description: "show what a task has changed, file by file",
    run: async ({ task }, cli) => {
      const { showChanges } = await import("./commands/changes.js");
      return showChanges(task, cli);
    },
  }),
  command({
    words: "undo <task>",
    description: "put back what a task has changed, but for files changed since",
    ends: ["waiting"],
    run: async ({ task }, cli) => {
      const { undoTask } = await import("./commands/changes.js");
      return undoTask(task, cli);
    },
  }),
  command({
    words: "agent <words...>",
    description: "talk with one agent in envelopes, without experts and queue",
    options: { session: text("--session <id>", "go on with this one") },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ words, session }, cli) => {
      const { work } = await import("./commands/work.js");
      return work({ type: "agent", text: await readInput(words, cli), session }, cli);
    },
  }),
  command({
    words: "doctor",
    description: "say what this machine can do: programs, sandbox, model, workspace",
    run: async (_given, cli) => {
      const { doctor } = await import("./commands/doctor.js");
      return doctor(cli);
    },
  }),
  command({
    words: "status",
    description: "show the tasks: what needs you, runs, waits, and is done",
    run: async (_given, cli) => {
      const { showStatus } = await import("./commands/status.js");
      return showStatus(cli);
    },
  }),
  command({
    words: "queue list",
    description: "show the queue in order, with lines that cannot be used",
    run: async (_given, cli) => {
      const { listQueue } = await import("./commands/listQueue.js");
      return listQueue(cli);
    },
  }),
  command({
    words: "queue add <goal...>",
    description: "add a task to its end, without running it",
    options: {
      expert: {
        flags: "--expert <slug>",
        description: "who is to do it",
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
    description: "take a task out; its folder stays",
    run: async ({ task }, cli) => {
      const { removeFromQueue } = await import("./commands/changeQueue.js");
      return removeFromQueue(task, cli);
    },
  }),
  command({
    words: "queue move <task>",
    description: "move a task: --first, --last or --before another",
    options: {
      first: flag("--first", "to the head: it runs next"),
      last: flag("--last", "to the end"),
      before: text("--before <task>", "before this one"),
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
    words: "model list",
    description: "show the models, with what the server says that each can",
    run: async (_given, cli) => {
      const { listModels } = await import("./commands/models.js");
      return listModels(cli);
    },
  }),
  command({
    words: "model test",
    description: "ask the model for something small, and say what is wrong if something is",
    run: async (_given, cli) => {
      const { testConnection } = await import("./commands/models.js");
      return testConnection(cli);
    },
  }),
  command({
    words: "approvals list",
    description: "show it, with the ids to revoke it by",
    run: async (_given, cli) => {
      const { listApprovals } = await import("./commands/approvals.js");
      return listApprovals(cli);
    },
  }),
  command({
    words: "approvals revoke [ids...]",
    description: "ask about it again from now on",
    options: { all: flag("--all", "all of it") },
    json: "lines",
    run: async ({ ids, all }, cli) => {
      if (all === ids.length > 0)
        throw new WrongUse(
          "grantsMissing",
          "Say which approvals to revoke: give their ids, or --all.",
        );
      const { revokeApprovals } = await import("./commands/approvals.js");
      return revokeApprovals(all ? "all" : ids, cli);
    },
  }),
  command({
    words: "validate queue <file>",
    description: "check a queue.jsonl",
    run: async ({ file }, cli) => {
      const { validateQueue } = await import("./commands/validate.js");
      return validateQueue(file, cli);
    },
  }),
  command({
    words: "validate envelope <file>",
    description: "check envelopes: one, or one a line; tells the rules that each breaks",
    options: {
      previousPlan: text(
        "--previous-plan <file>",
        "the plan before it, or the envelope that has it",
      ),
    },
    json: "lines",
    run: async ({ file, previousPlan }) => {
      const { validateEnvelope } = await import("./commands/validateEnvelope.js");
      return validateEnvelope(file, previousPlan);
    },
  }),
  command({
    words: "validate report <file>",
    description: "check an expert's report",
    run: async ({ file }, cli) => {
      const { validateReport } = await import("./commands/validateReport.js");
      return validateReport(file, cli);
    },
  }),
  command({
    words: "validate job-log <files...>",
    description: "check jobs' logs; tells the rule that each problem breaks",
    json: "lines",
    run: async ({ files }) => {
      const { validateJobLog } = await import("./commands/validate.js");
      return validateJobLog(files);
    },
  }),
  command({
    words: "validate run-tables <files...>",
    description:
      "check runs' tables, known by their names; tells the rule that each problem breaks",
    json: "lines",
    run: async ({ files }) => {
      const { validateRunTables } = await import("./commands/validate.js");
      return validateRunTables(files);
    },
  }),
  command({
    words: "job list",
    description: "show each job's progress, and what it calls for next",
    run: async (_given, cli) => {
      const { listJobs } = await import("./commands/jobs.js");
      return listJobs(cli);
    },
  }),
  command({
    words: "job status <name>",
    description: "show a job's tasks, what it calls for next and why, and its open questions",
    run: async ({ name }, cli) => {
      const { showJob } = await import("./commands/jobs.js");
      return showJob(name, cli);
    },
  }),
  command({
    words: "job new <name>",
    description: "make a job file, to be written further before the job is run",
    options: {
      goal: {
        flags: "--goal <text>",
        description: "what the job is for",
        isRequired: true,
        default: "",
      },
      dirs: repeatable("--dir <folder>", "a folder that it is about"),
    },
    run: async (given, cli) => {
      const { newJob } = await import("./commands/jobs.js");
      return newJob(given, cli);
    },
  }),
  command({
    words: "job run <name>",
    description: "plan and do a job, one lifecycle after the other, until it is done",
    options: {
      runners: wholeNumber("--runners", "that work at a time", 64, 1),
      quota: wholeNumber("--max-turns", "of one lifecycle (default: 60)", 10_000, undefined),
      once: flag("--once", "one lifecycle only"),
      loop: wholeNumber("--loop", "lifecycles at most", 1_000_000, undefined),
      until,
      waits: flag("--wait", "for other runners to end, and for the next cycle of a periodic job"),
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
    words: "job stop <name>",
    description: "have all runners of a job end their turns, in all processes; their work is kept",
    json: "lines",
    ends: ["waiting"],
    run: async ({ name }, cli) => {
      const { stopJob } = await import("./commands/jobs.js");
      return stopJob(name, cli);
    },
  }),
  command({
    words: "run start <request...>",
    description: "begin a run, as far as what you are asked to confirm; - reads standard input",
    options: {
      directory,
      simple: flag("--simple", "it is a single command, to be done at once"),
      phases: flag("--phases", "it is a run, whatever a model would say"),
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
    description: "confirm what a run is to hold to, and have it go on",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "decide", run, signal: { type: "CONFIRM" } }, directory, cli);
    },
  }),
  command({
    words: "run modify <run> <words...>",
    description: "say what is to change in it; you are asked again",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, words, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      const signal = { type: "MODIFY", words: words.join(" ") } as const;
      return workOnRun({ type: "decide", run, signal }, directory, cli);
    },
  }),
  command({
    words: "run cancel [run]",
    description: "end a run; what it has made stays",
    options: { directory },
    run: async ({ run, directory }, cli) => {
      const { cancelRun } = await import("./commands/runs.js");
      return cancelRun(run, directory, cli);
    },
  }),
  command({
    words: "run resume [run]",
    description: "have a run go on that was stopped or killed",
    options: { directory },
    json: "lines",
    ends: ["waiting", "stopped"],
    run: async ({ run, directory }, cli) => {
      const { workOnRun } = await import("./commands/work.js");
      return workOnRun({ type: "resume", run }, directory, cli);
    },
  }),
  command({
    words: "run list",
    description: "show all runs, and what comes next in each",
    options: { directory },
    run: async ({ directory }, cli) => {
      const { listRuns } = await import("./commands/runs.js");
      return listRuns(directory, cli);
    },
  }),
  command({
    words: "run status [run]",
    description: "show where a run is, and what waits for you",
    options: { directory },
    run: async ({ run, directory }, cli) => {
      const { showRun } = await import("./commands/runs.js");
      return showRun(run, directory, cli);
    },
  }),
  command({
    words: "explain <command>",
    description: "say what a shell command would do, and whether it runs unasked; runs nothing",
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
