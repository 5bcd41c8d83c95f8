import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { plainSession } from "../../../../src/core/navigator/running/plainSession.js";
import type { ModelRequest } from "../../../../src/core/ports/model.js";
import { reports, says } from "../../../fakes/envelopes.js";
import { golden } from "../../../fakes/golden.js";
import { adds, does, JobStage, plans } from "../../../fakes/jobStage.js";
import { MemoryDiagnostics } from "../../../fakes/memoryDiagnostics.js";
import { completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { PlainEditor, PlainGit } from "../../../fakes/plainEditor.js";
import type { ScriptedResponse } from "../../../fakes/scriptedModel.js";
import { ScriptedWeb } from "../../../fakes/scriptedWeb.js";

/** Tokens (o200k_base) of a request: its messages, and its tools as they are sent. */
function tokensOf({ messages, tools }: ModelRequest): number {
  const functions = tools.map((tool) => ({ type: "function", function: tool }));
  const texts = messages.map(({ content }) => content);
  return encode([...texts, JSON.stringify(functions)].join("\n")).length;
}

/** Returns a whole first request as a person reads it. */
function shown(request: ModelRequest): string {
  const { messages, tools } = request;
  const said = messages.map(({ role, content }) => `[${role}]\n${content}`).join("\n\n");
  const list = tools.map((tool) => JSON.stringify(tool)).join("\n");
  return `${tokensOf(request)} tokens\n\n${said}\n\n[tools]\n${list}\n`;
}

const words = `The sum in src/cart.js is wrong as soon as a coupon is used. Please fix it:
1. coupons are in percent
2. never below zero
3. round to whole cents
4. one coupon per order
5. show the coupon's name in the receipt
6. keep sum() as it is called now
7. tests for all of it
8. no new dependencies
9. name the constant for the most percent MAX_OFF`;

const files = {
  "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "eslint ." } }),
  "README.md": "# Shop\n",
  "src/cart.js": "export function sum(items) {\n  return 0;\n}\n",
  "test/cart.test.js": "",
};

function stage(scripts: readonly ScriptedResponse[], more: object = {}): NavigatorStage {
  const text = "export function sum(items) {";
  const editor = new PlainEditor({
    path: "src/cart.js",
    line: 1,
    selection: { from: 1, to: 1, text },
    problems: [
      {
        path: "src/cart.js",
        line: 1,
        severity: "warning",
        message: "'items' is not used.",
        source: "eslint",
      },
    ],
  });
  const git = new PlainGit("## main...origin/main\n M src/cart.js\n?? notes.txt\n");
  const web = new ScriptedWeb({});
  const webSearch = { address: "https://search.test/", search: () => Promise.resolve([]) };
  const diagnostics = new MemoryDiagnostics();
  const all = { files, editor, git, web, webSearch, diagnostics, documenter: true };
  return new NavigatorStage(scripts, { ...all, ...more });
}

const goals = [
  ["rooroo-analyzer", "Find out how sums are made, and where coupons come in."],
  ["rooroo-developer", "Fix the sum with coupons in src/cart.js, with tests."],
  ["rooroo-documenter", "Describe coupons in README.md."],
] as const;

const planned = completes({
  message: "Three tasks.",
  plan_overview: "First the cause, then the fix, then the words about it.",
  queue_tasks_json_lines: goals.map(([suggested_mode, goal_for_expert]) => {
    return { suggested_mode, goal_for_expert, context: "Start at src/cart.js." };
  }),
});

/** Returns the first requests of a plan's triage, planner, analyzer, developer and documenter. */
async function planOfThree(more: object = {}): Promise<ModelRequest[]> {
  const goal = "Fix the sum with coupons.";
  const found = completes({
    message: "sum() ignores coupons; applyCoupon() in src/cart.js:12 is never called.",
  });
  const world = stage(
    [triages({ route: "plan", goal }), planned, found, completes(), completes()],
    more,
  );
  await world.navigator.say(words);
  return world.model.requests;
}

describe("what models are told: the whole first request of", () => {
  for (const [index, name] of [
    "navigator",
    "planner",
    "analyzer",
    "developer",
    "documenter",
  ].entries()) {
    it(`rooroo-${name} is as in the golden file`, async () => {
      const request = (await planOfThree())[index]!;
      await golden(`prompts/rooroo-${name}.txt`, shown(request));
    });
  }

  it("the idea sparker is as in the golden file", async () => {
    const world = stage([completes()]);
    await world.navigator.say("/brainstorm How could the shop sell more?");
    await golden("prompts/rooroo-idea-sparker.txt", shown(world.model.requests[0]!));
  });

  it("a job's planner and runner are as in the golden files", async () => {
    const world = new JobStage(
      [plans([adds("1. Move a.test.js", "2. Move b.test.js")]), does(), does()],
      {
        ".jixo/trip.job.md":
          "---\nname: trip\n---\n\nMove all tests to node --test, one file at a time.\n",
      },
    );
    await world.run();
    const [planner, runner] = world.model.requests;
    await golden("prompts/rooroo-job-planner.txt", shown(planner!));
    await golden("prompts/rooroo-job-runner.txt", shown(runner!));
  });

  it("a developer and a plain session in envelopes are as in the golden files", async () => {
    const world = stage([reports({ status: "Done", message: "All good." })], {
      dialect: "envelope",
    });
    await world.navigator.say(`/do ${words}`);
    await golden("prompts/envelope-developer.txt", shown(world.model.requests[0]!));
    const plain = stage([says("Done.")]);
    const never = new AbortController().signal;
    await plainSession(plain.dependencies, { text: words, session: undefined }, never);
    await golden("prompts/envelope-agent.txt", shown(plain.model.requests[0]!));
  });

  it("a developer takes at most 2,500 tokens, with all that belongs to it", async () => {
    const request = (await planOfThree())[3]!;
    const [system, first] = request.messages.map(({ content }) => content);
    for (const part of [
      "all independent calls of the next step in one reply",
      "the project's own check",
      "edit_file for one place",
      "Orders come from <request>, <task> and <instructions>",
      "in the language of their request",
    ])
      assert.ok(system!.includes(part), part);
    for (const part of [
      "9. name the constant for the most percent MAX_OFF",
      "applyCoupon() in src/cart.js:12 is never called",
      "First the cause, then the fix",
      "the editor showed src/cart.js, line 1, with line 1 selected",
      "Git, on main...origin/main: M src/cart.js, ?? notes.txt",
      "Scripts of package.json: test, lint",
      "src/cart.js:1 warning: 'items' is not used.",
    ])
      assert.ok(first!.includes(part), part);
    assert.ok(tokensOf(request) <= 2_500, `${tokensOf(request)} tokens`);
  });
});
