import { ModelError } from "../../errors.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../ports/model.js";
import type { Clock } from "../../ports/system.js";

/** The first pause after a failure, and the longest, in milliseconds; each is twice as long as the one before. */
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
/** The longest outage in milliseconds, if the job has no end of its own. */
const longestOutageMs = 2 * 3_600_000;
/**
 * The most milliseconds of an outage between one failure and the next, beside the pause: what is more is a clock that was set,
 * or a machine that slept.
 */
const longestRequestMs = 15 * 60_000;
/** The number of replies in a row after which one more request may be made at a time again. */
const repliesToWiden = 10;

/** Errors of the server, or of the way to it, that have nothing to do with the request. */
const outages: ReadonlySet<string> = new Set(["rateLimited", "server", "unreachable"]);

/** News of an outage, for people. */
export type OutageNews =
  | { readonly type: "waits"; readonly error: ModelError; readonly until: Date }
  | { readonly type: "over"; readonly lastedMs: number };

/** The facts of a job that decide how its server is treated. */
export interface JobOfServer {
  /** The most requests at a time. */
  readonly runners: number;
  /** When the job may no longer go on. Absent: whenever it likes. */
  readonly until?: Date | undefined;
  /** Whether a limit is waited for however far its reset is. */
  readonly waits: boolean;
  /** Whether the server has answered the job before, in this process or in an earlier one. */
  readonly hasAnswered: boolean;
}

/**
 * The state of the model's server, shared by all runners of a process. While the server does not answer, they wait,
 * with growing pauses or as long as the server asks for, and retry one after the other. A server that limits the rate
 * of requests gets fewer at a time.
 */
export class ServerHealth {
  /** The milliseconds that the outage has lasted; `undefined` if there is none. */
  private lasted: number | undefined;
  /** When the last failure was, in milliseconds since the epoch. */
  private seen = 0;
  /** The pause that grows from failure to failure, and the one that was begun last, in milliseconds. */
  private growingMs = 0;
  private pauseMs = 0;
  /** No request is made before this time. */
  private next = 0;
  private atWork = 0;
  private most: number;
  private replies = 0;
  private hasAnswered: boolean;
  /** The limit of the server's that the job cannot wait for. Absent: there is none. */
  reachedLimit: ModelError | undefined;
  /** Callbacks of requests that wait until a request of another runner ends. */
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly job: JobOfServer,
    private readonly onNews: (news: OutageNews) => void,
  ) {
    this.most = job.runners;
    this.hasAnswered = job.hasAnswered;
  }

  /** Resolves when a request may be made. Throws the signal's reason when it aborts. */
  async enter(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // A clock that was set back makes no pause longer.
      this.next = Math.min(this.next, this.now() + this.pauseMs);
      const pause = this.next - this.now();
      if (pause > 0) await this.clock.sleep(pause, signal);
      // While the server fails, one request at a time finds out whether it answers again.
      else if (this.atWork < (this.lasted === undefined ? this.most : 1)) break;
      else await this.turn(signal);
    }
    this.atWork++;
  }

  /** A request has ended, however it did. */
  leave(): void {
    this.atWork--;
    for (const wake of this.queue.splice(0)) wake();
  }

  answered(): void {
    this.hasAnswered = true;
    if (this.lasted !== undefined) {
      this.onNews({ type: "over", lastedMs: this.lasts(this.now()) });
      this.lasted = undefined;
      this.growingMs = 0;
    }
    if (++this.replies % repliesToWiden === 0)
      this.most = Math.min(this.job.runners, this.most + 1);
  }

  /**
   * Returns whether a failure has nothing to do with the request. A server that has answered before sends a web page only
   * while a gateway is in trouble; nothing, or half an answer, comes of no address that is wrong.
   */
  isOutage(error: unknown): error is ModelError {
    if (!(error instanceof ModelError)) return false;
    if (error.code === "brokenResponse") return error.passing || this.hasAnswered;
    return error.passing && outages.has(error.code);
  }

  /** Returns whether the request is to be made again, after the pause that begins now. */
  failed(error: ModelError): boolean {
    const now = this.now();
    this.lasted = this.lasts(now);
    this.seen = now;
    this.replies = 0;
    if (error.code === "rateLimited") this.most = Math.max(1, Math.floor(this.most / 2));
    this.growingMs = Math.min(longestPauseMs, Math.max(firstPauseMs, this.growingMs * 2));
    const pause = Math.max(this.growingMs, error.retryAfterMs ?? 0);
    const isLimit = error.code === "rateLimited";
    const { until, waits } = this.job;
    const longest = waits && isLimit ? Infinity : now - this.lasted + longestOutageMs;
    if (now + pause >= (until?.getTime() ?? longest)) {
      if (isLimit) this.reachedLimit = error;
      return false;
    }
    this.pauseMs = pause;
    this.next = now + pause;
    this.onNews({ type: "waits", error, until: new Date(this.next) });
    return true;
  }

  /** Returns how long the outage has lasted, in milliseconds, whatever was done to the clock meanwhile. */
  private lasts(now: number): number {
    if (this.lasted === undefined) return 0;
    const step = Math.min(now - this.seen, this.pauseMs + longestRequestMs);
    return this.lasted + Math.max(0, step);
  }

  private now(): number {
    return this.clock.now().getTime();
  }

  /** Resolves when a request of another runner has ended. */
  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.queue.push(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
  }
}

/**
 * A model for work that nobody watches: a request that fails because the server is down, or takes no more requests, is
 * made again when the server answers. All other errors are thrown.
 */
export class OutageTolerantModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly health: ServerHealth,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (let attempt = 2; ; attempt++) {
      await this.health.enter(signal);
      try {
        yield* this.model.respond(request, signal);
        this.health.answered();
        return;
      } catch (error) {
        const { health } = this;
        if (signal.aborted || !health.isOutage(error) || !health.failed(error)) throw error;
        yield { type: "retry", attempt, code: error.code };
      } finally {
        this.health.leave();
      }
    }
  }
}
