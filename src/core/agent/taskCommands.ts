import type { Shell, ShellRequest, ShellResult } from "../ports/shell.js";
import type { Clock } from "../ports/system.js";

/** An event of a command that keeps running after its call has ended. */
export type CommandEvent =
  /** Emitted before the call ends; `toolOutput` events continue until the command itself ends. */
  | { readonly type: "commandRunsOn"; readonly callId: string }
  | {
      readonly type: "commandEnded";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
      readonly durationMs: number;
    };

/** Functions with which a person stops a single command, by the id of the call that started it. */
export type CommandStops = Map<string, () => void>;

/** The commands of an agent at work. None of them outlives it. */
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
   * @param onEnd called with the result; with an error if the command could not be run. The command counts as
   *   ended when the promise resolves
   */
  start(
    callId: string,
    shell: Pick<Shell, "run">,
    request: ShellRequest & { readonly outputPath: string },
    onEnd: (end: ShellResult | Error) => Promise<void>,
  ): BackgroundCommand {
    const id = `c${++this.count}`;
    const stopping = new AbortController();
    const command = new BackgroundCommand(id, request.command, request.outputPath, stopping);
    const onOutput = (text: string) => {
      command.hear(text);
      request.onOutput(text);
    };
    const work = async (): Promise<void> => {
      let result: ShellResult;
      try {
        const signal = AbortSignal.any([this.ending.signal, stopping.signal]);
        result = await this.run(callId, shell, { ...request, onOutput }, signal);
        await onEnd(result);
      } catch (error) {
        const problem = error instanceof Error ? error : new Error(String(error));
        await onEnd(problem);
        command.hear(problem.message);
        result = notRun;
      }
      command.ended(result);
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

/** Characters of unread output that are kept, from its end. All of the output is in the shell's file. */
const maxUnread = 24_000;

/** A command that keeps running after the call that started it. */
export class BackgroundCommand {
  private unread = "";
  private omitted = 0;
  private end: ShellResult | undefined;
  private readonly waiting = new Set<() => void>();

  /**
   * @param id the name that the model uses for the command, as in `c1`
   * @param command the command line
   * @param outputPath the file with all of the output, once that is long
   * @param ending ends the command when it is aborted
   */
  constructor(
    readonly id: string,
    readonly command: string,
    readonly outputPath: string,
    private readonly ending: AbortController,
  ) {}

  /** The command's result; `undefined` while it runs. */
  get result(): ShellResult | undefined {
    return this.end;
  }

  hear(text: string): void {
    const all = this.unread + text;
    this.unread = all.slice(-maxUnread);
    this.omitted += all.length - this.unread.length;
    this.wake();
  }

  ended(result: ShellResult): void {
    this.end = result;
    this.wake();
  }

  /** Returns the output since the last call and clears it. `omitted` characters before it were dropped. */
  take(): { readonly output: string; readonly omitted: number } {
    const taken = { output: this.unread, omitted: this.omitted };
    this.unread = "";
    this.omitted = 0;
    return taken;
  }

  /**
   * Resolves when the command has ended or `ms` have passed; with `forOutput`, also when there is unread
   * output. Rejects when the signal aborts.
   */
  async wait(
    ms: number,
    { clock, signal, forOutput }: { clock: Clock; signal: AbortSignal; forOutput: boolean },
  ): Promise<void> {
    if (ms <= 0 || this.end !== undefined || (forOutput && this.unread !== "")) return;
    const woken = new AbortController();
    const look = () => {
      if (this.end !== undefined || forOutput) woken.abort();
    };
    this.waiting.add(look);
    try {
      await clock.sleep(ms, AbortSignal.any([signal, woken.signal]));
    } catch (error) {
      if (!woken.signal.aborted) throw error;
    } finally {
      this.waiting.delete(look);
    }
  }

  /** Asks the command to end; {@link wait} resolves when it has. */
  stop(): void {
    this.ending.abort();
  }

  private wake(): void {
    for (const look of [...this.waiting]) look();
  }
}
