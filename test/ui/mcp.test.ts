import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report, triage } from "../modelServer/modelServer.js";
import type { Stage } from "./stage.js";
import { useStage } from "./useStage.js";

/** A server in one file, because the sandbox hides most of what is outside of the workspace. */
const script = `
const answers = {
  initialize: () => ({ protocolVersion: "2025-03-26", capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: process.env.NAME ?? "look", description: "Looks around.", inputSchema: { type: "object" } }] }),
  "prompts/list": () => ({ prompts: [{ name: "greet", description: "Greets somebody.", arguments: [{ name: "who", required: true }] }] }),
  "prompts/get": ({ arguments: { who } }) => ({ messages: [{ role: "user", content: { type: "text", text: "Wave to " + who + "." } }] }),
  "resources/list": () => ({ resources: [{ uri: "note://a", name: "Note A" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "The text of the note." }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
});
`;

describe("MCP servers that a workspace names", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    const one = { command: process.execPath, args: ["server.cjs"], env: { KEY: "${env:HOME}" } };
    await stage.write("server.cjs", script);
    await stage.write(".roo/mcp.json", JSON.stringify({ mcpServers: { one } }));
  });
  const row = (list: string) => {
    const title = stage.page.locator(".quick-input-widget", { hasText: "MCP Servers of This" });
    const rows = title.locator(".monaco-list-row").filter({ hasText: list });
    return rows.filter({ hasText: "Not used until you allow it" });
  };
  const dialog = () => stage.page.locator(".monaco-dialog-box");

  /** Makes a request, and returns the names of the tools that the expert was offered. */
  async function offered(text: string): Promise<string[]> {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: text }),
      report("Done", `${text}: done.`),
    );
    await stage.say(panel, text);
    await stage.report(panel, `${text}: done.`).waitFor();
    await stage.atRest(panel);
    return (stage.server.requests.at(-1)?.tools ?? []).map((tool) => tool.function.name);
  }

  it("are used only once a person has looked at them", async () => {
    assert.ok(!(await offered("First")).includes("one_look"));
    await stage.notice(panel, /one of the workspace .*until you have looked at it/).waitFor();

    const review = async () => {
      await stage.runCommand("rooroo.reviewMcpServers");
      await row(".roo/mcp.json").click();
    };
    await review();
    await dialog().getByText("environment: HOME").waitFor();
    await stage.screenshot("mcp-review");
    const words = await dialog().innerText();
    assert.match(words, /It runs: ".*" "server\.cjs"/);
    await dialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await dialog().waitFor({ state: "detached" });
    assert.ok(!(await offered("Second")).includes("one_look"));

    await review();
    await dialog()
      .getByRole("button", { name: /^Allow/ })
      .click();
    await dialog().waitFor({ state: "detached" });
    assert.ok((await offered("Third")).includes("one_look"));
  });

  it("offer prompts as commands, and resources behind an @", async () => {
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    const options = panel.getByRole("option");
    await input.fill("/one");
    await options.filter({ hasText: "/one:greet who" }).waitFor();
    await stage.screenshot("mcp-prompt");
    await input.press("Tab");
    assert.equal(await input.inputValue(), "/one:greet ");
    await input.pressSequentially("Ann @resource:note");
    await options.filter({ hasText: "Note A" }).waitFor();
    await stage.screenshot("mcp-resource");
    await input.press("Tab");
    await panel.getByRole("list", { name: "Attached" }).getByText("one: a").waitFor();
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Greet" }),
      report("Done", "Greeted."),
    );
    await input.press("Enter");
    await stage.report(panel, "Greeted.").waitFor();
    await stage.atRest(panel);
    const told = JSON.stringify(stage.server.requests.at(-1)?.messages);
    assert.match(told, /Wave to Ann\./);
    assert.match(told, /The text of the note\./);
  });

  it("are given what the user enters when they are allowed", async () => {
    const two = { command: process.execPath, args: ["server.cjs"], env: { NAME: "${input:name}" } };
    const name = { id: "name", type: "promptString", password: true, description: "Your name" };
    await stage.write(".vscode/mcp.json", JSON.stringify({ servers: { two }, inputs: [name] }));
    const allow = async () => {
      await stage.runCommand("rooroo.reviewMcpServers");
      await row(".vscode/mcp.json").click();
      await dialog().getByText('enter for: "name" "Your name"').waitFor();
      await dialog()
        .getByRole("button", { name: /^Allow/ })
        .click();
    };
    const box = stage.page.locator(".quick-input-widget input[type=password]");
    await allow();
    await box.waitFor();
    await stage.screenshot("mcp-input");
    await box.press("Escape");
    await box.waitFor({ state: "hidden" });
    assert.ok(!(await offered("Fourth")).some((tool) => tool.startsWith("two_")));

    await allow();
    await box.fill("peek");
    await box.press("Enter");
    await box.waitFor({ state: "hidden" });
    assert.ok((await offered("Fifth")).includes("two_peek"));
  });
});
