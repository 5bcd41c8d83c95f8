import assert from "node:assert/strict";
import type { Options } from "../../../src/cli/arguments/options.js";
import { type FollowUp, FollowUps } from "../../../src/cli/terminal/followUps.js";
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

function followUpsOf(steps: readonly NextStep[]): FollowUp[] {
  const followUps = new FollowUps(options);
  const at = "2026-01-02T03:04:05.000Z";
  const notice = { at, type: "notice", id: "n", level: "warning", text: "Look.", steps } as const;
  return followUps.after(notice);
}

function commandsOf(steps: readonly NextStep[]): string[] {
  return followUpsOf(steps).map(({ command }) => command);
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

  it("attach again what came with the words, and say of what was piped in that it has to be piped in again", () => {
    const attachments = [
      { kind: "file", path: "src/a.ts", from: 3, to: 5 },
      { kind: "folder", path: "my docs" },
      { kind: "image", path: `.rooroo/attachments/${"a".repeat(64)}.png`, name: "shot.png" },
    ] as const;
    const answer = { action: "answer", about: "ROO#TASK_1", text: "Blue" } as const;
    const step = { type: "action", label: "Answer the Question" } as const;
    const named = `--attach src/a.ts:3-5 --attach 'my docs' --attach .rooroo/attachments/${"a".repeat(64)}.png`;
    const command = `rooroo ask ${named} '/answer ROO#TASK_1 Blue'`;
    assert.deepEqual(followUpsOf([{ ...step, action: { ...answer, attachments } }]), [
      { command, why: "Answer the Question" },
    ]);
    const piped = {
      ...answer,
      attachments: [...attachments, { kind: "input", text: "x" } as const],
    };
    assert.deepEqual(followUpsOf([{ ...step, action: piped }]), [
      { command, why: "Answer the Question; pipe in again what was piped in" },
    ]);
  });
});
