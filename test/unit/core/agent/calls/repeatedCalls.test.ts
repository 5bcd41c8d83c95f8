import assert from "node:assert/strict";
import { RepeatedCalls } from "../../../../../src/core/agent/calls/repeatedCalls.js";
import type { AnyTool } from "../../../../../src/core/agent/tool.js";

const tool = (access: string) => ({ kind: "action", access }) as unknown as AnyTool;
const call = (name: string, args = "{}") => ({ id: "c", name, arguments: args });

describe("RepeatedCalls", () => {
  it("counts the same call with the same result, and says so from the third time on", () => {
    const repeats = new RepeatedCalls();
    const look = () => repeats.count(call("look"), tool("read"), true, "a");
    assert.deepEqual([look(), look()], ["", ""]);
    assert.match(look(), /same result 3 times/);
    assert.deepEqual(repeats.most, { name: "look", times: 3 });
  });

  it("sees circles of several calls, and commands that differ in the time they took", () => {
    const repeats = new RepeatedCalls();
    for (let round = 0; round < 4; round++) {
      repeats.count(call("look", '{"a":1}'), tool("read"), true, "a");
      repeats.count(call("look", '{"a":2}'), tool("read"), true, "b");
      repeats.count(call("run"), tool("command"), false, `Exit code 1 after ${round}.2 s.`);
    }
    assert.equal(repeats.most.times, 4);
    assert.match(repeats.count(call("run"), undefined, false, "Exit code 1 after 9 s."), /5 times/);
  });

  it("begins anew when the result is another, or when something was changed meanwhile", () => {
    const repeats = new RepeatedCalls();
    for (const content of ["a", "b", "a", "b", "a"]) {
      repeats.count(call("look"), tool("read"), true, content);
    }
    assert.equal(repeats.most.times, 1);
    for (let round = 0; round < 5; round++) {
      repeats.count(call("test"), tool("read"), true, "fails");
      repeats.count(call("edit", `${round}`), tool("write"), true, "edited");
    }
    assert.equal(repeats.most.times, 1);
  });

  it("takes the same arguments in another order for the same call", () => {
    const repeats = new RepeatedCalls();
    for (const args of ['{"a":1,"b":{"c":2,"d":[1,2]}}', ' {"b": {"d":[1,2], "c":2}, "a":1}']) {
      repeats.count(call("look", args), tool("read"), true, "x");
    }
    assert.equal(repeats.most.times, 2);
    repeats.count(call("look", '{"a":1,"b":{"c":2,"d":[2,1]}}'), tool("read"), true, "x");
    repeats.count(call("look", "not JSON"), tool("read"), true, "x");
    assert.equal(repeats.most.times, 2);
  });

  it("notices a change that is made again and again", () => {
    const repeats = new RepeatedCalls();
    for (let round = 0; round < 3; round++) repeats.count(call("run"), tool("command"), true, "ok");
    assert.equal(repeats.most.times, 3);
  });
});
