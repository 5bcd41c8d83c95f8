import { strict as assert } from "node:assert";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { configure, eventually, product } from "./product.js";
import { replaced } from "./replaced.js";

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

describe("Select Model…", () => {
  let server: Server;
  before(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listed));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await configure("model.baseUrl", `http://127.0.0.1:${port}/v1`);
    await configure("model.name", "small-model");
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    for (const key of ["model.baseUrl", "model.name"]) await configure(key, undefined);
  });

  /** Opens the picker, and closes it after `look`, which is given its items by their labels. */
  async function picking(
    look: (item: (label: string) => vscode.QuickPickItem | undefined) => Promise<void>,
  ): Promise<void> {
    const picker = vscode.window.createQuickPick();
    await replaced(
      vscode.window,
      "createQuickPick",
      () => picker,
      async () => {
        const chosen = vscode.commands.executeCommand("rooroo.selectModel");
        await look((label) => picker.items.find((one) => one.label === label));
        picker.hide();
        await chosen;
      },
    );
  }

  it("shows what each model can, the server's and VS Code's own", async () => {
    await picking(async (item) => {
      const shown = (label: string) => item(label)?.detail ?? item(label)?.description;
      await eventually(() => shown("big-model"), "the server's models are listed");
      await eventually(() => shown("$(vscode) Scripted One"), "VS Code's are, too");
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
    await configure("model.name", undefined);
    const made = fakePicker();
    const { picker } = made;
    const active = () => picker.activeItems.map(({ label }) => label);
    await replaced(
      vscode.window,
      "createQuickPick",
      () => picker,
      async () => {
        const chosen = vscode.commands.executeCommand("rooroo.selectModel");
        await eventually(() => active()[0] === "big-model", "the first of the server's models");
        picker.activeItems = picker.items.filter(({ label }) => label.endsWith("Set API Key…"));
        picker.value = "";
        made.changeValue();
        assert.deepEqual(active(), ["$(key) Set API Key…"]);
        made.hide();
        await chosen;
      },
    );
    await configure("model.name", "small-model");
  });

  it("begins with the server while nothing is set, and asks none that was not named", async () => {
    const { settings } = await product();
    const { baseUrl } = settings.models.base;
    await configure("model.baseUrl", undefined);
    await configure("model.name", undefined);
    const offered: string[] = [];
    const choose = (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
      return Promise.resolve(items.find(({ label }) => label === "$(vscode) Scripted One"));
    };
    const none = () => assert.fail("a server is asked for its models");
    await replaced(vscode.window, "createQuickPick", none, () =>
      replaced(vscode.window, "showQuickPick", choose, async () => {
        await vscode.commands.executeCommand("rooroo.selectModel");
      }),
    );
    assert.ok(offered.includes("$(search) Find Servers on This Machine…"), offered.join());
    assert.ok(offered.includes("Anthropic"), offered.join());
    assert.match(settings.models.base.model, /^vscode:/);
    await configure("model.baseUrl", baseUrl);
    await configure("model.name", "small-model");
  });

  it("changes the server to an address that is typed, and checks it while it is", async () => {
    const { settings } = await product();
    const before = settings.models.base.baseUrl;
    const pickers: ReturnType<typeof fakePicker>[] = [];
    const create = () => {
      const made = fakePicker();
      pickers.push(made);
      return made.picker;
    };
    const servers: string[] = [];
    const other = (items: readonly vscode.QuickPickItem[]) => {
      servers.push(...items.map(({ label }) => label));
      return Promise.resolve(items.find(({ label }) => label.endsWith("Other Address…")));
    };
    const problems: unknown[] = [];
    const type = ({ value = "", validateInput }: vscode.InputBoxOptions) => {
      problems.push(validateInput?.("localhost"), validateInput?.(value));
      return Promise.resolve(` ${value}x `);
    };
    await replaced(vscode.window, "createQuickPick", create, () =>
      replaced(vscode.window, "showQuickPick", other, () =>
        replaced(vscode.window, "showInputBox", type, async () => {
          const chosen = vscode.commands.executeCommand("rooroo.selectModel");
          (await eventually(() => pickers[0], "the picker")).accept("$(globe) Change Server…");
          const again = await eventually(() => pickers[1], "the picker for the other server");
          assert.equal(again.picker.title, `Model on ${before}x`);
          again.hide();
          await chosen;
        }),
      ),
    );
    assert.deepEqual(servers.slice(0, 2), [
      "$(search) Find Servers on This Machine…",
      "$(globe) Other Address…",
    ]);
    assert.deepEqual(problems, ["An address begins with http:// or https://", undefined]);
    assert.equal(settings.models.base.baseUrl, `${before}x`);
    await configure("model.baseUrl", before);
  });

  it("offers the profiles before all else; a model that is chosen instead leaves them", async () => {
    const { settings } = await product();
    await configure("model.profiles", {
      cloud: { model: "gpt", baseUrl: "https://cloud.test/v1" },
      broken: { model: "gpt", baseUrl: "nowhere" },
    });
    const choosing = async (label: string): Promise<readonly string[]> => {
      const made = fakePicker();
      await replaced(
        vscode.window,
        "createQuickPick",
        () => made.picker,
        async () => {
          const chosen = vscode.commands.executeCommand("rooroo.selectModel");
          const isThere = () => made.picker.items.some((one) => one.label === label);
          await eventually(isThere, label);
          made.accept(label);
          await chosen;
        },
      );
      return made.picker.items.map((one) => one.label);
    };
    const labels = await choosing("$(bookmark) cloud");
    assert.deepEqual(labels.slice(0, 3), ["Profiles", "$(bookmark) cloud", "No Profile"]);
    assert.equal(settings.models.profile, "cloud");
    assert.equal(settings.models.base.model, "small-model");
    await choosing("big-model");
    assert.deepEqual([settings.models.profile, settings.models.base.model], ["", "big-model"]);
    await choosing("$(bookmark) cloud");
    await choosing("No Profile");
    assert.deepEqual([settings.models.profile, settings.models.base.model], ["", "big-model"]);
    for (const key of ["model.profiles", "model.profile"]) await configure(key, undefined);
    await configure("model.name", "small-model");
  });

  it("tells a profile that is not defined, and asks nothing instead", async () => {
    const { settings, status } = await product();
    await configure("model.profile", "nowhere");
    await eventually(() => status.current.model.profile === "nowhere", "the status follows");
    assert.deepEqual([status.current.model.name, status.current.model.ready], ["", false]);
    const errors: string[] = [];
    const show = (message: string) => {
      errors.push(message);
      return Promise.resolve(undefined);
    };
    await replaced(vscode.window, "showErrorMessage", show, async () => {
      await vscode.commands.executeCommand("rooroo.testConnection");
    });
    assert.match(errors.join(), /^The model profile "nowhere" is not defined, or is not valid\./);
    assert.equal(settings.models.base.model, "small-model");
    await configure("model.profile", undefined);
  });

  it("asks for which server a key is, if there are several", async () => {
    await configure("model.profiles", {
      cloud: { model: "gpt", baseUrl: "https://cloud.test/v1" },
    });
    const offered: string[] = [];
    const titles: (string | undefined)[] = [];
    const pick = (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
      return Promise.resolve(items.at(-1));
    };
    const type = ({ title }: vscode.InputBoxOptions) => {
      titles.push(title);
      return Promise.resolve(undefined);
    };
    await replaced(vscode.window, "showQuickPick", pick, () =>
      replaced(vscode.window, "showInputBox", type, async () => {
        await vscode.commands.executeCommand("rooroo.setApiKey");
        await configure("model.profiles", undefined);
        await vscode.commands.executeCommand("rooroo.setApiKey");
      }),
    );
    assert.equal(offered.length, 2);
    assert.match(offered[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(offered[1], "https://cloud.test");
    assert.deepEqual(titles, ["API Key for https://cloud.test", `API Key for ${offered[0] ?? ""}`]);
  });

  it("says which of VS Code's own models is in use", async () => {
    await configure("model.name", "vscode:rooroo-test/scripted/one");
    await picking(async (item) => {
      const one = await eventually(() => item("$(vscode) Scripted One"), "VS Code's own models");
      assert.equal(one.description, "vscode:rooroo-test/scripted/one, in use");
      const plain = item("$(vscode) Scripted Plain");
      assert.equal(plain?.description, "vscode:rooroo-test/scripted/plain");
    });
  });
});

/** Returns a picker that nobody sees, and that the test accepts or hides. */
function fakePicker() {
  const [accepted, hidden, changed] = Array.from(
    { length: 3 },
    () => new vscode.EventEmitter<void>(),
  ) as [vscode.EventEmitter<void>, vscode.EventEmitter<void>, vscode.EventEmitter<void>];
  const picker = {
    title: "",
    value: "",
    items: [] as vscode.QuickPickItem[],
    selectedItems: [] as vscode.QuickPickItem[],
    activeItems: [] as vscode.QuickPickItem[],
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    onDidChangeValue: changed.event,
    show: () => undefined,
    dispose: () => undefined,
  };
  return {
    picker,
    accept: (wanted: string) => {
      picker.selectedItems = picker.items.filter(({ label }) => label === wanted);
      accepted.fire();
    },
    changeValue: () => {
      changed.fire();
    },
    hide: () => {
      hidden.fire();
    },
  };
}
