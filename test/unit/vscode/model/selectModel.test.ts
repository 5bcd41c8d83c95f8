import { strict as assert } from "node:assert";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type * as vscode from "vscode";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

/** As OpenRouter lists its models. */
const listed = {
  data: [
    {
      id: "big-model",
      context_length: 131_072,
      supported_parameters: ["tools"],
      pricing: { prompt: "0.000001", completion: "0.000002" },
    },
    { id: "small-model", context_length: 8_192, supported_parameters: ["temperature"] },
  ],
};
/** What another extension offers VS Code. */
const offered = { vendor: "rooroo-test", family: "scripted", version: "1" };
const scripted = [
  { ...offered, id: "scripted/one", name: "Scripted One", capabilities: { toolCalling: true } },
  { ...offered, id: "scripted/plain", name: "Scripted Plain" },
];

describe("Select Model…", () => {
  let stage: ExtensionStage;
  let server: Server;
  let url: string;
  /** When the server answers. */
  let answers = Promise.resolve();
  useExtensionStage({ folder: "empty" }, async (opened) => {
    stage = opened;
    server = createServer((_request, response) => {
      void answers.then(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listed));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  beforeEach(() => {
    stage.editor.models.offer(...scripted);
    stage.configure("model.baseUrl", url);
    stage.configure("model.name", "small-model");
    for (const name of ["model.profiles", "model.profile"]) stage.configure(name, undefined);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The list that is open, once it has this row. */
  const listWith = (label: string) =>
    until(() => {
      const { quickPick } = stage.person;
      const isThere = quickPick?.items.some((row) => row.label === label);
      return isThere && quickPick;
    }, `a list with ${label}`);
  /** Opens the picker, and closes it after `look`, which is given what is shown beside a label. */
  const picking = async (look: (shown: (label: string) => string | undefined) => void) => {
    const chosen = stage.command("rooroo.selectModel");
    await listWith("big-model");
    const { items } = await listWith("$(vscode) Scripted One");
    look((label) => {
      const row = items.find((one) => one.label === label);
      return row?.detail ?? row?.description;
    });
    stage.person.leave();
    await chosen;
  };
  const models = () => stage.api.settings.models;

  it("shows what each model can, the server's and VS Code's own", async () => {
    await picking((shown) => {
      assert.equal(
        shown("big-model"),
        "128k tokens · calls tools · $1.00 in, $2.00 out per million",
      );
      assert.equal(shown("small-model"), "in use · 8k tokens · no tool calling");
      assert.equal(shown("$(vscode) Scripted One"), "50k tokens · calls tools");
      assert.equal(shown("$(vscode) Scripted Plain"), "50k tokens · no tool calling");
    });
  });

  it("has a model selected as soon as there is one, unless the user has moved", async () => {
    stage.configure("model.name", undefined);
    let answer = (): void => undefined;
    answers = new Promise((resolve) => (answer = resolve));
    const chosen = stage.command("rooroo.selectModel");
    const list = await listWith("$(vscode) Scripted One");
    const active = () => list.activeItems.map(({ label }) => label);
    assert.deepEqual(active(), ["$(vscode) Scripted One"]);
    list.activeItems = list.items.filter(({ label }) => label.endsWith("Set API Key…"));
    answer();
    await listWith("big-model");
    assert.deepEqual(active(), ["$(key) Set API Key…"]);
    list.hide();
    await chosen;

    stage.editor.models.offer();
    const again = stage.command("rooroo.selectModel");
    const next = await listWith("big-model");
    assert.deepEqual(
      next.activeItems.map(({ label }) => label),
      ["big-model"],
    );
    next.hide();
    await again;
  });

  it("begins with the server while nothing is set, and asks none that was not named", async () => {
    stage.configure("model.baseUrl", undefined);
    stage.configure("model.name", undefined);
    let labels: string[] = [];
    stage.person.picks((items) => {
      labels = items.map(({ label }) => label);
      return "Scripted One";
    });
    await stage.command("rooroo.selectModel");
    assert.ok(labels.includes("$(search) Find Servers on This Machine…"), labels.join());
    assert.ok(labels.includes("Anthropic"), labels.join());
    assert.match(models().base.model, /^vscode:/);
  });

  it("changes the server to an address that is typed, and checks it while it is", async () => {
    const chosen = stage.command("rooroo.selectModel");
    const first = await listWith("big-model");
    let servers: string[] = [];
    stage.person.picks((items) => {
      servers = items.map(({ label }) => label);
      return items.find(({ label }) => label.endsWith("Other Address…"));
    });
    first.choose("$(globe) Change Server…");
    const input = await until(() => stage.person.inputBox, "the input");
    assert.equal(await input.type("localhost"), "An address begins with http:// or https://");
    assert.equal(await input.type(input.value), undefined);
    await input.enter(` ${input.value}x `);
    const again = await until(() => {
      const { quickPick } = stage.person;
      return quickPick?.title === `Model on ${url}x` && quickPick;
    }, "the picker for the other server");
    again.hide();
    await chosen;
    assert.deepEqual(servers.slice(0, 2), [
      "$(search) Find Servers on This Machine…",
      "$(globe) Other Address…",
    ]);
    assert.equal(models().base.baseUrl, `${url}x`);
  });

  it("offers the profiles before all else; a model that is chosen instead leaves them", async () => {
    stage.configure("model.profiles", {
      cloud: { model: "gpt", baseUrl: "https://cloud.test/v1" },
      broken: { model: "gpt", baseUrl: "nowhere" },
    });
    const choosing = async (label: string): Promise<readonly string[]> => {
      const chosen = stage.command("rooroo.selectModel");
      const list = await listWith(label);
      list.choose(label);
      await chosen;
      return list.items.map((one) => one.label);
    };
    const labels = await choosing("$(bookmark) cloud");
    assert.deepEqual(labels.slice(0, 3), ["Profiles", "$(bookmark) cloud", "No Profile"]);
    assert.equal(models().profile, "cloud");
    assert.equal(models().base.model, "small-model");
    await choosing("big-model");
    assert.deepEqual([models().profile, models().base.model], ["", "big-model"]);
    await choosing("$(bookmark) cloud");
    await choosing("No Profile");
    assert.deepEqual([models().profile, models().base.model], ["", "big-model"]);
  });

  it("tells a profile that is not defined, and asks nothing instead", async () => {
    const { status } = stage.api;
    stage.configure("model.profile", "nowhere");
    await until(() => status.current.model.profile === "nowhere", "the status follows");
    assert.deepEqual([status.current.model.name, status.current.model.ready], ["", false]);
    await stage.command("rooroo.testConnection");
    assert.match(
      stage.person.said("error").at(-1) ?? "",
      /^The model profile "nowhere" is not defined, or is not valid\./,
    );
    assert.equal(models().base.model, "small-model");
  });

  it("asks for which server a key is, if there are several", async () => {
    stage.configure("model.profiles", {
      cloud: { model: "gpt", baseUrl: "https://cloud.test/v1" },
    });
    let choices: string[] = [];
    stage.person
      .picks((items: readonly vscode.QuickPickItem[]) => {
        choices = items.map(({ label }) => label);
        return items.at(-1);
      })
      .types(undefined, undefined);
    const before = stage.person.asked.length;
    await stage.command("rooroo.setApiKey");
    stage.configure("model.profiles", undefined);
    await stage.command("rooroo.setApiKey");
    assert.deepEqual(choices, [new URL(url).origin, "https://cloud.test"]);
    assert.deepEqual(stage.person.asked.slice(before), [
      "API Key for Which Server?",
      "API Key for https://cloud.test",
      `API Key for ${new URL(url).origin}`,
    ]);
  });

  it("says which of VS Code's own models is in use", async () => {
    stage.configure("model.name", "vscode:rooroo-test/scripted/one");
    const chosen = stage.command("rooroo.selectModel");
    const { items } = await listWith("$(vscode) Scripted One");
    const described = (label: string) => items.find((one) => one.label === label)?.description;
    assert.equal(described("$(vscode) Scripted One"), "vscode:rooroo-test/scripted/one, in use");
    assert.equal(described("$(vscode) Scripted Plain"), "vscode:rooroo-test/scripted/plain");
    stage.person.leave();
    await chosen;
  });
});
