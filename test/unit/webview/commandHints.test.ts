import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { slashCommands } from "../../../src/core/conversation/input/slashCommands.js";
import { commandHints } from "../../../src/webview/composer/commandHints.js";

const known = {
  commands: [{ name: "release", hint: "version", description: "Make a release" }],
  experts: [{ value: "docs-writer", label: "Docs Writer" }],
  asking: [],
  jobs: [{ value: "night", label: "40% done" }],
  resumable: [
    { value: "ROO#TASK_20260101000000_AAAAAA", label: "Fix the failing test" },
    { value: "ROO#TASK_20260101000001_BBBBBB", label: "Write the docs" },
  ],
  foreign: [],
};

const texts = (typed: string) => commandHints(typed, known).map(({ text }) => text);

describe("the completion of commands", () => {
  it("lists every command, the workspace's own among them", () => {
    const all = texts("/");
    for (const { name } of slashCommands) {
      assert.ok(
        all.some((text) => text.trim() === `/${name}`),
        name,
      );
    }
    assert.ok(all.includes("/release "));
    const readme = readFileSync("README.md", "utf8");
    for (const { name } of slashCommands) {
      assert.ok(new RegExp(`[\`/]${name}\\b`).test(readme), `README: ${name}`);
    }
  });

  it("offers what is typed the beginning of, and nothing once it is whole", () => {
    assert.deepEqual(texts("/p"), ["/plan ", "/proceed"]);
    assert.deepEqual(texts("/P"), ["/plan ", "/proceed"]);
    assert.deepEqual(texts("/plan "), []);
    assert.deepEqual(texts("/next"), []);
    assert.deepEqual(texts("plan"), []);
    assert.deepEqual(texts("/plan the"), []);
  });

  it("offers arguments: experts and jobs by name, tasks by their goal", () => {
    assert.deepEqual(texts("/expert "), ["/expert docs-writer "]);
    assert.deepEqual(texts("/job ni"), ["/job night "]);
    assert.deepEqual(texts("/job night"), []);
    assert.deepEqual(texts("/resume failing"), ["/resume ROO#TASK_20260101000000_AAAAAA"]);
    assert.equal(texts("/resume ").length, 2);
  });
});
