import assert from "node:assert/strict";
import type { DraftedStep } from "../../../../src/core/conversation/events/eventPublisher.js";
import { UserError } from "../../../../src/core/errors.js";
import { PlanWorktreeStore } from "../../../../src/core/navigator/worktrees/planWorktree.js";
import { tellWorktrees } from "../../../../src/core/navigator/worktrees/tellWorktrees.js";
import { spoken, type Said } from "../../../../src/core/text/words.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { memoryPlans } from "../../../fakes/memoryPlans.js";
import { MemoryWorktrees } from "../../../fakes/memoryWorktrees.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

type Told = readonly [level: string, text: string, ...steps: string[]];

const ids = ["A", "B", "C", "D", "E", "F"].map((end) => `ROO#PLAN_20260102030405_${end}`);
const [landing = "", landed = "", stuck = "", lost = "", discarded = "", orphan = ""] = ids;

/** A folder with the worktrees of six plans, of which killed processes have left this and that. */
async function left() {
  const files = new MemoryFileSystem({ "a.txt": "one" });
  const worktrees = new MemoryWorktrees(files);
  const clock = new ManualClock();
  const plans = memoryPlans({ files, worktrees, clock });
  for (const id of ids) {
    await plans.ask(id);
    await plans.hostOf(id);
  }
  const store = new PlanWorktreeStore(files, clock, new PlainSigner());
  const phase = async (id: string, now: "landing" | "landed" | "discarded") => {
    const found = await store.read(id);
    assert.ok(found);
    await store.write({ ...found, phase: now });
  };
  await phase(landing, "landing");
  await phase(landed, "landed");
  await phase(stuck, "landed");
  await phase(discarded, "discarded");
  await worktrees.remove(lost.replace("#", "-"));
  await files.removeFile(`.rooroo/worktrees/${orphan.replace("#", "-")}.json`);
  const remove = worktrees.remove.bind(worktrees);
  worktrees.remove = (name) =>
    name === stuck.replace("#", "-")
      ? Promise.reject(new UserError("gitFailed", "It is in use."))
      : remove(name);
  return { plans, worktrees };
}

async function told(...[plans, isTold]: Parameters<typeof tell>): Promise<Told[]> {
  const found: Told[] = [];
  await tell(plans, isTold, (level, text, steps = []) => {
    const names = steps.map((step) =>
      "about" in step ? `${step.command} ${spoken(step.about ?? "")}` : "?",
    );
    found.push([level, spoken(text), ...names]);
  });
  return found;
}

function tell(
  plans: Parameters<typeof tellWorktrees>[0],
  isTold?: (about: string) => boolean,
  notice: (level: string, text: Said, steps?: readonly DraftedStep[]) => void = () => undefined,
): Promise<void> {
  return tellWorktrees(plans, { notice }, isTold);
}

describe("what is told of worktrees when a process begins", () => {
  it("is each that waits, has landed, stays or is lost, with what can be done, in no surface's words", async () => {
    const { plans, worktrees } = await left();
    const found = await told(plans);
    assert.deepEqual(found, [
      [
        "warning",
        `Landing \`${landing}\` was interrupted. Land it again for what is left.`,
        `showPlanChanges ${landing}`,
        `landPlan ${landing}`,
      ],
      ["warning", `\`${landed}\` had landed when work was cut off; its worktree is removed now.`],
      ["warning", `What is left of the worktree of \`${stuck}\` cannot be removed. It is in use.`],
      [
        "warning",
        `The worktree of \`${lost}\` is gone, and with it what its tasks have done. Discarding ends the plan.`,
        `discardPlan ${lost}`,
      ],
      [
        "warning",
        `The worktree \`${orphan.replace("#", "-")}\` is left over: no plan in this folder knows it. Discarding removes it.`,
        `discardPlan ${orphan.replace("#", "-")}`,
      ],
    ]);
    // What it has removed is not told again; the rest is, until somebody does something.
    assert.equal((await told(plans)).length, 4);
    assert.ok(!(await worktrees.left()).includes(discarded.replace("#", "-")));
  });

  it("leaves out what a command is about anyway", async () => {
    const { plans } = await left();
    const found = await told(plans, (about) => about !== landing);
    assert.deepEqual(
      found.filter(([, text]) => text.includes(landing)),
      [],
    );
    assert.equal(found.length, 4);
  });

  it("is why they cannot be looked at, if git refuses", async () => {
    const recover = () => Promise.reject(new UserError("gitMissing", "There is no git."));
    assert.deepEqual(await told({ recover }), [["warning", "There is no git."]]);
  });
});
