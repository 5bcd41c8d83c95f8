import assert from "node:assert/strict";
import type { Options } from "../../../src/cli/arguments/options.js";
import { FollowUps } from "../../../src/cli/terminal/followUps.js";
import type { NextStep } from "../../../src/core/conversation/events/events.js";
import { discardStep, placeSteps } from "../../../src/core/navigator/worktrees/placeSteps.js";
import { allSpoken } from "../../../src/core/text/allSpoken.js";

const options = {
  allowCommand: [],
  denyCommand: [],
  allowHost: [],
  dialect: "auto",
  approve: { text: "safe" },
} as unknown as Options;

function commandsOf(steps: readonly NextStep[]): string[] {
  const followUps = new FollowUps(options);
  const at = "2026-01-02T03:04:05.000Z";
  const notice = { at, type: "notice", id: "n", level: "warning", text: "Look.", steps } as const;
  return followUps.after(notice).map(({ command }) => command);
}

describe("the commands that follow a notice", () => {
  it("do what the editor's buttons do with plans", () => {
    const plan = "ROO#PLAN_20260102030405_A1B2C3";
    const steps = allSpoken([...placeSteps(plan), discardStep(plan)]);
    assert.deepEqual(commandsOf(steps), [
      `rooroo plan diff ${plan}`,
      `rooroo plan land ${plan}`,
      `rooroo plan discard ${plan}`,
    ]);
  });

  it("cancel a run for which a button is offered", () => {
    const step = { type: "command", label: "Cancel Run…", command: "cancelRun" } as const;
    assert.deepEqual(commandsOf([{ ...step, about: "run-1" }]), ["rooroo run cancel run-1"]);
  });

  it("are none for buttons that are the editor's alone", () => {
    assert.deepEqual(
      commandsOf([{ type: "command", label: "Open Settings", command: "openSettings" }]),
      [],
    );
  });
});
