import type { Clock, ShellResult } from "../ports.js";

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
