import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Rooroo } from "../cli/rooroo.js";
import type { Stage } from "../cli/stage.js";
import { type KillCounts, killEnvironment, type KillOrders, killOrders } from "./killOrders.js";
import { counted, type Killed, noneLocked } from "./kills.js";
import { say } from "./say.js";

/** A workspace that is put back to how it was, again and again, and killed at a later moment each time. */
export class KilledStage {
  /** @param kinds of the changes after which a process is killed, as `killSwitch.cts` names them, unless a number of kills is wanted */
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
  async killedAtEach(of: Killed, args: readonly string[], then: (shown: string) => Promise<void>) {
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
      const orders = killOrders(counts, (all) =>
        all.filter(({ kind = "" }) => this.kinds.test(kind)),
      );
      for (const one of orders) {
        await putBack();
        const kill = (await run(one)) === "SIGKILL" ? 1 : 0;
        kills += kill;
        await counted(of, kill, async () => {
          await then(`${args[0]} ${args[1]} killed ${one.when} ${one.kind ?? "change"} ${one.at}`);
          await noneLocked(root);
        });
      }
      say(`${kills} kills of rooroo ${args[0]}`);
      return kills;
    } finally {
      await rm(saved, { recursive: true, force: true });
      await rm(note, { force: true });
    }
  }
}
