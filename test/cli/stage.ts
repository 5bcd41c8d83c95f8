import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Context } from "mocha";
import { HttpModel, type HttpScript } from "../fakes/httpModel.js";
import { type Ended, processEnvironment, Rooroo } from "./rooroo.js";
import { type Open, openHere, runHere } from "./runHere.js";

/** A workspace folder, a model server, and `rooroo` between them. */
export class Stage {
  private constructor(
    readonly root: string,
    readonly model: HttpModel,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  private readonly processes: Rooroo[] = [];
  private readonly openHere: Open[] = [];

  /**
   * @param files what the workspace begins with
   * @param env beside what leads to the model
   */
  static async open(
    script: HttpScript,
    files: Record<string, string> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Stage> {
    const root = await mkdtemp(join(tmpdir(), "rooroo-cli-"));
    const stage = new Stage(root, await HttpModel.start(script), env);
    opened.add(stage);
    for (const [path, content] of Object.entries(files)) await stage.write(path, content);
    return stage;
  }

  /** Starts the command without the sandbox, which not every machine has, unless the arguments ask for it. */
  start(...args: string[]): Rooroo {
    return this.started(args, false);
  }

  /** Starts a command, in a process of its own, that talks with the test on its standard input and output. */
  startOpen(...args: string[]): Rooroo {
    return this.started(args, true);
  }

  /** Starts such a command in this process; see {@link openHere}. */
  open(...args: string[]): Open {
    const open = openHere(args, { cwd: this.root, env: this.environment() });
    this.openHere.push(open);
    return open;
  }

  /** Runs the command for a person who reads a language, as in `de_DE.UTF-8`. */
  runIn(LANG: string, ...args: string[]): Promise<Ended> {
    return runHere(args, { cwd: this.root, env: this.environment({ LANG }) });
  }

  private started(
    args: readonly string[],
    isOpen: boolean,
    more: Readonly<Record<string, string>> = {},
  ): Rooroo {
    const process = new Rooroo(args, {
      cwd: this.root,
      env: this.environment(more),
      isOpen,
    });
    this.processes.push(process);
    return process;
  }

  private environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return processEnvironment(this.root, {
      ROOROO_SANDBOX: "off",
      ...this.model.env,
      ...this.env,
      ...more,
    });
  }

  /** Runs the command in this process, one after the other; see {@link runHere}. */
  run(...args: string[]): Promise<Ended> {
    return runHere(args, { cwd: this.root, env: this.environment() });
  }

  /** Runs the command with a standard input. */
  runWith(input: string | Buffer, ...args: string[]): Promise<Ended> {
    return runHere(args, { cwd: this.root, env: this.environment(), input });
  }

  /** Runs the command in a process of its own. */
  runProcess(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** Runs the command with every change and command allowed. */
  runAll(...args: string[]): Promise<Ended> {
    return this.run(...args, "--approve", "all");
  }

  async json(...args: string[]): Promise<Record<string, unknown>> {
    const { stdout } = await this.run(...args, "--json");
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Ids of the tasks by their states, as `rooroo status` tells them. */
  async tasks(state?: string): Promise<{ taskId: string; state: string; mode: string }[]> {
    const { tasks } = (await this.json("status")) as {
      tasks: { taskId: string; state: string; mode: string }[];
    };
    return state === undefined ? tasks : tasks.filter((task) => task.state === state);
  }

  /** The person's own folder, beside the workspace. */
  get home(): string {
    return `${this.root}-home`;
  }

  path(path: string): string {
    return join(this.root, path);
  }

  /** Returns a file's text; `""` if there is no such file. */
  async read(path: string): Promise<string> {
    return readFile(this.path(path), "utf8").catch(() => "");
  }

  async write(path: string, content: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), content);
  }

  list(path: string): Promise<string[]> {
    return readdir(this.path(path)).catch(() => []);
  }

  /** Returns the texts of all conversations. */
  async conversations(): Promise<string> {
    const folder = ".rooroo/conversations";
    const names = (await this.list(folder)).filter((name) => name.endsWith(".jsonl"));
    return (await Promise.all(names.map((name) => this.read(`${folder}/${name}`)))).join("");
  }

  /** Lines of the activity log, of one type if one is given. */
  async activity(
    type?: string,
  ): Promise<{ event_type: string; task_id?: string; details: Record<string, unknown> }[]> {
    const lines = (await this.read(".rooroo/logs/activity.jsonl")).split("\n").filter(Boolean);
    return lines
      .map((line) => JSON.parse(line) as { event_type: string; details: Record<string, unknown> })
      .filter((line) => type === undefined || line.event_type === type);
  }

  async close(): Promise<void> {
    for (const process of this.processes) process.kill("SIGKILL");
    for (const { input } of this.openHere) input.end();
    await Promise.all([...this.processes, ...this.openHere].map(({ ended }) => ended));
    await this.model.stop();
    await rm(this.root, { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true });
  }
}

const opened = new Set<Stage>();

/** Removes all that a test has left, however it ended; for `afterEach`. */
export async function closeStages(this: Context): Promise<void> {
  const stages = [...opened];
  opened.clear();
  await Promise.all(stages.map((stage) => stage.close()));
}
