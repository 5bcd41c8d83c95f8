import type { Clock, ShellResult } from "../ports.js";

/** Characters that wait to be asked for; of more, the end. The shell keeps the whole in its file. */
const maxUnread = 24_000;

/** A command that runs on after the call that started it. */
export class BackgroundCommand {
  private unread = "";
  private omitted = 0;
  private end: ShellResult | undefined;
  private readonly waiting = new Set<() => void>();

  /**
   * @param id how the model names it, as in `c1`
   * @param command the command line
   * @param outputPath the file with all of its output, once that is long
   */
  constructor(
    readonly id: string,
    readonly command: string,
    readonly outputPath: string,
    private readonly ending: AbortController,
  ) {}

  /** `undefined` while it runs. */
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

  /** What was printed since this was last asked; `omitted` characters are missing before it. */
  take(): { readonly output: string; readonly omitted: number } {
    const taken = { output: this.unread, omitted: this.omitted };
    this.unread = "";
    this.omitted = 0;
    return taken;
  }

  /** Resolves when it has ended, or when the time is up; with `forOutput`, also when there is some. */
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

  /** Asks it to end; {@link wait} tells when it has. */
  stop(): void {
    this.ending.abort();
  }

  private wake(): void {
    for (const look of [...this.waiting]) look();
  }
}
