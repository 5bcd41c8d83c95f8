import assert from "node:assert/strict";
import fc from "fast-check";
import {
  badCommandWords,
  inputText,
  parseInput,
} from "../../../../src/core/conversation/input/parseInput.js";
import {
  type UserAction,
  userActionSchema,
} from "../../../../src/core/conversation/input/userAction.js";
import { spoken } from "../../../../src/core/text/words.js";

/** Texts of one and more words, without white space around them. */
const words = fc
  .array(fc.stringMatching(/^[a-z/:#.\n]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((several) => several.join(" ").trim())
  .filter((text) => text !== "");
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const expert = fc.constantFrom("rooroo-developer", "rooroo-analyzer", "docs-writer");
/** What a task goes on with. */
const from = fc.constant("ROO#TASK_20250102030405_00AB12");

const actions: fc.Arbitrary<UserAction> = fc.oneof(
  fc.record({ action: fc.constant("proceed" as const), one: fc.boolean() }),
  fc.record({ action: fc.constant("leaveBrainstorm" as const) }),
  fc.record({ action: fc.constant("compact" as const), keep: words }, { requiredKeys: ["action"] }),
  fc.record({ action: fc.constant("resume" as const), taskId: name }),
  fc.record({ action: fc.constant("adopt" as const), taskId: fc.option(name) }),
  fc.record({ action: fc.constantFrom("brainstorm", "queueTask"), goal: words }),
  fc.record(
    {
      action: fc.constant("plan" as const),
      goal: words,
      from,
      waits: fc.constant(true as const),
    },
    { requiredKeys: ["action", "goal"] },
  ),
  fc.record(
    { action: fc.constant("doTask" as const), expert, goal: words, from },
    { requiredKeys: ["action", "expert", "goal"] },
  ),
  fc.record({ action: fc.constant("createJob" as const), name, goal: words }),
  fc.record({ action: fc.constant("runJob" as const), name }),
  fc.record({ action: fc.constant("startRun" as const), request: words }),
);

describe("parseInput", () => {
  it("takes everything that is no command as a request", () => {
    for (const text of ["fix it", "/", "/etc/hosts is wrong", "proceed with it", "//do x"]) {
      assert.deepEqual(parseInput(` ${text}\n`), { action: "request", text });
    }
    assert.deepEqual(parseInput(" \n"), { action: "nothing" });
  });

  it("takes no mistyped command as a request, and says which one is near", () => {
    const problem = (text: string): string => {
      const input = parseInput(text);
      assert.equal(input.action, "badCommand", text);
      return spoken(badCommandWords(input, ["release"]));
    };
    assert.equal(problem("/paln it"), "There is no command /paln. Did you mean /plan?");
    assert.equal(problem("/relase"), "There is no command /relase. Did you mean /release?");
    assert.equal(problem("/brain tea"), "There is no command /brain. Did you mean /brainstorm?");
    assert.equal(problem("/fly home"), "There is no command /fly.");
    assert.equal(problem("/plan"), "/plan needs this after it: goal");
    assert.equal(problem("/expert docs-writer"), "/expert needs this after it: name task");
    assert.equal(problem("/next please"), "/next takes nothing after it.");
  });

  it("reads commands whatever their case", () => {
    assert.deepEqual(parseInput("Proceed!"), { action: "proceed", one: false });
    assert.deepEqual(parseInput("/NEXT"), { action: "proceed", one: true });
    assert.deepEqual(parseInput("/Do  fix it"), {
      action: "doTask",
      expert: "rooroo-developer",
      goal: "fix it",
    });
  });

  it("means jobs by /job and runs by /run", () => {
    assert.deepEqual(parseInput("/job tests"), { action: "runJob", name: "tests" });
    assert.deepEqual(parseInput("/job tests: Move all."), {
      action: "createJob",
      name: "tests",
      goal: "Move all.",
    });
    assert.deepEqual(parseInput("/run a report"), { action: "startRun", request: "a report" });
    assert.deepEqual(parseInput("/run tests"), { action: "startRun", request: "tests" });
  });

  it("reads what inputText writes as the same action", () => {
    fc.assert(
      fc.property(actions, (drawn) => {
        const action = userActionSchema.parse(drawn);
        assert.deepEqual(parseInput(inputText(action)), action);
      }),
    );
  });
});
