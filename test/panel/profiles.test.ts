import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { ModelServer, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import { PanelStage } from "./panelStage.js";

describe("model profiles", () => {
  let stage: PanelStage;
  let panel: Page;
  let other: ModelServer;

  before(async () => {
    other = await ModelServer.start();
    stage = await PanelStage.open({
      settings: {
        "rooroo.model.profiles": {
          fast: { model: "fast-model", baseUrl: other.url },
          careful: { model: "careful-model", baseUrl: other.url, reasoningEffort: "high" },
        },
      },
    });
    panel = await stage.panel();
  });
  after(async () => {
    await stage.close();
    await other.stop();
  });
  afterEach(async function () {
    await stage.screenshotIfFailed(this.currentTest);
  });

  const button = (model: string) => panel.getByRole("button", { name: `Model: ${model}. Select` });
  const list = () => until(() => stage.person.quickPick, "the profiles are offered");

  /** Makes a request, and returns the models that each server was asked for meanwhile. */
  async function askedBy(text: string): Promise<{ usual: string[]; other: string[] }> {
    const replies = [
      triage("direct", { expert: "rooroo-analyzer", goal: text }),
      report("Done", `${text}: done.`),
    ];
    for (const server of [stage.server, other]) server.script(...replies);
    // Words would go to the expert that is still at work.
    await panel.getByRole("button", { name: /^Send to: / }).waitFor({ state: "detached" });
    await stage.say(panel, text);
    await stage.report(panel, `${text}: done.`).waitFor();
    await stage.atRest(panel);
    const [usual = [], others = []] = [stage.server, other].map(({ requests }) => [
      ...new Set(requests.map(({ model }) => model)),
    ]);
    return { usual, other: others };
  }

  it("are switched below the input, by mouse and by keys, for the next request", async () => {
    await button("gpt-test").waitFor();
    assert.deepEqual(await askedBy("First"), { usual: ["gpt-test"], other: [] });

    await button("gpt-test").click();
    const offered = await list();
    assert.ok(offered.items.some(({ label }) => label.includes("careful")));
    offered.choose(/fast/);
    await button("fast-model, profile fast").waitFor();
    assert.deepEqual(await askedBy("Second"), { usual: [], other: ["fast-model"] });

    await button("fast-model, profile fast").focus();
    await panel.keyboard.press("Enter");
    (await list()).choose(/careful/);
    await button("careful-model, profile careful").waitFor();
    assert.deepEqual(await askedBy("Third"), { usual: [], other: ["careful-model"] });
  });

  it("are left for the settings, and made of these", async () => {
    stage.person.picks(/No Profile/);
    await stage.command("rooroo.switchProfile");
    await button("gpt-test").waitFor();

    const saving = stage.command("rooroo.saveProfile");
    const name = await until(() => stage.person.inputBox, "a name is asked for");
    assert.match(name.prompt ?? "", /API keys are not saved in it/);
    await name.enter("usual");
    await saving;
    await button("gpt-test, profile usual").waitFor();
    assert.deepEqual(await askedBy("Fourth"), { usual: ["gpt-test"], other: [] });
  });
});
