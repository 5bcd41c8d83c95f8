import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import type { PlanView } from "../../../../src/core/navigator/overview/overview.js";
import { noSessionUsage } from "../../../../src/core/ports/messages.js";
import {
  isModelChosen,
  isPlanUnderWay,
  stepDone,
  walkthroughSteps,
} from "../../../../src/vscode/walkthrough/walkthroughSteps.js";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}
const manifest = JSON.parse(read("package.json")) as {
  contributes: {
    commands: readonly { command: string }[];
    views: Record<string, readonly { id: string }[]>;
    walkthroughs: readonly { steps: readonly Step[] }[];
  };
};
const words = JSON.parse(read("package.nls.json")) as Record<string, string>;
const steps = manifest.contributes.walkthroughs.flatMap((one) => one.steps);

const at = "2026-11-24T08:00:00.000Z";
const notice = { type: "notice", at, id: "n-1", level: "info", text: "", steps: [] } as const;
const decided = (allowed: boolean): ConversationEvent => {
  const event = { type: "approvalResolved", approvalId: "a-1", allowed } as const;
  return { type: "agent", at, taskId: "T", event };
};
const plan = (done: number): PlanView => ({
  planId: "P",
  goal: "Export",
  path: ".rooroo/plans/P.md",
  tasks: ["A", "B"],
  done,
  state: "queued",
  effort: noSessionUsage,
});

describe("the walkthrough", () => {
  it("has a step for each thing that is followed, ended by that thing only", () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      walkthroughSteps,
    );
    for (const { id, completionEvents } of steps) {
      const key = `rooroo.did.${id}`;
      const events = [`onContext:${key}`, `onContext:${key} && rooroo.walkthroughOpened`];
      assert.deepEqual(completionEvents, events);
    }
  });

  it("says what its pictures show, and links to commands that exist", () => {
    const { commands, views } = manifest.contributes;
    const known = new Set(commands.map(({ command }) => command));
    for (const { id } of Object.values(views).flat()) known.add(`${id}.focus`);
    const text = (key: string): string => words[key.slice(1, -1)] ?? "";
    for (const { media, title, description } of steps) {
      assert.ok(existsSync(`${root}/${media.svg}`), media.svg);
      assert.ok(text(media.altText) !== "" && text(title) !== "", title);
      const links = [...text(description).matchAll(/\(command:(rooroo[\w.]+)/g)];
      assert.ok(links.length > 0, title);
      for (const [, command = ""] of links) assert.ok(known.has(command), command);
    }
  });

  it("draws its pictures in VS Code's own colors, each with one to fall back on, and loads nothing", () => {
    for (const { media } of steps) {
      const svg = read(media.svg);
      assert.doesNotMatch(svg, /href|url\(|<script|<style/);
      const colors = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(
        ([, color]) => color ?? "",
      );
      const named = colors.filter((color) => color !== "none");
      assert.ok(named.length > 5);
      for (const color of named) assert.match(color, /^var\(--vscode-[\w-]+, #[0-9a-f]{6,8}\)$/);
    }
  });

  it("ends a step by what was done", () => {
    assert.equal(stepDone({ type: "user", at, id: "u-1", text: "Hello" }), "request");
    assert.equal(stepDone(decided(true)), "approval");
    assert.equal(stepDone(decided(false)), "approval");
    assert.equal(stepDone({ ...notice, work: { kind: "job", name: "docs" } }), "job");
    assert.equal(stepDone({ ...notice, work: { kind: "run", name: "run-1" } }), "run");
    assert.ok(isPlanUnderWay({ plans: [plan(0), plan(1)] }));
    assert.ok(isModelChosen({ model: { name: "m", demo: false, ready: true } }));
  });

  it("ends none by what was only shown", () => {
    const event = { type: "toolStarted", callId: "c-1", tool: "read_file", title: "x" } as const;
    assert.equal(stepDone({ type: "agent", at, taskId: "T", event }), undefined);
    assert.equal(stepDone(notice), undefined);
    assert.ok(!isPlanUnderWay({ plans: [plan(0)] }));
    assert.ok(!isModelChosen({ model: { name: "rooroo-demo", demo: true, ready: true } }));
    assert.ok(!isModelChosen({ model: { name: "", demo: false, ready: false } }));
  });
});
