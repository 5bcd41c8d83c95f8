import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Rooroo } from "../cli/rooroo.js";
import { plays, settled } from "../cli/script.js";
import { closeStages, Stage } from "../cli/stage.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { type KillCounts, killEnvironment, type KillOrders, onceOfEachKind } from "./killOrders.js";

const everyOperation = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

/** What only work in worktrees changes; the rest is as without one, and `crashes.test.ts` has kills there. */
const ofWorktrees = /^(link|rename|rm) (HOME|project|.*(worktree|landing))(?!.*gitignore)/;

/** Returns when a process is killed: after each change, or once after each kind that is of worktrees alone. */
function ordersFor(counts: KillCounts): KillOrders[] {
  const { after } = counts;
  return everyOperation
    ? Array.from({ length: after }, (_, index) => ({ when: "after", at: index + 1 }))
    : onceOfEachKind("after", counts).filter(({ kind = "" }) => ofWorktrees.test(kind));
}

const works = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Change both" },
  {
    "rooroo-developer": (request) =>
      [
        calls("write_to_file", { path: "made.txt", content: "made\n" }),
        calls("write_to_file", { path: "b/made.txt", content: "made, too\n" }),
      ][settled(request)] ?? completes(),
  },
);

/** A workspace that is put back to how it was, again and again, and killed at a later moment each time. */
class KilledStage {
  private constructor(private readonly stage: Stage) {}

  static async open(): Promise<KilledStage> {
    const stage = await Stage.open(works, { "a.txt": "one\n", ".gitignore": ".rooroo/\n" });
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: stage.root, stdio: "pipe" });
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "commit", "-qm", "First");
    await stage.write("a.txt", "not committed\n");
    return new KilledStage(stage);
  }

  run(...args: string[]) {
    return this.stage.runAll(...args);
  }

  read(path: string) {
    return this.stage.read(path);
  }

  async plan(): Promise<string | undefined> {
    const { plans } = (await this.stage.json("plan", "list")) as { plans: { planId: string }[] };
    return plans[0]?.planId;
  }

  /** Returns how many worktrees git knows, and how many refs keep a base. */
  left(): number[] {
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: this.stage.root, encoding: "utf8" })
        .split("\n")
        .filter(Boolean);
    return [git("worktree", "list").length - 1, git("for-each-ref", "refs/rooroo/").length];
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
      for (const orders of ordersFor(counts)) {
        await putBack();
        if ((await run(orders)) === "SIGKILL") kills++;
        await then(`${args[0]} ${args[1]} killed after ${orders.kind ?? "change"} ${orders.at}`);
      }
      return kills;
    } finally {
      await rm(saved, { recursive: true, force: true });
      await rm(note, { force: true });
    }
  }
}

describe("a plan in a worktree whose process is killed", () => {
  afterEach(closeStages);

  it("is made, worked on and landed by the next processes", async () => {
    const stage = await KilledStage.open();
    assert.equal((await stage.run("queue", "add", "Change both")).code, 0);
    const kills = await stage.killedAtEach(["proceed", "--isolated"], async (shown) => {
      const done = await stage.run("proceed", "--isolated");
      assert.equal(done.code, 0, `${shown}: ${done.stdout}${done.stderr}`);
      assert.equal(await stage.read("made.txt"), "", shown);
      const planId = (await stage.plan()) ?? shown;
      const landed = await stage.run("plan", "land", planId);
      assert.equal(landed.code, 0, `${shown}: ${landed.stdout}${landed.stderr}`);
      assert.equal(await stage.read("made.txt"), "made\n", shown);
      assert.equal(await stage.read("a.txt"), "not committed\n", shown);
      assert.deepEqual(stage.left(), [0, 0], shown);
    });
    assert.ok(kills > 2, String(kills));
  });

  for (const how of ["land", "discard"] as const) {
    it(`is ${how === "land" ? "landed, and undone as a whole" : "discarded"} by the next`, async () => {
      const stage = await KilledStage.open();
      const asked = await stage.run("ask", "Change both", "--isolated");
      assert.equal(asked.code, 0, asked.stdout + asked.stderr);
      const planId = (await stage.plan()) ?? "";
      const args = ["plan", how, planId, ...(how === "discard" ? ["--yes"] : [])];
      const kills = await stage.killedAtEach(args, async (shown) => {
        // A plan that is over is no longer listed: what is left of its worktree goes at the next start.
        const isOver = (await stage.plan()) === undefined;
        const next = await stage.run(...(isOver ? ["proceed"] : args));
        assert.equal(next.code, 0, `${shown}: ${next.stdout}${next.stderr}`);
        assert.deepEqual(stage.left(), [0, 0], shown);
        assert.equal(await stage.read("made.txt"), how === "land" ? "made\n" : "", shown);
        assert.equal(await stage.read("a.txt"), "not committed\n", shown);
        if (how === "discard") return;
        const undone = await stage.run("undo", planId.replace("PLAN", "LAND"));
        assert.equal(undone.code, 0, `${shown}: ${undone.stdout}${undone.stderr}`);
        assert.deepEqual([await stage.read("made.txt"), await stage.read("b/made.txt")], ["", ""]);
      });
      assert.ok(kills > 0, String(kills));
    });
  }
});
