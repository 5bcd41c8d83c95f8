import { strict as assert } from "node:assert";
import { rooExport, secret } from "../fakes/rooExport.js";
import { Stage, until } from "./stage.js";

describe("settings of another tool", () => {
  let stage: Stage;

  before(async () => {
    const [mode] = rooExport.globalSettings.customModes;
    stage = await Stage.open({
      settings: { "rooroo.model.profiles": { local: { model: "mine" } } },
      files: {
        ".roo/rules/style.md": "Use tabs.",
        ".kilocode/mcp.json": JSON.stringify({ mcpServers: { shipped: { command: "evil" } } }),
        "roo-code-settings.json": JSON.stringify(rooExport),
        ".roomodes": JSON.stringify({ customModes: [{ ...mode, slug: "ours", name: "Ours" }] }),
      },
    });
    await stage.writeStorage(
      "rooveterinaryinc.roo-cline/settings/mcp_settings.json",
      JSON.stringify({
        mcpServers: {
          github: {
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-github"],
            env: { GITHUB_PERSONAL_ACCESS_TOKEN: secret },
            alwaysAllow: ["create_issue"],
          },
        },
      }),
    );
  });
  after(() => stage.close());
  afterEach(async function () {
    await stage.keepIfFailed(this.currentTest);
  });

  const picker = () => stage.page.locator(".quick-input-widget");
  const row = (text: string) => picker().locator(".monaco-list-row").filter({ hasText: text });
  const checked = (text: string) => row(text).locator("[aria-checked]").first();

  it("are shown with what they become, and written when the user says so, and not before", async () => {
    const importing = stage.runCommand("rooroo.importSettings");
    await row("Choose an Exported File").waitFor();
    await stage.screenshot("import-source");
    await picker().locator("input.input").fill("exported");
    await row("Look for Settings").waitFor({ state: "detached" });
    await stage.page.keyboard.press("Enter");
    // VS Code in a browser has a dialog of its own for the files of the server.
    await row("roo-code-settings.json").click();
    await importing;

    await row("claude").first().waitFor();
    const preview = stage.page.locator(".view-line");
    await preview.filter({ hasText: "Something else has this name" }).first().waitFor();
    await stage.screenshot("import-preview");
    assert.equal((await stage.settings())["rooroo.commands.deny"], undefined);
    const input = picker().locator("input.input");
    for (const [name, isChecked] of [
      ["npm test", "false"],
      ["shipped", "false"],
      ["github", "true"],
      ["local", "false"],
    ] as const) {
      // The list draws only the rows that it has room for.
      await input.fill(name);
      await row(name).first().waitFor();
      assert.equal(await checked(name).getAttribute("aria-checked"), isChecked, name);
    }
    await input.fill("");
    await picker().getByRole("button", { name: "OK" }).click();
    await stage.page
      .getByText(/things were imported/)
      .first()
      .waitFor();
    await stage.screenshot("import-done");
    await until(async () => {
      const settings = await stage.settings();
      return Array.isArray(settings["rooroo.commands.deny"]);
    }, "the settings are written");
    const settings = await stage.settings();
    assert.deepEqual(settings["rooroo.commands.deny"], ["rm -rf", "git push"]);
    assert.equal(settings["rooroo.commands.allow"], undefined);
    const profiles = settings["rooroo.model.profiles"] as Record<string, { model: string }>;
    assert.deepEqual(profiles["local"], { model: "mine" });
    assert.equal(profiles["claude"]?.model, "claude-sonnet-4-5");
    assert.match(await stage.read(".roomodes"), /"ours"[^]*"docs-writer"/);
    const { mcpServers } = JSON.parse(await stage.readOwn("mcp.json")) as { mcpServers: object };
    assert.deepEqual(mcpServers, {
      github: {
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-github"],
        env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${env:GITHUB_PERSONAL_ACCESS_TOKEN}" },
        disabled: true,
      },
    });
    assert.equal(await stage.readOwn("rules/imported.md"), "Answer briefly.\n");
    assert.doesNotMatch(JSON.stringify(settings), /REALLYSECRET/);
  });
});
