import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { configure, eventually, manifest, product } from "./product.js";
import { replaced } from "./replaced.js";

describe("settings", () => {
  it("read as the manifest's defaults when nothing is set", async () => {
    const { settings } = await product();
    const properties = Object.assign({}, ...allProperties()) as Record<
      string,
      { default: unknown }
    >;
    const { models, preset, limits, ripgrepPath, runIn, ...others } = settings.read();
    const read = {
      "rooroo.approvals.preset": preset,
      "rooroo.limits.turns": limits.turns,
      "rooroo.limits.failuresInARow": limits.failuresInARow,
      "rooroo.queue.concurrency": others.concurrency,
      "rooroo.plans.documenter": others.documenter,
      "rooroo.modes": others.modes,
      "rooroo.search.ripgrepPath": ripgrepPath,
      "rooroo.commands.runIn": runIn,
      "rooroo.sandbox.enabled": others.sandbox.enabled,
      "rooroo.sandbox.allowedHosts": others.sandbox.allowedHosts,
      "rooroo.model.profiles": models.profiles,
      "rooroo.model.profile": models.profile,
      "rooroo.hooks": others.hooks,
    };
    for (const [key, value] of Object.entries(read)) {
      assert.deepEqual(value, properties[key]?.default, key);
    }
  });

  it("lets no workspace say what runs unasked, where the key goes, or which program searches", () => {
    const properties = Object.assign({}, ...allProperties()) as Record<string, { scope: string }>;
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
    // A path means something on one machine only.
    assert.equal(properties["rooroo.search.ripgrepPath"]?.scope, "machine");
  });

  it("takes the default for a value that cannot be used, and names the setting once", async () => {
    const { settings } = await product();
    const warnings: string[] = [];
    const warn = (message: string) => {
      warnings.push(message);
      return Promise.resolve(undefined);
    };
    await replaced(vscode.window, "showWarningMessage", warn, async () => {
      await configure("limits.turns", "many");
      await eventually(() => warnings.length > 0, "a warning");
      assert.equal(settings.read().limits.turns, 60);
      settings.read();
    });
    await configure("limits.turns", undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /rooroo\.limits\.turns.*"many".*60/);
  });

  it("takes the preset sandbox, by one command where it works, and only names as its hosts", async () => {
    const { settings, workspace } = await product();
    assert.ok(workspace.session);
    const warn = () => Promise.resolve(undefined);
    await replaced(vscode.window, "showWarningMessage", warn, async () => {
      await configure("sandbox.allowedHosts", ["Registry.Example.test", "*.example.test"]);
      assert.deepEqual(settings.read().sandbox.allowedHosts, [
        "registry.example.test",
        "*.example.test",
      ]);
      await configure("sandbox.allowedHosts", ["registry.example.test", "*"]);
      assert.deepEqual(settings.read().sandbox.allowedHosts, []);
      await configure("sandbox.allowedHosts", undefined);
    });
    await configure("sandbox.enabled", "off");
    const refusals: string[] = [];
    const refuse = (message: string) => {
      refusals.push(message);
      return Promise.resolve(undefined);
    };
    await replaced(vscode.window, "showWarningMessage", refuse, async () => {
      await vscode.commands.executeCommand("rooroo.useSandbox");
    });
    await configure("sandbox.enabled", undefined);
    assert.match(refusals.join(), /switched off/);
    assert.equal(settings.isPresetChosen, false);
    await settings.setPreset("sandbox");
    assert.deepEqual([settings.read().preset, settings.isPresetChosen], ["sandbox", true]);
    await configure("approvals.preset", undefined);
  });

  it("shows what this machine can do, a row each", async () => {
    await product();
    const shown: string[] = [];
    const pick = (rows: readonly vscode.QuickPickItem[]) => {
      shown.push(...rows.map(({ label }) => label.replace(/^\$\(\w+\) /, "")));
      return Promise.resolve(undefined);
    };
    await replaced(vscode.window, "showQuickPick", pick, async () => {
      await vscode.commands.executeCommand("rooroo.checkMachine");
    });
    assert.deepEqual(shown.slice(0, 6), ["Node.js", "Git", "ripgrep", "Shell", "Sandbox", "Model"]);
  });
});

function allProperties(): object[] {
  return manifest().contributes.configuration.map(({ properties }) => properties);
}
