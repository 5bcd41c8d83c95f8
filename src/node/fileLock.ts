import { randomBytes, randomInt } from "node:crypto";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FileError, UserError } from "../core/errors.js";
import type { HeldLock, Lock, LockHolder } from "../core/ports.js";
import { errorCode, fileError } from "./fileError.js";
import { isWithin } from "./findProgram.js";
import { claim, find, remove, type FoundLock, type LockContent } from "./lockFile.js";
import { isAlive, thisProcess } from "./processIdentity.js";
import { realLocation } from "./realLocation.js";
import { SerialByKey } from "../core/serialByKey.js";

const folder = ".rooroo/locks";
/** A holder on another host that was silent for so long is taken for dead. */
const silentMs = 60_000;
/** Heartbeats that a holder on this host may miss before it is looked at more closely. */
const silentBeats = 3;
/** {@link FileLock.exclusively} is for moments; who waits longer is told who is in the way. */
const patienceMs = 30_000;

/** Turns within this process, whichever object they are asked of. */
const turns = new SerialByKey();

/**
 * Locks as files in `.rooroo/locks`, held by processes that may die at any moment.
 *
 * A dead holder's file is removed only by whoever has made the file `TOKEN.takeover`, named for the
 * very claim that is to be removed. So two that found the same dead holder cannot remove, one after
 * the other, first it and then its successor.
 */
export class FileLock implements Lock {
  private readonly folder: string;
  private readonly me = thisProcess();
  private madeFolder = false;

  /**
   * @param root the workspace folder's absolute path
   * @param label what this process is to people, as in `VS Code`
   * @param heartbeatMs how often a held lock shows other hosts that its holder lives
   */
  constructor(
    private readonly root: string,
    private readonly label: string,
    private readonly heartbeatMs = 10_000,
  ) {
    this.folder = join(root, folder);
  }

  async tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }> {
    return this.doing(name, async (path) => {
      const mine = this.content();
      for (;;) {
        if (await this.claim(path, mine)) return { held: this.held(path, mine.token) };
        const found = await find(path);
        if (!found) continue;
        if (this.isHeld(found) && !(await this.standsStill(path, found))) {
          return { holder: holderOf(found) };
        }
        await this.removeDead(path, found.token);
      }
    });
  }

  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return turns.run(join(this.folder, name), async () => {
      const held = await this.waitFor(name);
      try {
        return await work();
      } finally {
        await held.release();
      }
    });
  }

  async holder(name: string): Promise<LockHolder | undefined> {
    return this.doing(name, async (path) => {
      const found = await find(path);
      return found && this.isHeld(found) ? holderOf(found) : undefined;
    });
  }

  private async waitFor(name: string): Promise<HeldLock> {
    const started = performance.now();
    for (let longest = 8; ; longest = Math.min(2 * longest, 200)) {
      const result = await this.tryHold(name);
      if ("held" in result) return result.held;
      if (performance.now() - started > patienceMs) {
        const { label, pid, host } = result.holder;
        throw new UserError(
          `${label} (process ${pid} on ${host}) has kept ${name} locked for too long. Close it, then try again.`,
        );
      }
      await pause(randomInt(1, longest));
    }
  }

  private held(path: string, token: string): HeldLock {
    const isMine = async (): Promise<boolean> => (await find(path))?.token === token;
    const beat = async (): Promise<void> => {
      // A process that stood still must not keep alive what another has taken over.
      if (!(await isMine())) return;
      const now = new Date();
      await utimes(path, now, now);
    };
    const heartbeat = setInterval(() => {
      // The file is gone when the folder was deleted; the next holder will say so.
      beat().catch(() => undefined);
    }, this.heartbeatMs).unref();
    return {
      check: async () => {
        if (await isMine()) return;
        throw new UserError(
          "Another process took this work over while this one stood still, so what it had is not used.",
        );
      },
      release: async () => {
        clearInterval(heartbeat);
        await remove(path, token);
      },
    };
  }

  private isHeld({ content, idleMs }: FoundLock): boolean {
    return (content && isAlive(content, this.me)) ?? idleMs < silentMs;
  }

  /**
   * True for a holder that lives but has been silent for several heartbeats, and still is after
   * being watched for more than one: clocks may jump, and machines sleep.
   */
  private async standsStill(path: string, found: FoundLock): Promise<boolean> {
    if (found.idleMs < this.heartbeatMs * silentBeats) return false;
    await pause(this.heartbeatMs * 1.5);
    const again = await find(path);
    return again?.token === found.token && again.modifiedAt === found.modifiedAt;
  }

  private async removeDead(path: string, token: string): Promise<void> {
    const guard = join(this.folder, `${token}.takeover`);
    const mine = this.content();
    if (await claim(guard, mine)) {
      await remove(path, token);
      await remove(guard, mine.token);
      return;
    }
    const other = await find(guard);
    // The one at it may have died, too; its claim has a token of its own.
    if (other && !this.isHeld(other)) await this.removeDead(guard, other.token);
    else await pause(randomInt(1, 8));
  }

  private content(): LockContent {
    const token = randomBytes(12).toString("hex");
    return { ...this.me, label: this.label, since: new Date().toISOString(), token };
  }

  private async doing<T>(name: string, work: (path: string) => Promise<T>): Promise<T> {
    if (!/^[\w-]+$/.test(name)) throw new Error(`not a lock's name: ${JSON.stringify(name)}`);
    try {
      return await work(join(this.folder, `${name}.lock`));
    } catch (error) {
      throw fileError(error, `${folder}/${name}.lock`, "lock");
    }
  }

  /** As {@link claim}, wherever the folder is not there yet, or not any more. */
  private async claim(path: string, mine: LockContent): Promise<boolean> {
    if (!this.madeFolder) await this.makeFolder();
    this.madeFolder = true;
    try {
      return await claim(path, mine);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      await this.makeFolder();
      return claim(path, mine);
    }
  }

  private async makeFolder(): Promise<void> {
    const real = await realLocation(this.folder);
    if (!isWithin(real, this.root)) {
      const message = `${folder} leads out of the workspace, to ${real}. Remove the link.`;
      throw new FileError("ELEADSOUT", folder, message);
    }
    try {
      await writeFile(join(this.folder, ".gitignore"), "*\n", { flag: "wx" });
    } catch (error) {
      if (errorCode(error) === "EEXIST") return;
      if (errorCode(error) !== "ENOENT") throw error;
      await mkdir(this.folder, { recursive: true });
      await this.makeFolder();
    }
  }
}

function holderOf({ content }: FoundLock): LockHolder {
  if (!content) return { pid: 0, host: "?", label: "an unknown program", since: "" };
  const { pid, host, label, since } = content;
  return { pid, host, label, since };
}
