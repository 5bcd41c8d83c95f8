import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Rooroo } from "../cli/rooroo.js";
import type { Stage } from "../cli/stage.js";
import { type KillCounts, killEnvironment, type KillOrders, onceOfEachKind } from "./killOrders.js";
import { say } from "./say.js";

const everyOperation = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

/** A workspace that is put back to how it was, again and again, and killed at a later moment each time. */
export class KilledStage {
  /** @param kinds of the changes after which a process is killed, as `killSwitch.cts` names them, unless it is at every one */
  constructor(
    protected readonly stage: Stage,
    private readonly kinds: RegExp,
  ) {}

  run(...args: string[]) {
    return this.stage.runAll(...args);
  }

  read(path: string) {
    return this.stage.read(path);
  }

  /** Runs a command once for each moment, each time from where things stand now, killed at that moment. */
  async killedAtEach(args: readonly string[], then: (shown: string) => Promise<void>) {
    const { root, home } = this.stage;
    const saved = `${home}-saved`;
    const note = `${home}-note`;
    const places = [
      ["root", root],
      ["home", home],
    ] as const;
    for (const [name, place] of places) await cp(place, join(saved, name), { recursive: true });
    const run = async (orders: KillOrders) => {
      const env = {
        ROOROO_SANDBOX: "off",
        ...this.stage.model.env,
        ...killEnvironment(orders, note),
      };
      const { signal } = await new Rooroo([...args, "--approve", "all"], { cwd: root, env }).ended;
      return signal;
    };
    const putBack = async () => {
      for (const [name, place] of places) {
        await rm(place, { recursive: true, force: true });
        await cp(join(saved, name), place, { recursive: true });
      }
    };
    let kills = 0;
    try {
      await run({ when: "after", at: 0 });
      const counts = JSON.parse(await readFile(note, "utf8")) as KillCounts;
      for (const orders of this.ordersFor(counts)) {
        await putBack();
        if ((await run(orders)) === "SIGKILL") kills++;
        await then(`${args[0]} ${args[1]} killed after ${orders.kind ?? "change"} ${orders.at}`);
      }
      say(`${kills} kills of rooroo ${args[0]}`);
      return kills;
    } finally {
      await rm(saved, { recursive: true, force: true });
      await rm(note, { force: true });
    }
  }

  /** Returns when a process is killed: after each change, or once after each of the kinds. */
  private ordersFor(counts: KillCounts): KillOrders[] {
    const { after } = counts;
    return everyOperation
      ? Array.from({ length: after }, (_, index) => ({ when: "after", at: index + 1 }))
      : onceOfEachKind("after", counts).filter(({ kind = "" }) => this.kinds.test(kind));
  }
}
