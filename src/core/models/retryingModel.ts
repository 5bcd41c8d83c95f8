import { ModelError } from "../errors.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";
import type { Clock } from "../ports/system.js";

const attempts = 4;
/** Wait after a failure that names no time of its own; tripled after each further failure. */
const firstWaitMs = 500;
/** Longer, because servers count their rate limits by the minute. */
const firstWaitForLimitMs = 2_000;
/** The longest wait in milliseconds. If the server asks for more, the failure is reported instead. */
const longestWaitMs = 120_000;
/** Waits from this on are told. */
const toldFromMs = 10_000;
/** No retry begins later than this after the first attempt began: each attempt may take its whole time. */
const longestMs = 15 * 60_000;

/**
 * Retries requests to a model after passing failures, a few times, however much of the reply had arrived. All
 * requests pass it, and adapters do not retry. Only a job goes on when these attempts were in vain: `OutageTolerantModel`.
 */
export class RetryingModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly clock: Clock,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const began = this.clock.now().getTime();
    for (let attempt = 1; ; attempt++) {
      try {
        yield* this.model.respond(request, signal);
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError) || !error.passing) throw error;
        const waitMs = waitAfter(error, attempt);
        // Nothing of a limit for the day is back in a moment.
        const isInVain = error.isForDay && error.retryAfterMs === undefined;
        const tooLate = this.clock.now().getTime() + waitMs - began > longestMs;
        if (attempt === attempts || waitMs > longestWaitMs || tooLate || isInVain) {
          throw attempt === 1 ? error : triedInVain(error, attempt);
        }
        const told = waitMs < toldFromMs ? {} : { waitMs };
        yield { type: "retry", attempt: attempt + 1, attempts, code: error.code, ...told };
        await this.clock.sleep(waitMs, signal);
      }
    }
  }
}

type Failure = Pick<ModelError, "code" | "message" | "retryAfterMs" | "isForDay">;

function waitAfter({ code, retryAfterMs }: Failure, attempt: number): number {
  const first = code === "rateLimited" ? firstWaitForLimitMs : firstWaitMs;
  return retryAfterMs ?? first * 3 ** (attempt - 1);
}

function triedInVain(error: Failure, times: number): ModelError {
  const { code, message, retryAfterMs, isForDay } = error;
  return new ModelError(
    code,
    "{problem} No answer after {times} tries.",
    { problem: message, times },
    { retryAfterMs, isForDay },
  );
}
