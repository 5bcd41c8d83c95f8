import assert from "node:assert/strict";
import type { PlanHosts } from "../../../../src/core/navigator/worktrees/planHosts.js";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

/** Remembers for which plans a worktree was asked, and gives none. */
class AskedHosts implements PlanHosts {
  readonly asked: [planId: string, isolate: boolean][] = [];
  hostOf(planId: string, isolate: boolean) {
    this.asked.push([planId, isolate]);
    return Promise.resolve(undefined);
  }
  readonly places = () => Promise.resolve([]);
  readonly look = () => Promise.resolve();
  readonly recover = () => Promise.resolve([]);
  readonly worktrees = () => Promise.reject(new Error("none"));
  readonly forJobs = () => Promise.reject(new Error("none"));
}

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Do it" });

async function askedOf(
  isolation: "none" | "worktree",
  isolated?: boolean,
  route = direct,
): Promise<boolean[]> {
  const planHosts = new AskedHosts();
  const plan = completes({
    queue_tasks_json_lines: [{ suggested_mode: "rooroo-developer", goal_for_expert: "One" }],
  });
  const isPlan = route !== direct;
  const scripts = isPlan ? [route, calls("list_files", { path: "" }), plan] : [route];
  const stage = new NavigatorStage([...scripts, completes()], { planHosts, isolation });
  await stage.navigator.say("Do it", undefined, [], { isolated });
  return planHosts.asked.map(([, isolate]) => isolate);
}

describe("where a request's plan works", () => {
  it("is what the setting says, unless the request says otherwise", async () => {
    assert.deepEqual(await askedOf("none"), [false]);
    assert.deepEqual(await askedOf("worktree"), [true]);
    assert.deepEqual(await askedOf("none", true), [true]);
    assert.deepEqual(await askedOf("worktree", false), [false]);
  });

  it("is the same for the tasks of the plan that becomes of it", async () => {
    const route = triages({ route: "plan", goal: "Plan it" });
    // A planner changes nothing itself.
    assert.deepEqual(await askedOf("none", true, route), [false, true]);
    assert.deepEqual(await askedOf("worktree", false, route), [false, false]);
  });

  it("is kept by typed commands and chosen experts, and by no later request", async () => {
    const planHosts = new AskedHosts();
    const stage = new NavigatorStage(() => completes(), { planHosts });
    const { navigator } = stage;
    const say = (text: string, isolated?: boolean, expert?: string) =>
      navigator.say(text, undefined, [], { isolated, expert });
    await say("/do One", true);
    await say("/do Two");
    await say("/queue Three", true);
    await say("Four", true, "rooroo-developer");
    await navigator.act({ action: "doTask", expert: "rooroo-developer", goal: "Five" });
    assert.deepEqual(
      planHosts.asked.map(([, isolate]) => isolate),
      [true, false, true, true, false],
    );
  });

  it("is kept by the buttons of a request that no model could classify", async () => {
    const planHosts = new AskedHosts();
    const stage = new NavigatorStage(
      ({ tools }) => (tools.length > 1 ? completes() : { text: "?" }),
      { planHosts },
    );
    await stage.navigator.say("Do it", undefined, [], { isolated: true });
    const steps = stage.events.flatMap((event) => (event.type === "notice" ? event.steps : []));
    const actions = steps.flatMap((step) => (step.type === "action" ? [step.action] : []));
    assert.deepEqual(
      actions.map((action) => "isolated" in action && action.isolated),
      [true, true, true, true],
    );
    await stage.navigator.act(actions[2]!);
    assert.deepEqual(
      planHosts.asked.map(([, isolate]) => isolate),
      [true],
    );
  });
});
