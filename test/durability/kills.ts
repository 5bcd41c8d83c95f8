import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { isWhole } from "../fakes/tries.js";

/** What is killed. */
export type Killed = "plan" | "job" | "run" | "landing" | "restore" | "undo" | "import" | "worker";

/** What must not come of a kill: work that is not there in the end, work that is there twice, and what nobody else can go on with. */
type Harm = "lost" | "twice" | "locked";

/** About how many kills of each kind are asked for; `undefined`: one at each kind of change. */
export const wantedKills = isWhole
  ? Infinity
  : Number(process.env["ROOROO_TEST_KILLS"] ?? "") || undefined;

const harms = new WeakMap<Error, Harm>();

/** Has what a check throws count as that harm. What others throw counts as lost. */
export async function findsNo(harm: Harm, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Error) harms.set(error, harm);
    throw error;
  }
}

/**
 * Does what there is to do after kills, with its checks, and counts both: `npm test` prints the sums. Throws what a check
 * throws.
 */
export async function counted(of: Killed, kills: number, then: () => Promise<void>): Promise<void> {
  const found = { lost: 0, twice: 0, locked: 0 };
  try {
    await then();
  } catch (error) {
    found[(error instanceof Error ? harms.get(error) : undefined) ?? "lost"]++;
    throw error;
  } finally {
    const { ROOROO_TEST_RESULT: file } = process.env;
    const line = `${JSON.stringify({ killed: { of, kills, ...found } })}\n`;
    if (file !== undefined) appendFileSync(file, line);
  }
}

/** Checks that a process can take each lock that is left in a workspace where nobody works. */
export function noneLocked(root: string): Promise<void> {
  return findsNo("locked", async () => {
    const names = await readdir(join(root, ".rooroo/locks")).catch(() => []);
    const lock = new FileLock(root, "test");
    for (const name of names.filter((one) => one.endsWith(".lock"))) {
      const taken = await lock.tryHold(name.slice(0, -".lock".length));
      assert.ok("held" in taken, `${name} is held: ${JSON.stringify(taken)}`);
      await taken.held.release();
    }
  });
}
