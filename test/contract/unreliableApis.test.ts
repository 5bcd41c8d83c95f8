import assert from "node:assert/strict";
import { type ModelApi, modelApis } from "../../src/core/models/modelApi.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import { FaultyProxy } from "../fakes/faultyProxy.js";
import { HastyClock } from "../fakes/hastyClock.js";
import { HttpModel } from "../fakes/httpModel.js";
import { calls, completes, NavigatorStage } from "../fakes/navigatorWorld.js";

const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
const path = (task: string) => `out/${task}.md`;

/** Has 40 tasks each write a file, edit it and report, with every fifth answer spoiled. */
async function run(api: ModelApi) {
  const server = await HttpModel.start(({ messages, results }) => {
    const [, task = ""] = /\btask (\w+)/.exec(messages[1]?.content ?? "") ?? [];
    switch (results.length) {
      case 0:
        return { text: "I go on.", ...calls("write_to_file", { path: path(task), content: task }) };
      case 1:
        return calls("edit_file", { path: path(task), old_text: task, new_text: `${task} done` });
      default:
        return completes({ message: `Wrote ${task}` });
    }
  });
  const proxy = await FaultyProxy.start(server.url);
  try {
    const options = { baseUrl: proxy.url, name: "m1", api, apiKey: "test-key" };
    const model = new ServerModel(() => Promise.resolve(options));
    const stage = new NavigatorStage([], { modelFor: () => model, clock: new HastyClock() });
    for (const name of names) await stage.navigator.say(`/do task ${name}`);
    const ended = stage.events.flatMap((told) =>
      told.type === "agent" && told.event.type === "toolEnded" && told.event.ok
        ? [told.event.callId]
        : [],
    );
    return {
      ends: stage.ends,
      files: names.map((name) => stage.files.text(path(name))),
      worked: ended.length,
      faults: [...proxy.told].sort(),
    };
  } finally {
    await proxy.stop();
    await server.stop();
  }
}

describe("tasks whose model's server spoils every fifth answer", () => {
  for (const api of modelApis) {
    it(`leave the same files as without trouble, and no tool runs twice: ${api}`, async () => {
      const { ends, files, worked, faults } = await run(api);
      assert.deepEqual(
        ends,
        names.map((name) => `Done: Wrote ${name}`),
      );
      assert.deepEqual(
        files,
        names.map((name) => `${name} done`),
      );
      assert.equal(worked, 2 * names.length);
      assert.deepEqual(faults, ["allButTheEnd", "half", "limited", "nothing", "overloaded"]);
    });
  }
});
