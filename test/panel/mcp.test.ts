import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { QuickPickItem } from "vscode";
import { report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

/**
 * A server in one file, because the sandbox hides most of what is outside of the workspace. It does not end by itself when
 * nobody talks with it any more.
 */
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
setInterval(() => undefined, 1000);
`;

describe("MCP servers that a workspace names", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    const args = ["server.cjs", stage.workspace];
    const one = { command: process.execPath, args, env: { KEY: "${env:HOME}" } };
    await stage.write("server.cjs", script);
    await stage.write(".roo/mcp.json", JSON.stringify({ mcpServers: { one } }));
  });
  /** Reviews the servers of a file, and clicks on a button of the dialog; nothing: dismisses it. Returns its words. */
  const review = async (list: string, button?: RegExp): Promise<string> => {
    const { person } = stage;
    person.picks((items) => {
      const has = (item: QuickPickItem) =>
        [item.label, item.description, item.detail].join(" ").includes(list);
      return items.filter(has).find(({ detail = "" }) => detail.startsWith("Not used"));
    });
    const before = person.messages.length;
    const asked = () => person.messages.slice(before).find(({ isModal }) => isModal);
    const reviewing = stage.command("rooroo.reviewMcpServers");
    person.clicks(
      until(asked, "the dialog is shown").then(({ buttons }) =>
        button === undefined ? undefined : buttons.find((one) => button.test(one)),
      ),
    );
    await reviewing;
    const shown = asked();
    return `${shown?.text ?? ""}\n${shown?.detail ?? ""}`;
  };

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

    const words = await review(".roo/mcp.json");
    assert.match(words, /environment: HOME/);
    assert.match(words, /It runs: ".*" "server\.cjs" ".*tally"/);
    assert.ok(!(await offered("Second")).includes("one_look"));

    await review(".roo/mcp.json", /^Allow/);
    assert.ok((await offered("Third")).includes("one_look"));
  });

  it("offer prompts as commands, and resources behind an @", async () => {
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    const options = panel.getByRole("option");
    await input.fill("/one");
    await options.filter({ hasText: "/one:greet who" }).waitFor();
    await input.press("Tab");
    assert.equal(await input.inputValue(), "/one:greet ");
    await input.pressSequentially("Ann @resource:note");
    await options.filter({ hasText: "Note A" }).waitFor();
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
    stage.person.types(undefined);
    const words = await review(".vscode/mcp.json", /^Allow/);
    assert.match(words, /enter for: "name" "Your name"/);
    assert.ok(!(await offered("Fourth")).some((tool) => tool.startsWith("two_")));

    stage.person.types("peek");
    await review(".vscode/mcp.json", /^Allow/);
    assert.ok((await offered("Fifth")).includes("two_peek"));
  });

  it("end with the window", async () => {
    const { workspace } = stage;
    assert.ok((await running("server.cjs", workspace)) > 0);
    await stage.reopen();
    assert.equal(await running("server.cjs", workspace), 0);
  });
});

/** Returns how many processes run whose command line ends with these words. */
async function running(...words: readonly string[]): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.endsWith(`\0${words.join("\0")}\0`)).length;
}
