import type { Clock } from "../ports.js";
import { type Limit, noUse, reached, type Use, useText } from "./use.js";
import type { UsageLog } from "./usageLog.js";

export interface SpendLimits {
  readonly task: Limit;
  readonly day: Limit;
}

/** A limit that is used up, in words for whoever decides whether it goes on. */
export interface ReachedLimit {
  readonly of: "task" | "day";
  /** As in `200 requests`. */
  readonly used: string;
  /** As in `Go on for another 200 requests`. */
  readonly title: string;
  readonly text: string;
  /** Lets it go on for as much again. */
  goOn(): void;
}

interface World {
  readonly clock: Clock;
  /** Absent where days are not counted. */
  readonly usageLog?: UsageLog | undefined;
  limits(): SpendLimits | undefined;
}

/**
 * Watches what tasks and days use. What a person lets go on is kept in memory: a process that starts
 * anew asks anew, so that no file says that more may be spent.
 */
export class Spending {
  /** What was used when it was last let go on, by task and by day. */
  readonly #since = new Map<string, Use>();

  constructor(private readonly world: World) {}

  /** Throws a `UserError` when a day is limited and what it used cannot be read. */
  async reached(taskId: string, used: Use): Promise<ReachedLimit | undefined> {
    const { clock, usageLog } = this.world;
    const limits = this.world.limits();
    if (limits === undefined) return undefined;
    const ofTask = this.#reached("task", taskId, `Task ${taskId}`, limits.task, used);
    if (ofTask !== undefined || usageLog === undefined) return ofTask;
    const { requests, tokens, cost } = limits.day;
    if ((requests ?? tokens ?? cost) === undefined) return undefined;
    const now = clock.now();
    const day = now.toDateString();
    return this.#reached("day", day, "Today’s work", limits.day, await usageLog.onDay(now));
  }

  #reached(
    of: "task" | "day",
    name: string,
    who: string,
    limit: Limit,
    now: Use,
  ): ReachedLimit | undefined {
    const key = `${of} ${name}`;
    const kind = reached(limit, this.#since.get(key) ?? noUse, now);
    if (kind === undefined) return undefined;
    const used = useText(kind, now[kind]);
    const more = useText(kind, limit[kind] ?? 0);
    return {
      of,
      used,
      title: `Go on for another ${more}`,
      text: `${who} has used ${used}. Go on for another ${more}?`,
      goOn: () => {
        this.#since.set(key, now);
      },
    };
  }
}
