import type { Shell, ShellRequest, ShellResult } from "../ports.js";
import { BackgroundCommand } from "./backgroundCommand.js";

/** Functions with which a person stops a single command, by the id of the call that started it. */
export type CommandStops = Map<string, () => void>;

/** The commands of one activation of a task. None of them outlives it. */
export class TaskCommands {
  private readonly background = new Map<string, BackgroundCommand>();
  private readonly running = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private count = 0;

  /** @param stops the stop functions of all commands of this process */
  constructor(private readonly stops: CommandStops) {}

  /** Runs a command to its end. A person can stop it alone; `signal` stops it with its task. */
  async run(
    callId: string,
    shell: Pick<Shell, "run">,
    request: ShellRequest,
    signal: AbortSignal,
  ): Promise<ShellResult> {
    const stopping = new AbortController();
    this.stops.set(callId, () => {
      stopping.abort();
    });
    try {
      return await shell.run(request, AbortSignal.any([signal, stopping.signal]));
    } finally {
      this.stops.delete(callId);
    }
  }

  /**
   * Starts a command and does not wait for it.
   *
   * @param onEnd called with the result; with an error if the command could not be run
   */
  start(
    callId: string,
    shell: Pick<Shell, "run">,
    request: ShellRequest & { readonly outputPath: string },
    onEnd: (end: ShellResult | Error) => void,
  ): BackgroundCommand {
    const id = `c${++this.count}`;
    const stopping = new AbortController();
    const command = new BackgroundCommand(id, request.command, request.outputPath, stopping);
    const onOutput = (text: string) => {
      command.hear(text);
      request.onOutput(text);
    };
    const work = async (): Promise<void> => {
      try {
        const signal = AbortSignal.any([this.ending.signal, stopping.signal]);
        const result = await this.run(callId, shell, { ...request, onOutput }, signal);
        onEnd(result);
        command.ended(result);
      } catch (error) {
        const problem = error instanceof Error ? error : new Error(String(error));
        onEnd(problem);
        command.hear(problem.message);
        command.ended(notRun);
      }
    };
    this.background.set(id, command);
    const running = work().finally(() => this.running.delete(running));
    this.running.add(running);
    return command;
  }

  find(id: string): BackgroundCommand | undefined {
    return this.background.get(id);
  }

  /** The background commands that have not ended. */
  get runningOn(): readonly BackgroundCommand[] {
    return [...this.background.values()].filter(({ result }) => result === undefined);
  }

  /** Ends all background commands; resolves when none of them is left. */
  async endAll(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
  }
}

const notRun: ShellResult = {
  exitCode: null,
  signal: null,
  endedBy: "stop",
  output: "",
  omitted: 0,
  durationMs: 0,
};
