import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { plays, settled } from "../cli/script.js";
import { closeStages, Stage } from "../cli/stage.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { KilledStage } from "./killedStage.js";
import { findsNo } from "./kills.js";
import { WorkspaceState } from "./workspaceState.js";

/** What only work in worktrees changes; the rest is as without one, and `crashes.test.ts` has kills there. */
const ofWorktrees = /^(link|rename|rm) (HOME|project|.*(worktree|landing))(?!.*gitignore)/;

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

/** A repository whose plans are in worktrees. */
class WorktreeStage extends KilledStage {
  static async repository(): Promise<WorktreeStage> {
    const stage = await Stage.open(works, { "a.txt": "one\n", ".gitignore": ".rooroo/\n" });
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: stage.root, stdio: "pipe" });
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "commit", "-qm", "First");
    await stage.write("a.txt", "not committed\n");
    return new WorktreeStage(stage, ofWorktrees);
  }

  async plan(): Promise<string | undefined> {
    const { plans } = (await this.stage.json("plan", "list")) as { plans: { planId: string }[] };
    return plans[0]?.planId;
  }

  /** Returns how often each task was told to be done. */
  async timesDone(): Promise<readonly number[]> {
    return [...(await WorkspaceState.read(this.stage.root)).timesDone.values()];
  }

  /** Returns how many worktrees git knows, and how many refs keep a base. */
  left(): number[] {
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: this.stage.root, encoding: "utf8" })
        .split("\n")
        .filter(Boolean);
    return [git("worktree", "list").length - 1, git("for-each-ref", "refs/rooroo/").length];
  }
}

describe("a plan in a worktree whose process is killed", function () {
  // No verdict depends on how fast the machine is.
  this.timeout(3_600_000);
  afterEach(closeStages);

  it("is made, worked on and landed by the next processes", async () => {
    const stage = await WorktreeStage.repository();
    assert.equal((await stage.run("queue", "add", "Change both")).code, 0);
    const kills = await stage.killedAtEach("plan", ["proceed", "--isolated"], async (shown) => {
      const done = await stage.run("proceed", "--isolated");
      assert.equal(done.code, 0, `${shown}: ${done.stdout}${done.stderr}`);
      assert.equal(await stage.read("made.txt"), "", shown);
      const planId = (await stage.plan()) ?? shown;
      const landed = await stage.run("plan", "land", planId);
      assert.equal(landed.code, 0, `${shown}: ${landed.stdout}${landed.stderr}`);
      assert.equal(await stage.read("made.txt"), "made\n", shown);
      assert.equal(await stage.read("a.txt"), "not committed\n", shown);
      assert.deepEqual(stage.left(), [0, 0], shown);
      const timesDone = await stage.timesDone();
      await findsNo("twice", () => {
        assert.deepEqual(timesDone, [1], shown);
      });
    });
    assert.ok(kills > 2, String(kills));
  });

  for (const how of ["land", "discard"] as const) {
    it(`is ${how === "land" ? "landed, and undone as a whole" : "discarded"} by the next`, async () => {
      const stage = await WorktreeStage.repository();
      const asked = await stage.run("ask", "Change both", "--isolated");
      assert.equal(asked.code, 0, asked.stdout + asked.stderr);
      const planId = (await stage.plan()) ?? "";
      const args = ["plan", how, planId, ...(how === "discard" ? ["--yes"] : [])];
      const kills = await stage.killedAtEach("landing", args, async (shown) => {
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
        const left = [await stage.read("made.txt"), await stage.read("b/made.txt")];
        await findsNo("twice", () => {
          assert.deepEqual(left, ["", ""], shown);
        });
      });
      assert.ok(kills > 0, String(kills));
    });
  }
});
