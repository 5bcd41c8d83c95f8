import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { EndingTool } from "../../../../../src/core/agent/tool.js";
import { asMeant } from "../../../../../src/core/agent/toolDefinition.js";
import { meantObjects } from "../../../../../src/core/documents/meant/meantObjects.js";
import { meantExpert, meantWord } from "../../../../../src/core/documents/meant/meantWord.js";
import { completionTool } from "../../../../../src/core/experts/report.js";
import { jobEndings } from "../../../../../src/core/jobs/work/jobReport.js";
import { planEnding, workEnding } from "../../../../../src/core/runs/work/runReports.js";
import { tries } from "../../../../fakes/tries.js";

const one = { suggested_mode: "rooroo-developer", goal_for_expert: 'Say "hi",\nthen {stop}\\n' };
const two = { suggested_mode: "rooroo-analyzer", goal_for_expert: "看 a\\b" };
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const line = (value: unknown) => JSON.stringify(value);
/** Escapes a text once more than it should be. */
const twice = (text: string) => JSON.stringify(text).slice(1, -1);

/** The ways of writing a plan's tasks in the table of the documentation. */
const ways: Readonly<Record<string, unknown>> = {
  "a list": [one, two],
  "a list of texts": [line(one), line(two)],
  "one array as text": line([one, two]),
  "an array over several lines": pretty([one, two]),
  "one object a line": `${line(one)}\n${line(two)}\n`,
  "objects over several lines": `${pretty(one)}\n${pretty(two)}`,
  "objects with commas between them": `${pretty(one)},\n${pretty(two)},`,
  "`\\n` written out between lines": `${line(one)}\\n${line(two)}\\n`,
  "`\\n` written out inside of objects": `${pretty(one).replaceAll("\n", "\\n")}\\n${line(two)}`,
  "all of it escaped once more": twice(`${pretty(one)}\n${line(two)}`),
  "a text of a text": JSON.stringify(`${line(one)}\n${line(two)}`),
  "a fence": `\`\`\`jsonl\n${line(one)}\n${line(two)}\n\`\`\``,
  "an introduction and a numbered list": `The tasks:\n1. ${line(one)}\n2. ${line(two)}`,
};

describe("the tasks that a model writes", () => {
  for (const [way, tasks] of Object.entries(ways)) {
    it(`[R-ROO-28] are the same two, written as ${way}`, () => {
      assert.deepEqual(meantObjects(tasks), [one, two]);
    });
  }

  it("[R-ROO-28] keep a line that is none as a text, whole and once, so that it can be named", () => {
    assert.deepEqual(meantObjects(`${pretty(one)}\nThen test it\n${line(two)}`), [
      one,
      "Then test it",
      two,
    ]);
    const torn = '{"suggested_mode": "rooroo-developer", "goal_for';
    assert.deepEqual(meantObjects(`${line(one)}\n${torn}`), [one, torn]);
    assert.deepEqual([meantObjects(7), meantObjects([7])], [7, [7]]);
  });

  it("are looked for in no more time than in proportion to their text, whatever it is", () => {
    for (const part of ["{", '{"', '{"a":1', "\\n", '\\"', "```\n", ":\n", "1. "]) {
      const text = part.repeat(200_000 / part.length);
      const began = process.cpuUsage().user;
      meantObjects(text);
      assert.ok(process.cpuUsage().user - began < 2_000_000, part);
    }
  });
});

const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((one) => one.trim() !== "");
const words = fc.option(text, { nil: undefined });
const list = fc.option(fc.array(text), { nil: undefined });
const task = fc.record(
  {
    suggested_mode: text,
    goal_for_expert: text,
    context: words,
    auto_proceed_plan: fc.boolean(),
  },
  { requiredKeys: ["suggested_mode", "goal_for_expert"] },
);
const report = fc.record(
  {
    status: fc.constantFrom("Done", "Failed", "NeedsClarification"),
    message: text,
    output_artifact_paths: list,
    clarification_question: fc.option(text),
    error_details: fc.option(text),
  },
  { requiredKeys: ["status", "message"] },
);
const plan = fc.record(
  {
    status: fc.constantFrom("Done", "Advice", "Failed", "NeedsClarification"),
    message: text,
    queue_tasks_json_lines: fc.array(task),
    plan_overview: fc.option(text),
    advice_details: fc.option(fc.record({ suggested_mode: fc.option(text), refined_goal: text })),
  },
  { requiredKeys: ["status", "message"] },
);
const item = fc.record(
  { text, details: text, files: fc.array(text), after: fc.array(text), done_when: text },
  { requiredKeys: ["text"] },
);
const roadmap = fc.record(
  {
    summary: text,
    changes: fc.array(
      fc.record(
        {
          action: fc.constantFrom("add", "replace", "retry", "cancel", "ask"),
          item: text,
          items: fc.array(item),
        },
        { requiredKeys: ["action"] },
      ),
    ),
  },
  { requiredKeys: ["summary", "changes"] },
);
const work = fc.record({
  result: fc.constantFrom("Succeeded", "Failed", "Pending"),
  summary: text,
});
const made = fc.record(
  { status: fc.constantFrom("SUCCESS", "FAILED"), summary: text, post_tool_required: fc.boolean() },
  { requiredKeys: ["status"] },
);
const stages = fc.record({
  status: fc.constantFrom("SUCCESS", "FAILED"),
  stages: fc.array(fc.record({ stage_name: text, stage_goal: text })),
});

describe("what a model submits in the right form", () => {
  const cases: readonly (readonly [string, EndingTool, fc.Arbitrary<object>])[] = [
    ["a report", completionTool("task"), report],
    ["a plan", completionTool("plan"), plan],
    ["a job's plan", jobEndings.Planner, roadmap],
    ["a job's work", jobEndings.Runner, work],
    ["a run's work", workEnding, made],
    ["a run's stages", planEnding("phase"), stages],
  ];
  for (const [name, tool, arbitrary] of cases) {
    it(`is never changed by what reads it: ${name}`, () => {
      const property = fc.property(arbitrary, (given) => {
        const value = JSON.parse(line(given)) as object;
        assert.ok(tool.parameters.safeParse(value).success);
        assert.deepEqual(asMeant(tool, value), JSON.parse(line(given)));
      });
      fc.assert(property, { numRuns: tries(200), seed: 7 });
    });
  }
});

describe("the table of what models may write", () => {
  const page = readFileSync(
    new URL("../../../../../../docs/protocols/replies.md", import.meta.url),
    "utf8",
  );
  const cells = page
    .split("\n")
    .filter((row) => row.startsWith("| `"))
    .map((row) => [...row.matchAll(/\| +((?:`[^`]+`(?:, )?)+)(?= +\|)/g)].map(([, cell]) => cell!))
    .map((row) => row.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)));

  it("is true: each word of it has the meaning that stands beside it", () => {
    const experts = ["developer", "analyzer"].map((name) => ({
      slug: `rooroo-${name}`,
      name: name[0]!.toUpperCase() + name.slice(1),
    }));
    assert.ok(cells.length >= 10, `${cells.length} rows`);
    for (const [meant = [], written = []] of cells) {
      assert.ok(written.length > 0, meant.join());
      for (const word of written)
        for (const own of meant) {
          const found = own.startsWith("rooroo-")
            ? meantExpert(word, experts)
            : meantWord(word, [own]);
          assert.equal(found, own, word);
        }
    }
  });

  it("names each way of writing a plan's tasks", () => {
    for (const way of Object.keys(ways)) assert.ok(page.includes(`\n- ${way}`), way);
  });
});
