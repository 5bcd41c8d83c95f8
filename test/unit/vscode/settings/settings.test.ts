import { strict as assert } from "node:assert";
import { type ExtensionStage, manifest, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

interface Properties {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<
        Record<string, { readonly default: unknown; readonly scope: string }>
      >;
    }[];
  };
}

const properties = Object.fromEntries(
  (manifest as Properties).contributes.configuration.flatMap((one) =>
    Object.entries(one.properties),
  ),
);

describe("settings", () => {
  let stage: ExtensionStage;
  const settings = { "rooroo.model.baseUrl": undefined, "rooroo.model.name": undefined };
  useExtensionStage({ folder: "empty", settings }, (opened) => {
    stage = opened;
  });
  afterEach(() => {
    for (const name of ["approvals.preset", "limits.turns", "sandbox.enabled"]) {
      stage.configure(name, undefined);
    }
  });

  it("read as the manifest's defaults when nothing is set", () => {
    const { settings: read } = stage.api;
    const names = [
      "approvals.preset",
      "limits.turns",
      "queue.concurrency",
      "plans.documenter",
      "modes",
      "commands.runIn",
      "sandbox.enabled",
      "sandbox.allowedHosts",
      "model.profiles",
      "model.profile",
      "hooks",
    ] as const;
    for (const name of names) {
      assert.deepEqual(read.get(name), properties[`rooroo.${name}`]?.default, name);
    }
  });

  it("lets no workspace say what runs unasked, or where the key goes", () => {
    // Not even a dev container's definition, which sets what is of scope "machine".
    assert.equal(properties["rooroo.approvals.preset"]?.scope, "application");
    assert.equal(properties["rooroo.commands.allow"]?.scope, "application");
    assert.equal(properties["rooroo.commands.deny"]?.scope, "application");
    assert.equal(properties["rooroo.sandbox.enabled"]?.scope, "application");
    assert.equal(properties["rooroo.sandbox.allowedHosts"]?.scope, "application");
    assert.equal(properties["rooroo.model.baseUrl"]?.scope, "application");
    assert.equal(properties["rooroo.model.name"]?.scope, "application");
    assert.equal(properties["rooroo.model.profiles"]?.scope, "application");
    assert.equal(properties["rooroo.model.profile"]?.scope, "application");
    assert.equal(properties["rooroo.modes"]?.scope, "application");
    assert.equal(properties["rooroo.hooks"]?.scope, "application");
  });

  it("takes the default for a value that cannot be used, and names the setting once", async () => {
    const { settings } = stage.api;
    const before = stage.person.messages.length;
    const warnings = () => stage.person.messages.slice(before);
    stage.configure("limits.turns", "many");
    assert.equal(settings.get("limits.turns"), 60);
    settings.check();
    await until(() => warnings().length > 0, "a warning");
    assert.deepEqual(
      warnings().map(({ kind, buttons }) => [kind, buttons]),
      [["warning", ["Open Settings"]]],
    );
    assert.match(warnings()[0]?.text ?? "", /rooroo\.limits\.turns.*"many".*60/);
  });

  it("opens the setting whose value cannot be used, where somebody wants to change it", async () => {
    stage.person.clicks("Open Settings");
    stage.configure("limits.turns", "several");
    stage.api.settings.check();
    const opened = () => stage.editor.commands.executions("workbench.action.openSettings");
    await until(() => opened().length > 0, "the settings");
    assert.deepEqual(opened(), [["rooroo.limits.turns"]]);
  });

  it("takes the preset sandbox, by one command where it works, and only names as its hosts", async () => {
    const { settings } = stage.api;
    stage.configure("sandbox.allowedHosts", ["Registry.Example.test", "*.example.test"]);
    assert.deepEqual(settings.get("sandbox.allowedHosts"), [
      "registry.example.test",
      "*.example.test",
    ]);
    stage.configure("sandbox.allowedHosts", ["registry.example.test", "*"]);
    assert.deepEqual(settings.get("sandbox.allowedHosts"), []);
    stage.configure("sandbox.allowedHosts", undefined);
    stage.configure("sandbox.enabled", "off");
    await stage.command("rooroo.useSandbox");
    stage.configure("sandbox.enabled", undefined);
    assert.match(stage.person.said("warning").at(-1) ?? "", /switched off/);
    assert.equal(settings.isPresetChosen, false);
    await settings.setPreset("sandbox");
    assert.deepEqual(
      [settings.get("approvals.preset"), settings.isPresetChosen],
      ["sandbox", true],
    );
  });

  it("shows what this machine can do, a row each", async () => {
    let shown: string[] = [];
    stage.person.picks((rows) => {
      shown = rows.map(({ label }) => label.replace(/^\$\(\w+\) /, ""));
      return undefined;
    });
    await stage.command("rooroo.checkMachine");
    assert.deepEqual(shown.slice(0, 6), ["Node.js", "Git", "ripgrep", "Shell", "Sandbox", "Model"]);
  });
});
