import type { TaskId } from "../ids.js";
import type { Clock } from "../ports/system.js";
import { type Said, type Words, words } from "../text/words.js";
import { type Limit, noSpending, reached, type SpendTotals, spendingText } from "./spendTotals.js";
import type { UsageLog } from "./usageLog.js";

export interface SpendLimits {
  readonly task: Limit;
  readonly day: Limit;
}

/** A reached limit, in words for the person who decides whether the work continues. */
export interface ReachedLimit {
  readonly of: "task" | "day";
  /** The usage, as in `200 requests`. */
  readonly used: Said;
  /** The title of the proposed action, as in `Go on for another 200 requests`. */
  readonly title: Words;
  readonly text: Words;
  /** Allows as much once more. */
  goOn(): void;
}

interface Services {
  readonly clock: Clock;
  /** Absent if days are not counted. */
  readonly usageLog?: UsageLog | undefined;
  limits(): SpendLimits | undefined;
}

/**
 * Checks the usage of tasks and days against their limits. What a person allows beyond them is kept in
 * memory: a new process asks again, so that no file can say that more may be spent.
 */
export class Spending {
  /** The usage when more was last allowed, by task and by day. */
  private readonly since = new Map<string, SpendTotals>();

  constructor(private readonly services: Services) {}

  /**
   * Returns the limit that the task or the day has reached; `undefined` if there is none.
   *
   * @throws a `UserError` if days are limited and the day's usage cannot be read
   */
  async reached(taskId: TaskId, used: SpendTotals): Promise<ReachedLimit | undefined> {
    const limits = this.services.limits();
    if (limits === undefined) return undefined;
    const ofTask = this.reachedLimit(
      "task",
      taskId,
      words("Task {task}", { task: taskId }),
      limits.task,
      used,
    );
    return ofTask ?? this.reachedToday();
  }

  /**
   * Returns the limit that the day has reached; `undefined` if there is none.
   *
   * @throws a `UserError` if days are limited and the day's usage cannot be read
   */
  async reachedToday(): Promise<ReachedLimit | undefined> {
    const { clock, usageLog } = this.services;
    const limits = this.services.limits();
    if (limits === undefined || usageLog === undefined) return undefined;
    const { requests, tokens, cost } = limits.day;
    if ((requests ?? tokens ?? cost) === undefined) return undefined;
    const now = clock.now();
    const day = now.toDateString();
    return this.reachedLimit(
      "day",
      day,
      words("Today’s work"),
      limits.day,
      await usageLog.onDay(now),
    );
  }

  /** Returns the limit of a task or day that was reached since more was last allowed. */
  private reachedLimit(
    of: "task" | "day",
    name: string,
    who: Words,
    limit: Limit,
    now: SpendTotals,
  ): ReachedLimit | undefined {
    const key = `${of} ${name}`;
    const kind = reached(limit, this.since.get(key) ?? noSpending, now);
    if (kind === undefined) return undefined;
    const used = spendingWords(kind, now[kind]);
    const more = spendingWords(kind, limit[kind] ?? 0);
    return {
      of,
      used,
      title: words("Go on for another {more}", { more }),
      text: words("{who} has used {used}. Go on for another {more}?", { who, used, more }),
      goOn: () => {
        this.since.set(key, now);
      },
    };
  }
}

/** Returns an amount as it is said, as in `200 requests`. */
function spendingWords(kind: keyof SpendTotals, amount: number): Said {
  switch (kind) {
    case "cost":
      return spendingText(kind, amount);
    case "requests":
      return words("{n, plural, one {# request} other {# requests}}", { n: amount });
    case "tokens":
      return words("{n, plural, one {# token} other {# tokens}}", { n: amount });
  }
}
