import assert from "node:assert/strict";
import { env } from "node:process";
import * as vscode from "vscode";
import { rooExport, secret } from "../../../fakes/rooExport.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const [mode] = rooExport.globalSettings.customModes;
const files = {
  ".roo/rules/style.md": "Use tabs.",
  ".kilocode/mcp.json": JSON.stringify({ mcpServers: { shipped: { command: "evil" } } }),
  "roo-code-settings.json": JSON.stringify(rooExport),
  ".roomodes": JSON.stringify({ customModes: [{ ...mode, slug: "ours", name: "Ours" }] }),
};
const github = { command: "npx", args: ["-y", "@modelcontextprotocol/server-github"] };

describe("importing settings of another tool", () => {
  let stage: ExtensionStage;
  let home: string | undefined;
  const settings = { "rooroo.model.profiles": { local: { model: "mine" } } };
  useExtensionStage({ files, settings }, async (opened) => {
    stage = opened;
    // Settings are looked for in the home folder, too.
    home = env["HOME"];
    env["HOME"] = stage.path("..");
    const withKey = { ...github, env: { GITHUB_PERSONAL_ACCESS_TOKEN: secret } };
    await stage.writeStorage(
      "rooveterinaryinc.roo-cline/settings/mcp_settings.json",
      JSON.stringify({ mcpServers: { github: { ...withKey, alwaysAllow: ["create_issue"] } } }),
    );
  });
  after(() => {
    if (home === undefined) Reflect.deleteProperty(env, "HOME");
    else env["HOME"] = home;
  });

  const values = () => stage.editor.configuration.userValues as Record<string, unknown>;
  /** Imports the exported file; `choose` looks at the list of what would be imported. */
  const importing = async (
    choose: (items: readonly vscode.QuickPickItem[]) => string[] | undefined,
  ) => {
    stage.person
      .picks(/Choose an Exported File/)
      .paths([vscode.Uri.file(stage.path("roo-code-settings.json"))])
      .picks(choose);
    await stage.command("rooroo.importSettings");
  };

  it("shows what each thing becomes, and writes nothing until the user says so", async () => {
    const before = structuredClone(values());
    const modes = await stage.read(".roomodes");
    let listed: readonly vscode.QuickPickItem[] = [];
    await importing((items) => {
      listed = items;
      return undefined;
    });
    const preview = stage.editor.editors.active?.document.getText() ?? "";
    assert.match(preview, /Something else has this name/);
    const isChecked = (name: string) =>
      listed.filter(({ label }) => label === name).map(({ picked }) => picked);
    assert.deepEqual(isChecked("npm test"), [false]);
    assert.deepEqual(isChecked("shipped"), [false]);
    assert.deepEqual(isChecked("github"), [true]);
    assert.deepEqual(isChecked("local"), [false]);
    assert.deepEqual(values(), before);
    assert.equal(await stage.read(".roomodes"), modes);
    await assert.rejects(stage.readOwn("mcp.json"));
  });

  it("writes what was left checked, and no key", async () => {
    await importing((items) => items.filter(({ picked }) => picked).map(({ label }) => label));
    assert.match(stage.person.said().at(-1) ?? "", /^\d+ things were imported/);
    const { "rooroo.model.profiles": written, ...others } = values();
    const profiles = written as Record<string, { model: string }>;
    assert.deepEqual(others["rooroo.commands.deny"], ["rm -rf", "git push"]);
    assert.equal(others["rooroo.commands.allow"], undefined);
    assert.deepEqual(profiles["local"], { model: "mine" });
    assert.equal(profiles["claude"]?.model, "claude-sonnet-4-5");
    assert.match(await stage.read(".roomodes"), /"ours"[^]*"docs-writer"/);
    const { mcpServers } = JSON.parse(await stage.readOwn("mcp.json")) as { mcpServers: object };
    const key = "${env:GITHUB_PERSONAL_ACCESS_TOKEN}";
    const imported = { ...github, env: { GITHUB_PERSONAL_ACCESS_TOKEN: key }, disabled: true };
    assert.deepEqual(mcpServers, { github: imported });
    assert.equal(await stage.readOwn("rules/imported.md"), "Answer briefly.\n");
    assert.ok(!JSON.stringify(values()).includes(secret));
  });
});
