import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { ModelServer, report, triage } from "../modelServer/modelServer.js";
import { Stage } from "./stage.js";

describe("model profiles", () => {
  let stage: Stage;
  let panel: Frame;
  let other: ModelServer;

  before(async () => {
    other = await ModelServer.start();
    stage = await Stage.open({
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
  const picker = () => stage.page.locator(".quick-input-widget");
  const row = (text: string) => picker().locator(".monaco-list-row").filter({ hasText: text });

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
    await row("careful").waitFor();
    await stage.screenshot("profiles-picker");
    await row("fast").click();
    await button("fast-model, profile fast").waitFor();
    assert.deepEqual(await askedBy("Second"), { usual: [], other: ["fast-model"] });
    await stage.screenshot("profiles-in-use");

    await button("fast-model, profile fast").focus();
    await stage.page.keyboard.press("Enter");
    await row("fast").waitFor();
    await stage.page.keyboard.type("careful");
    await row("Use “careful”").waitFor();
    await stage.page.keyboard.press("Enter");
    await button("careful-model, profile careful").waitFor();
    assert.deepEqual(await askedBy("Third"), { usual: [], other: ["careful-model"] });
  });

  it("are left for the settings, and made of these", async () => {
    const switching = stage.editor.runCommand("rooroo.switchProfile");
    await row("No Profile").click();
    await switching;
    await button("gpt-test").waitFor();

    const saving = stage.editor.runCommand("rooroo.saveProfile");
    await picker().getByText("API keys are not saved in it").waitFor();
    await stage.screenshot("profiles-save");
    await stage.page.keyboard.type("usual");
    await stage.page.keyboard.press("Enter");
    await saving;
    await button("gpt-test, profile usual").waitFor();
    assert.deepEqual(await askedBy("Fourth"), { usual: ["gpt-test"], other: [] });
  });
});
