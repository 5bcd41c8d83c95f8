import { fileURLToPath } from "node:url";
import { wantedKills } from "./kills.js";

/** When a process is to be killed: see `killSwitch.cts`. */
export interface KillOrders {
  readonly when: "before" | "after" | "torn";
  /** 1-based, among all operations or those of the kind; 0: never. */
  readonly at: number;
  /** What is done, and to what kind of file. */
  readonly kind?: string;
  /** Whether what goes over sockets and programs that are started count, too. */
  readonly talks?: boolean;
}

/** What a process that is never killed leaves in its note: how many operations it could have been killed at. */
export interface KillCounts extends Readonly<Record<KillOrders["when"], number>> {
  readonly kinds: Readonly<Record<KillOrders["when"], Readonly<Record<string, number>>>>;
}

/** A log with at least so many lines has lines of several sorts. */
const many = 10;

/**
 * Returns orders that kill a process at each kind of operation: at one of those that are alike, and at three lines of a log
 * that has many. Which of them it is differs from kind to kind, so that early and late ones are among them.
 */
export function onceOfEachKind(when: KillOrders["when"], { kinds }: KillCounts): KillOrders[] {
  return Object.entries(kinds[when]).flatMap(([kind, count], index) => {
    const parts = count < many || !kind.startsWith("write ") ? [index % 3] : [0, 1, 2];
    return parts.map((part) => ({ when, kind, at: 1 + Math.floor(((part + 0.5) * count) / 3) }));
  });
}

/**
 * Returns orders that kill a process after each change, or after as many as are wanted, spread over all of them, and in the
 * middle of a fourth as many lines that are appended.
 *
 * @param usual those of all kinds, if no number is wanted
 * @param share of what is wanted
 */
export function killOrders(
  counts: KillCounts,
  usual: (ofAllKinds: readonly KillOrders[]) => readonly KillOrders[],
  share = 1,
): readonly KillOrders[] {
  if (wantedKills === undefined) return usual(onceOfEachKind("after", counts));
  const most = wantedKills * share;
  return [
    ...spread(counts.after, most).map((at) => ({ when: "after" as const, at })),
    ...spread(counts.torn, most / 4).map((at) => ({ when: "torn" as const, at })),
  ];
}

/** Returns at most so many of the numbers from 1 on, evenly. */
function spread(count: number, most: number): number[] {
  const length = Math.min(count, Math.ceil(most));
  return Array.from({ length }, (_, index) => 1 + Math.floor(((index + 0.5) * count) / length));
}

const preload = fileURLToPath(new URL("killSwitch.cjs", import.meta.url));

/** Returns the environment of a process that carries the orders out, and leaves a note about it. */
export function killEnvironment(orders: KillOrders, note: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    ROOROO_TEST_KILL: JSON.stringify({ ...orders, note }),
  };
}
