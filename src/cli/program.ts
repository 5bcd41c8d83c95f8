import { Command, Option } from "commander";
import { parseApprove } from "./session/approveOption.js";
import { dialectChoices } from "../core/agent/dialects/dialect.js";
import type { QueueChange } from "./commands/changeQueue.js";
import type { Signal as RunSignal } from "../core/runs/decideRun.js";
import type { Options } from "./session/options.js";
import { parseLimit } from "./session/limitOption.js";
import { parseTime } from "./commands/parseTime.js";
import { sandboxUses } from "./session/sandboxOption.js";
import { WrongUse } from "./commands/wrongUse.js";

/** The handlers of the commands; each resolves to the exit code. */
export interface Handlers {
  ask(words: string[], options: Options): Promise<number>;
  proceed(one: boolean, options: Options): Promise<number>;
  answer(taskId: string, words: string[], options: Options): Promise<number>;
  resume(taskId: string, options: Options): Promise<number>;
  adopt(taskId: string | undefined, options: Options): Promise<number>;
  agent(words: string[], session: string | undefined, options: Options): Promise<number>;
  changes(taskId: string, options: Options): Promise<number>;
  undo(taskId: string, options: Options): Promise<number>;
  status(options: Options): Promise<number>;
  doctor(options: Options): Promise<number>;
  listQueue(options: Options): Promise<number>;
  changeQueue(change: QueueChange, options: Options): Promise<number>;
  listApprovals(options: Options): Promise<number>;
  revokeApprovals(ids: readonly string[] | "all", options: Options): Promise<number>;
  validateQueue(file: string, options: Options): Promise<number>;
  validateReport(file: string, options: Options): Promise<number>;
  validateEnvelope(
    file: string,
    previousPlan: string | undefined,
    options: Options,
  ): Promise<number>;
  validateJobLog(files: readonly string[], options: Options): Promise<number>;
  validateRunTables(files: readonly string[], options: Options): Promise<number>;
  listJobs(options: Options): Promise<number>;
  showJob(name: string, options: Options): Promise<number>;
  newJob(name: string, given: NewJob, options: Options): Promise<number>;
  runJob(name: string, given: RunJob, options: Options): Promise<number>;
  stopJob(name: string, options: Options): Promise<number>;
  startRun(words: string[], given: StartRun, options: Options): Promise<number>;
  decideRun(
    run: string | undefined,
    signal: RunSignal,
    given: RunPlace,
    options: Options,
  ): Promise<number>;
  resumeRun(run: string | undefined, given: RunPlace, options: Options): Promise<number>;
  cancelRun(run: string | undefined, given: RunPlace, options: Options): Promise<number>;
  listRuns(given: RunPlace, options: Options): Promise<number>;
  showRun(run: string | undefined, given: RunPlace, options: Options): Promise<number>;
  explain(line: string, options: Options): Promise<number>;
  listModels(options: Options): Promise<number>;
  testModel(options: Options): Promise<number>;
}

/** Defines the commands and their options. `onEnd` receives the exit code of the command that ran. */
export function createProgram(handlers: Handlers, onEnd: (exitCode: number) => void): Command {
  const program = new Command("rooroo")
    .description("State a goal; experts plan it and do it with real tools on your workspace.")
    .version(ROOROO_VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .option("--workspace <folder>", "the folder to work in (default: the current one)")
    .option("--json", "print JSON: one object, or one event a line and the outcome last")
    .addOption(
      new Option("--approve <rules>", "what experts may do unasked: ask, safe, sandbox or all")
        .argParser(parseApprove)
        .default(parseApprove("safe"), "safe"),
    )
    .addOption(
      new Option("--limit-task <limits>", "what a task may use before you are asked")
        .argParser(parseLimit)
        .default({ requests: 200 }, "requests=200"),
    )
    .addOption(
      new Option("--limit-day <limits>", "what a day may use before you are asked")
        .argParser(parseLimit)
        .default({}, "none"),
    )
    .addOption(
      new Option("--allow-command <rule>", "a command that runs unasked, as “npm test”; repeatable")
        .argParser(oneMore)
        .default([], "none"),
    )
    .addOption(
      new Option("--deny-command <rule>", "a command that never runs; repeatable")
        .argParser(oneMore)
        .default([], "none"),
    )
    .addOption(
      new Option(
        "--sandbox <use>",
        "for commands that nobody was asked about (default: $ROOROO_SANDBOX, or auto)",
      ).choices(sandboxUses),
    )
    .addOption(
      new Option("--allow-host <name>", "a host to be reached from the sandbox; repeatable")
        .argParser(oneMore)
        .default([], "none"),
    )
    .option("--model <name>", "the model, as its server names it (default: $ROOROO_MODEL)")
    .option("--base-url <url>", "an OpenAI-compatible server (default: $OPENAI_BASE_URL)")
    .addOption(
      new Option("--dialect <name>", "how the model is told of tools")
        .choices([...dialectChoices])
        .default("auto"),
    )
    .addOption(
      new Option("--concurrency <number>", "tasks of different plans that may run at a time")
        .argParser(wholeNumber("--concurrency", 64))
        .default(1),
    )
    .option("--record", "write every exchange with the model to .rooroo/logs/recordings")
    .option("--verbose", "show what tools print and change, and the details of errors")
    .addHelpText("after", explanation)
    .showHelpAfterError("(rooroo --help says what can be given)")
    .exitOverride();

  const options = (command: Command) => command.optsWithGlobals<Options>();

  program
    .command("ask <words...>")
    .description("say what you want; - reads it from standard input")
    .action(async (words: string[], _own, command: Command) => {
      onEnd(await handlers.ask(words, options(command)));
    });
  program
    .command("proceed")
    .description("work through the queue")
    .option("--one", "only the task at its head")
    .action(async (own: { one?: boolean }, command: Command) => {
      onEnd(await handlers.proceed(own.one === true, options(command)));
    });
  program
    .command("answer <task> <words...>")
    .description("answer a task's or a job's question, in words or with a suggestion's number")
    .action(async (task: string, words: string[], _own, command: Command) => {
      onEnd(await handlers.answer(task, words, options(command)));
    });
  program
    .command("resume <task>")
    .description("go on with a task that was interrupted or waits for an approval")
    .action(async (task: string, _own, command: Command) => {
      onEnd(await handlers.resume(task, options(command)));
    });
  program
    .command("adopt [task]")
    .description("take over tasks that came with the folder, so that they count as yours")
    .action(async (task: string | undefined, _own, command: Command) => {
      onEnd(await handlers.adopt(task, options(command)));
    });
  program
    .command("changes <task>")
    .description("show what a task has changed, file by file")
    .action(async (task: string, _own, command: Command) => {
      onEnd(await handlers.changes(task, options(command)));
    });
  program
    .command("undo <task>")
    .description("put back what a task has changed, but for files changed since")
    .action(async (task: string, _own, command: Command) => {
      onEnd(await handlers.undo(task, options(command)));
    });
  program
    .command("agent <words...>")
    .description("talk with one agent in envelopes, without experts and queue")
    .option("--session <id>", "go on with this one")
    .action(async (words: string[], own: { session?: string }, command: Command) => {
      onEnd(await handlers.agent(words, own.session, options(command)));
    });
  program
    .command("doctor")
    .description("say what this machine can do: programs, sandbox, model, workspace")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.doctor(options(command)));
    });
  program
    .command("status")
    .description("show the tasks: what needs you, runs, waits, and is done")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.status(options(command)));
    });

  const queue = program.command("queue").description("look at the queue of tasks, and change it");
  queue
    .command("list")
    .description("show the queue in order, with lines that cannot be used")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.listQueue(options(command)));
    });
  queue
    .command("add <goal...>")
    .description("add a task to its end, without running it")
    .option("--expert <slug>", "who is to do it", "rooroo-developer")
    .action(async (words: string[], own: { expert: string }, command: Command) => {
      const change = { type: "add", goal: words.join(" "), expert: own.expert } as const;
      onEnd(await handlers.changeQueue(change, options(command)));
    });
  queue
    .command("remove <task>")
    .description("take a task out; its folder stays")
    .action(async (task: string, _own, command: Command) => {
      onEnd(await handlers.changeQueue({ type: "remove", task }, options(command)));
    });
  queue
    .command("move <task>")
    .description("move a task: --first, --last or --before another")
    .option("--first", "to the head: it runs next")
    .option("--last", "to the end")
    .option("--before <task>", "before this one")
    .action(async (task: string, own: MoveOptions, command: Command) => {
      const change = { type: "move", task, to: destination(own) } as const;
      onEnd(await handlers.changeQueue(change, options(command)));
    });

  const model = program.command("model").description("look at the server's models, and test one");
  model
    .command("list")
    .description("show the models, with what the server says that each can")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.listModels(options(command)));
    });
  model
    .command("test")
    .description("ask the model for something small, and say what is wrong if something is")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.testModel(options(command)));
    });

  const approvals = program.command("approvals").description("what you allowed for good here");
  approvals
    .command("list")
    .description("show it, with the ids to revoke it by")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.listApprovals(options(command)));
    });
  approvals
    .command("revoke [ids...]")
    .description("ask about it again from now on")
    .option("--all", "all of it")
    .action(async (ids: string[], own: { all?: boolean }, command: Command) => {
      const all = own.all === true;
      if (all === ids.length > 0) throw new WrongUse("Say what to revoke: ids, or --all.");
      onEnd(await handlers.revokeApprovals(all ? "all" : ids, options(command)));
    });

  const validate = program.command("validate").description("check a file, line by line");
  validate
    .command("queue <file>")
    .description("check a queue.jsonl")
    .action(async (file: string, _own, command: Command) => {
      onEnd(await handlers.validateQueue(file, options(command)));
    });
  validate
    .command("envelope <file>")
    .description("check envelopes: one, or one a line; tells the rules that each breaks")
    .option("--previous-plan <file>", "the plan before it, or the envelope that has it")
    .action(async (file: string, own: { previousPlan?: string }, command: Command) => {
      onEnd(await handlers.validateEnvelope(file, own.previousPlan, options(command)));
    });
  validate
    .command("report <file>")
    .description("check an expert's report")
    .action(async (file: string, _own, command: Command) => {
      onEnd(await handlers.validateReport(file, options(command)));
    });
  validate
    .command("job-log <files...>")
    .description("check jobs' logs; tells the rule that each problem breaks")
    .action(async (files: string[], _own, command: Command) => {
      onEnd(await handlers.validateJobLog(files, options(command)));
    });
  validate
    .command("run-tables <files...>")
    .description(
      "check runs' tables, known by their names; tells the rule that each problem breaks",
    )
    .action(async (files: string[], _own, command: Command) => {
      onEnd(await handlers.validateRunTables(files, options(command)));
    });

  const job = program
    .command("job")
    .description("long work by two files in .jixo: look, make, run, stop");
  job
    .command("list")
    .description("show each job's progress, and what it calls for next")
    .action(async (_own, command: Command) => {
      onEnd(await handlers.listJobs(options(command)));
    });
  job
    .command("status <name>")
    .description("show a job's tasks, what it calls for next and why, and its open questions")
    .action(async (name: string, _own, command: Command) => {
      onEnd(await handlers.showJob(name, options(command)));
    });
  job
    .command("new <name>")
    .description("make a job file, to be written further before the job is run")
    .requiredOption("--goal <text>", "what the job is for")
    .addOption(
      new Option("--dir <folder>", "a folder that it is about; repeatable")
        .argParser(oneMore)
        .default([], "none"),
    )
    .action(
      async (name: string, own: { goal: string; dir: readonly string[] }, command: Command) => {
        const given = { goal: own.goal, dirs: own.dir };
        onEnd(await handlers.newJob(name, given, options(command)));
      },
    );
  job
    .command("run <name>")
    .description("plan and do a job, one lifecycle after the other, until it is done")
    .addOption(
      new Option("--runners <number>", "that work at a time")
        .argParser(wholeNumber("--runners", 64))
        .default(1),
    )
    .addOption(
      new Option("--max-turns <number>", "of one lifecycle (default: 60)").argParser(
        wholeNumber("--max-turns", 10_000),
      ),
    )
    .option("--once", "one lifecycle only")
    .addOption(
      new Option("--loop <number>", "lifecycles at most").argParser(
        wholeNumber("--loop", 1_000_000),
      ),
    )
    .addOption(
      new Option("--until <time>", "begin nothing then or later, as in 07:00").argParser((text) =>
        parseTime(text, new Date()),
      ),
    )
    .option("--wait", "for other runners to end, and for the next cycle of a periodic job")
    .action(async (name: string, own: RunOptions, command: Command) => {
      if (own.once === true && own.loop !== undefined) {
        throw new WrongUse("--once is --loop 1: give one of them.");
      }
      const { runners, maxTurns: quota, until, wait: waits = false } = own;
      const given = { runners, quota, until, waits, most: own.once === true ? 1 : own.loop };
      onEnd(await handlers.runJob(name, given, options(command)));
    });
  job
    .command("stop <name>")
    .description("have all runners of a job end their turns, in all processes; their work is kept")
    .action(async (name: string, _own, command: Command) => {
      onEnd(await handlers.stopJob(name, options(command)));
    });

  const run = program
    .command("run")
    .description("document work in phases, from tables in db/ and runs/");
  const inRuns = (command: Command) =>
    command.option(
      "--directory <folder>",
      "where runs are (default: the workspace if it has db/process_runs.md, else multiverse)",
    );
  inRuns(run.command("start <request...>"))
    .description("begin a run, as far as what you are asked to confirm; - reads standard input")
    .option("--simple", "it is a single command, to be done at once")
    .option("--phases", "it is a run, whatever a model would say")
    .action(async (words: string[], own: StartOptions, command: Command) => {
      if (own.simple === true && own.phases === true) {
        throw new WrongUse("--simple and --phases say opposite things: give one of them.");
      }
      const isSimple = own.simple === true ? true : own.phases === true ? false : undefined;
      onEnd(await handlers.startRun(words, { ...own, isSimple }, options(command)));
    });
  inRuns(run.command("confirm [run]"))
    .description("confirm what a run is to hold to, and have it go on")
    .action(async (id: string | undefined, own: RunPlace, command: Command) => {
      onEnd(await handlers.decideRun(id, { type: "CONFIRM" }, own, options(command)));
    });
  inRuns(run.command("modify <run> <words...>"))
    .description("say what is to change in it; you are asked again")
    .action(async (id: string, words: string[], own: RunPlace, command: Command) => {
      const signal = { type: "MODIFY", words: words.join(" ") } as const;
      onEnd(await handlers.decideRun(id, signal, own, options(command)));
    });
  inRuns(run.command("cancel [run]"))
    .description("end a run; what it has made stays")
    .action(async (id: string | undefined, own: RunPlace, command: Command) => {
      onEnd(await handlers.cancelRun(id, own, options(command)));
    });
  inRuns(run.command("resume [run]"))
    .description("have a run go on that was stopped or killed")
    .action(async (id: string | undefined, own: RunPlace, command: Command) => {
      onEnd(await handlers.resumeRun(id, own, options(command)));
    });
  inRuns(run.command("list"))
    .description("show all runs, and what comes next in each")
    .action(async (own: RunPlace, command: Command) => {
      onEnd(await handlers.listRuns(own, options(command)));
    });
  inRuns(run.command("status [run]"))
    .description("show where a run is, and what waits for you")
    .action(async (id: string | undefined, own: RunPlace, command: Command) => {
      onEnd(await handlers.showRun(id, own, options(command)));
    });

  program
    .command("explain <command>")
    .description("say what a shell command would do, and whether it runs unasked; runs nothing")
    .action(async (line: string, _own, command: Command) => {
      onEnd(await handlers.explain(line, options(command)));
    });
  return program;
}

function oneMore(rule: string, before: readonly string[]): readonly string[] {
  return [...before, rule];
}

function wholeNumber(option: string, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    throw new WrongUse(`${option} takes a whole number from 1 to ${most}, not ${text}.`);
  };
}

/** The option for the runs' directory. Absent: the usual directory. */
interface RunPlace {
  readonly directory?: string;
}

interface StartRun extends RunPlace {
  readonly isSimple: boolean | undefined;
}

interface StartOptions extends RunPlace {
  readonly simple?: boolean;
  readonly phases?: boolean;
}

/** The initial content of a new job. */
interface NewJob {
  readonly goal: string;
  readonly dirs: readonly string[];
}

/** How to run a job. `undefined` means the usual `quota`, and no limit for `most` and `until`. */
interface RunJob {
  readonly runners: number;
  readonly quota: number | undefined;
  readonly most: number | undefined;
  readonly until: Date | undefined;
  readonly waits: boolean;
}

interface RunOptions {
  readonly runners: number;
  readonly maxTurns?: number;
  readonly once?: boolean;
  readonly loop?: number;
  readonly until?: Date;
  readonly wait?: boolean;
}

interface MoveOptions {
  readonly first?: boolean;
  readonly last?: boolean;
  readonly before?: string;
}

function destination({ first, last, before }: MoveOptions): "first" | "last" | { before: string } {
  const given = [first, last, before].filter((option) => option !== undefined);
  if (given.length !== 1) throw new WrongUse("Say where: --first, --last or --before TASK.");
  if (before !== undefined) return { before };
  return first === true ? "first" : "last";
}

const explanation = `
What --approve allows unasked:
  ask      nothing
  safe     reading the workspace, commands that only read, an expert's files of its own task
  sandbox  as safe; every command in a sandbox without network, changes of project files
  all      everything inside the workspace, but for protected files
Commands that run unasked run in a sandbox where the machine has one (rooroo doctor says so).
Rules for read, write, command, web and tool may follow: --approve all,web=ask,command=deny
Limits are written like requests=200,tokens=1000000,cost=5 (in US dollars).
What is not allowed is asked on the terminal: for this call, this task, this session, or always
(rooroo approvals list). Where there is no terminal, the task waits.

The model comes from the command line and the environment (OPENAI_BASE_URL, OPENAI_API_KEY,
ROOROO_MODEL), never from the workspace, but that a job file may name another of the same server. So
does what experts may ask of the web:
  ROOROO_SEARCH_PROVIDER, ROOROO_SEARCH_KEY, ROOROO_SEARCH_ADDRESS
                           a search service: tavily, brave or searxng
  ROOROO_CONTEXT_TOKENS    the most tokens that the model takes in (default: as its server says)
  ROOROO_SANDBOX           off: commands do not run in the sandbox, as with --sandbox off
  ROOROO_PRIVATE_HOSTS     hosts of your own network to fetch from, as localhost:3000,intranet

Exit codes: 0 done, 1 failed, 2 waits for someone (a question, an approval, another runner),
64 wrong use; 130 and 143 stopped by Ctrl-C or a signal. A stopped task can be resumed.`;
