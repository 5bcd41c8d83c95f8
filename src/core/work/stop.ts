import { readOwnDocument } from "../access/namedFile.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Clock, Ids } from "../ports/system.js";

/** Milliseconds that a stop waits for the work to end. */
const stopTimeoutMs = 30_000;
/** Milliseconds between two looks at who is still at work. */
const lookMs = 200;
/** Milliseconds between two checks for a stop order. */
const hearMs = 1_000;

/** The number of those at work when they were told to stop, and of those that still are. */
export interface Stopped {
  readonly found: number;
  readonly left: number;
}

/** Returns the reason with which work ends that the user has stopped. */
export function stoppedByUser(): UserError {
  return new UserError("stoppedByUser", "Stopped by the user");
}

/**
 * Orders the work of this name to stop, in all processes, and waits up to 30 seconds until it has ended.
 *
 * @param atWork counts those that are at work now, in all processes
 * @param endsHere resolves when the part of the work has ended that runs in this process
 */
export async function stopWork(
  name: string,
  atWork: () => Promise<number>,
  { files, clock, ids }: { files: FileSystem; clock: Clock; ids: Ids },
  endsHere?: Promise<unknown>,
): Promise<Stopped> {
  const began = clock.now().getTime();
  const found = await atWork();
  await files.replaceFile(orderPath(name), `${ids.hex(16)}\n`);
  if (endsHere !== undefined) await within(stopTimeoutMs, endsHere, clock);
  for (;;) {
    const left = await atWork();
    if (left === 0 || clock.now().getTime() - began > stopTimeoutMs) return { found, left };
    await clock.sleep(lookMs, new AbortController().signal);
  }
}

/**
 * Does work that ends when the user orders its name to stop, whichever process gives the order.
 *
 * @param signal also ends the work
 * @param work is given the signal that tells of either
 */
export async function untilStopped<T>(
  name: string,
  { files, clock }: { files: FileSystem; clock: Clock },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const before = await orderText(name, files);
  const [ended, stopping] = [new AbortController(), new AbortController()];
  const hear = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(hearMs, ended.signal);
      if ((await orderText(name, files)) === before) continue;
      stopping.abort(stoppedByUser());
      return;
    }
  };
  // The only rejection is that of the sleep when the work has ended.
  const hearing = hear().catch(() => undefined);
  try {
    return await work(AbortSignal.any([signal, stopping.signal]));
  } finally {
    ended.abort();
    await hearing;
  }
}

/** Resolves when the work has ended, however it ends, or when the time is up. */
async function within(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), late]);
  over.abort();
  await late;
}

/** An order is a file whose text differs from the text at the start of the work. */
function orderPath(name: string): string {
  return `.rooroo/locks/${name}.stop`;
}

/** Returns the text of the latest order; `""` if there was none, or if it cannot be read. */
async function orderText(name: string, files: FileSystem): Promise<string> {
  const bytes = await readOwnDocument(orderPath(name), files).catch(() => undefined);
  return new TextDecoder().decode(bytes);
}
