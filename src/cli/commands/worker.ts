import { createHash } from "node:crypto";
import { join } from "node:path";
import type { HeldLock } from "../../core/ports/locks.js";
import { translatable } from "../../core/text/translator.js";
import { makeFolder } from "../../node/files/directoryHandle.js";
import { checkoutsIn, TeamRepository } from "../../node/git/teamRepository.js";
import { FileLock } from "../../node/locks/fileLock.js";
import { SystemClock } from "../../node/systemClock.js";
import { userFolder } from "../../node/user/userFolder.js";
import { createProcessShell } from "../../runtime/services.js";
import { loadTeamQueue } from "../../runtime/teamConnection.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { givenSettings } from "../session/givenSettings.js";
import { ClaimedTask, type ClaimedTaskOptions } from "../team/claimedTask.js";
import { Heartbeat } from "../team/heartbeat.js";
import { patientQueue } from "../team/patientQueue.js";
import { labelsOf, machineName, repositoriesOf, teamSettings } from "../team/teamSettings.js";
import { workOff } from "../team/workOff.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result, StopSignal } from "./command.js";
import { stopOnSignals } from "./work.js";

/** Milliseconds before a call is made again that could not reach the database. */
const restMs = 1_000;

interface Given {
  readonly db: string | undefined;
  readonly repos: string | undefined;
  readonly slots: number;
  readonly labels: string | undefined;
  readonly name: string | undefined;
  readonly keepDays: number;
}

/** Works on the tasks of a team's queue until it is stopped. */
export async function runWorker(given: Given, cli: Cli): Promise<Result<"stopped">> {
  const { terminal, options } = cli;
  const { keepDays } = given;
  const { url, key } = teamSettings(given.db, cli.terminal);
  if (given.repos === undefined) {
    throw new WrongUse(
      "repositoriesNotNamed",
      "Name by --repos the file that says on which repositories this worker works.",
    );
  }
  const repositories = await repositoriesOf(given.repos);
  const machine = machineName(given.name);
  const settings = { ...(await givenSettings(options, process.env)), concurrency: 1 };
  const folder = join(userFolder(process.env), "workers", machine);
  await makeFolder(folder);
  const alone = await aloneIn(folder);
  const tell = (text: string): void => {
    terminal.print(`${terminalText(text)}\n`);
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop: { by?: StopSignal } = {};
  stopOnSignals(cli.ended, (by) => {
    stop.by = by;
    stopping.abort();
  });
  const clock = new SystemClock();
  // What goes wrong is tried again every second, and told when it is something else than before.
  let last: string | undefined;
  const trouble = (error: Error | undefined): void => {
    if (error !== undefined && error.message !== last) tell(`! ${error.message}`);
    last = error?.message;
  };
  const loaded = await loadTeamQueue(url, { watches: true, keepDays, onError: trouble });
  const queue = patientQueue(loaded, () => clock.sleep(restMs, new AbortController().signal));
  const heartbeat = new Heartbeat(queue);
  try {
    const checkouts = join(folder, "checkouts");
    const caches = await cachesOf(repositories, folder);
    await removeLeft(checkouts, caches);
    await makeFolder(checkouts);
    const worker = { machine, repositories: [...caches.keys()], labels: labelsOf(given.labels) };
    const names = worker.repositories.join(", ");
    tell(t("Worker {0}: {1} at once, on {2}.", machine, given.slots, names));
    const common = { queue, key, checkouts, heartbeat, tell };
    const { slots } = given;
    const how = { slots, queue, signal, clock, random: Math.random, trouble };
    await workOff(worker, how, async (claim) => {
      const repository = caches.get(claim.plan.repository);
      if (repository === undefined) throw new Error(`a claim of ${claim.plan.repository}`);
      const own = { ...settings, redactor: terminal.redactor };
      const all: ClaimedTaskOptions = { ...common, worker, repository, settings: own };
      const about = `${claim.plan.repository} ${claim.taskId}`;
      tell(t("{0}: attempt {1} begins", about, claim.attempt));
      const end = await new ClaimedTask(claim, all).work(signal);
      tell(t(ends[end], about, claim.attempt));
    });
  } finally {
    heartbeat.stop();
    await loaded.close();
    await alone.release();
  }
  return stop.by === undefined ? { end: "done" } : { end: "stopped", signal: stop.by };
}

/** Holds a worker's folder. Throws {@link WrongUse} if another process works under this name. */
async function aloneIn(folder: string): Promise<HeldLock> {
  const alone = await new FileLock(folder, "rooroo worker").tryHold("worker");
  if ("held" in alone) return alone.held;
  throw new WrongUse(
    "workerRuns",
    "A worker of this name runs here already (process {pid}). Give this one another by --name.",
    { pid: alone.holder.pid },
  );
}

const ends = {
  done: translatable("{0}: attempt {1} is done"),
  failed: translatable("{0}: attempt {1} has failed"),
  asks: translatable("{0}: attempt {1} waits for an answer"),
  released: translatable("{0}: attempt {1} ended without a result; the task is queued again"),
  lost: translatable("{0}: attempt {1} was given to another worker"),
};

async function cachesOf(
  repositories: ReadonlyMap<string, string>,
  folder: string,
): Promise<ReadonlyMap<string, TeamRepository>> {
  const made = new Map<string, TeamRepository>();
  for (const [name, address] of repositories) {
    // Another address of the same name is another repository.
    const hash = createHash("sha256").update(address).digest("hex").slice(0, 16);
    const place = join(folder, "caches", `${name}-${hash}.git`);
    made.set(name, await TeamRepository.cache(place, address));
  }
  return made;
}

/** Ends the commands and removes the checkouts of a worker of this name that was killed. */
async function removeLeft(
  checkouts: string,
  caches: ReadonlyMap<string, TeamRepository>,
): Promise<void> {
  for (const root of await checkoutsIn(checkouts)) {
    await createProcessShell(root).endOrphaned();
    for (const repository of caches.values()) await repository.remove(root);
  }
}
