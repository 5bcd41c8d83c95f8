import { randomBytes, randomInt } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../core/errors.js";
import type { HeldLock, Lock, LockHolder } from "../../core/ports/locks.js";
import { KeyedQueue } from "../../core/text/keyedQueue.js";
import { DirectoryHandle } from "../files/directoryHandle.js";
import { durablyCreate } from "../files/durableWrite.js";
import { fileError } from "../files/fileError.js";
import { claim, find, remove, type FoundLock, type LockContent } from "../files/lockFile.js";
import { isMissing } from "../files/realLocation.js";
import { isAlive, thisProcess } from "../processes/processIdentity.js";

const folder = ".rooroo/locks";
/** Milliseconds of silence after which a holder on another host is considered dead. */
const deadAfterMs = 60_000;
/** Heartbeats that a holder may miss before it is watched to see whether it is suspended. */
const missedBeats = 3;
/** Milliseconds that {@link FileLock.exclusively} waits before it throws an error that names the holder. */
const timeoutMs = 30_000;

/** Makes the callers within this process take turns, whichever lock object they use. */
const turns = new KeyedQueue();

/**
 * Locks as files in `.rooroo/locks`, held by processes that may die at any moment.
 *
 * A dead holder's file is removed only by the process that has made the file `TOKEN.takeover`, named
 * after the very claim that is to be removed. So two processes that find the same dead holder cannot
 * remove first its file and then that of its successor.
 */
export class FileLock implements Lock {
  private readonly me = thisProcess();
  private real: string | undefined;
  private isIgnored = false;

  /**
   * @param root the workspace folder's absolute path
   * @param label the name that people see for this process, as in `VS Code`
   * @param heartbeatMs milliseconds between two heartbeats, which show other hosts that a lock's holder
   *   lives
   */
  constructor(
    private readonly root: string,
    private readonly label: string,
    private readonly heartbeatMs = 10_000,
  ) {}

  async tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }> {
    const result = await this.attempt(name);
    if ("held" in result) return result;
    if (result.holder === undefined) throw foreignLock(name);
    return { holder: result.holder };
  }

  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return turns.run(join(this.root, folder, name), async () => {
      const held = await this.waitFor(name);
      try {
        return await work();
      } finally {
        await held.release();
      }
    });
  }

  async holder(name: string): Promise<LockHolder | undefined> {
    return this.doing(name, async () => {
      const found = await this.find(fileOf(name));
      return found && this.isHeld(found) ? (holderOf(found) ?? unknownHolder) : undefined;
    });
  }

  private async waitFor(name: string): Promise<HeldLock> {
    const started = performance.now();
    for (let longest = 8; ; longest = Math.min(2 * longest, 200)) {
      const result = await this.attempt(name);
      if ("held" in result) return result.held;
      if (performance.now() - started > timeoutMs) {
        if (result.holder === undefined) throw foreignLock(name);
        const { label, pid, host } = result.holder;
        throw new UserError(
          "lockHeldTooLong",
          "{holder} (process {pid} on {host}) has kept {lock} locked for too long. Close it, then try again.",
          { holder: label, pid, host, lock: name },
        );
      }
      await pause(randomInt(1, longest));
    }
  }

  /** Tries to take the lock. The holder is `undefined` if this program has not written the lock file. */
  private async attempt(
    name: string,
  ): Promise<{ held: HeldLock } | { holder: LockHolder | undefined }> {
    return this.doing(name, async () => {
      const file = fileOf(name);
      const mine = this.content();
      for (;;) {
        if (await this.claim(file, mine)) return { held: this.held(name, mine.token) };
        const found = await this.find(file);
        if (!found) continue;
        if (this.isHeld(found) && !(await this.standsStill(file, found))) {
          return { holder: holderOf(found) };
        }
        await this.removeDead(file, found.token);
      }
    });
  }

  private held(name: string, token: string): HeldLock {
    const file = fileOf(name);
    const isMine = async (): Promise<boolean> => (await this.find(file))?.token === token;
    const beat = async (): Promise<void> => {
      // If this process was suspended and lost its lock, it must not refresh the lock of the new
      // holder.
      if (!(await isMine())) return;
      await this.inFolder(false, (held) => held.touch(file, new Date()));
    };
    const heartbeat = setInterval(() => {
      // A missed heartbeat is ignored: if the lock is lost, `check` reports it.
      beat().catch(() => undefined);
    }, this.heartbeatMs).unref();
    return {
      check: async () => {
        if (await this.doing(name, isMine)) return;
        throw new UserError(
          "workTakenOver",
          "This process was suspended and another one took its work over, so its result is not used.",
        );
      },
      release: async () => {
        clearInterval(heartbeat);
        await this.doing(name, () => this.remove(file, token));
      },
    };
  }

  private isHeld({ content, idleMs }: FoundLock): boolean {
    return (content && isAlive(content, this.me)) ?? idleMs < deadAfterMs;
  }

  /**
   * Returns whether the holder is suspended: it has been silent for several heartbeats and still is after being
   * watched for more than one, because clocks may jump and machines sleep.
   */
  private async standsStill(file: string, found: FoundLock): Promise<boolean> {
    if (found.idleMs < this.heartbeatMs * missedBeats) return false;
    await pause(this.heartbeatMs * 1.5);
    const foundNow = await this.find(file);
    return foundNow?.token === found.token && foundNow.modifiedAt === found.modifiedAt;
  }

  private async removeDead(file: string, token: string): Promise<void> {
    const guard = `${token}.takeover`;
    const mine = this.content();
    if (await this.claim(guard, mine)) {
      await this.remove(file, token);
      await this.remove(guard, mine.token);
      return;
    }
    const other = await this.find(guard);
    // The process that is taking over may have died, too; its claim has a token of its own.
    if (other && !this.isHeld(other)) await this.removeDead(guard, other.token);
    else await pause(randomInt(1, 8));
  }

  private content(): LockContent {
    const token = randomBytes(12).toString("hex");
    return { ...this.me, label: this.label, since: new Date().toISOString(), token };
  }

  private async doing<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!/^[\w-]+$/.test(name)) throw new Error(`not a lock's name: ${JSON.stringify(name)}`);
    try {
      return await work();
    } catch (error) {
      throw fileError(error, pathOf(name), "lock");
    }
  }

  private async claim(file: string, mine: LockContent): Promise<boolean> {
    if (this.isIgnored) {
      try {
        return await this.inFolder(false, (held) => claim(held, file, mine));
      } catch (error) {
        // The folder was deleted, so it is made again below.
        if (!isMissing(error)) throw error;
      }
    }
    return this.inFolder(true, async (held, real) => {
      // Whoever works here begins with a lock, so that this is there before any record is.
      const { ignoreRecords } = await import("./ignoredRecords.js");
      await ignoreRecords(real, held);
      // The folder above may have rules of the user's own.
      await durablyCreate(held, ".gitignore", Buffer.from("*\n"));
      this.isIgnored = true;
      return claim(held, file, mine);
    });
  }

  private async find(file: string): Promise<FoundLock | undefined> {
    try {
      return await this.inFolder(false, (held) => find(held, file));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  private async remove(file: string, token: string): Promise<void> {
    try {
      await this.inFolder(false, (held) => remove(held, file, token));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  private async inFolder<T>(
    make: boolean,
    work: (held: DirectoryHandle, real: string) => Promise<T>,
  ): Promise<T> {
    this.real ??= join(await realpath(this.root), folder);
    const held = make
      ? await DirectoryHandle.openOrMake(this.real)
      : DirectoryHandle.open(this.real);
    try {
      return await work(held, this.real);
    } finally {
      held.close();
    }
  }
}

const unknownHolder: LockHolder = { pid: 0, host: "?", label: "an unknown program", since: "" };

/** Returns the lock's holder; `undefined` if this program has not written the lock file. */
function holderOf({ content }: FoundLock): LockHolder | undefined {
  if (!content) return undefined;
  const { pid, host, label, since } = content;
  return { pid, host, label, since };
}

function foreignLock(name: string): UserError {
  return new UserError(
    "notALock",
    "{path} is not a lock that Rooroo has written, so it is not known whether somebody is working here. If nobody is, delete that file, then try again.",
    { path: pathOf(name) },
  );
}

function pathOf(name: string): string {
  return `${folder}/${fileOf(name)}`;
}

function fileOf(name: string): string {
  return `${name}.lock`;
}
