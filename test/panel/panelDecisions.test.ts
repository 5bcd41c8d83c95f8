import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { PanelHost } from "./panelHost.js";
import { richConversation, richEnding, richProposal } from "./richConversation.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";

describe("what the panel asks for", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
  });

  let dock: Locator;
  let input: Locator;
  beforeEach(() => {
    dock = host.page.locator(".dock");
    input = host.page.getByRole("textbox", { name: "Message to the Navigator" });
  });

  /** Returns the name of what has the focus. */
  const focused = (): Promise<string | null | undefined> =>
    host.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const text = (selector: string): Promise<string> => host.page.locator(selector).innerText();

  it("shows exactly what is to be approved, and takes the decision by keyboard, once", async () => {
    const urgent = host.page.locator("rooroo-announcer [aria-live=assertive]");
    for (const event of richConversation) host.event(event);
    host.agent({ type: "toolStarted", callId: "x", tool: "execute_command", title: "rm" });
    host.agent({
      type: "approvalRequested",
      why: "It is asked about.",
      approvalId: "px",
      callId: "x",
      action: {
        access: "command",
        title: "Run rm",
        path: "/srv",
        inside: false,
        command: "rm",
        preview: { kind: "command", text: "rm -rf build\u202e \u200b&& ls\r" },
      },
    });
    host.agent({ type: "toolStarted", callId: "y", tool: "edit_file", title: "a.js" });
    host.agent({
      type: "approvalRequested",
      why: "It is asked about.",
      approvalId: "py",
      callId: "y",
      action: {
        access: "write",
        title: "Edit a.js",
        path: "a.js",
        inside: true,
        preview: { kind: "diff", text: "@@ -1,2 +1,2 @@\n-  old \n+  new\n same\n" },
      },
    });
    await host.drawn();
    assert.deepEqual(await host.page.locator("[data-id=y] .diff-text").allTextContents(), [
      "@@ -1,2 +1,2 @@",
      "removed:   old ",
      "added:   new",
      "same",
    ]);
    const signs = await host.page.locator("[data-id=y] .diff-sign").allTextContents();
    assert.deepEqual(signs, ["", "-", "+", " "]);
    assert.match((await urgent.textContent()) ?? "", /approval is needed: Run rm/);
    const card = host.page.getByRole("group", { name: "Preview: Run rm" });
    assert.equal(
      await card.locator(".command").innerText(),
      "rm -rf buildU+202E U+200B&& lsU+000D",
    );
    assert.match(await card.locator(".approval-warning").innerText(), /Outside .*\/srv/s);
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "BODY");
    assert.match(await dock.innerText(), /Run this command\?[^]*1 of 3[^]*npm test/);

    // What is chosen is decided about, once, however often the key is pressed.
    await dock.getByRole("button", { name: "Next of What Waits for You" }).click();
    const shown = host.page.getByRole("group", { name: "Run this command? Run rm, 2 of 3" });
    assert.match(await shown.innerText(), /Outside .*\/srv/s);
    await shown.getByRole("button", { name: "Allow", exact: true }).focus();
    await host.page.keyboard.press("Enter");
    assert.deepEqual((await host.request("approve")).params, {
      approvalId: "px",
      decision: { type: "allowed", scope: "once" },
    });
    await host.page.keyboard.press("Enter");
    await host.drawn();
    assert.equal(host.requests("approve").length, 1);
    host.agent({ type: "approvalResolved", approvalId: "px", allowed: true });
    await host.drawn();
    assert.equal(await card.count(), 0);
    // The next one has the focus, but none of its buttons: Enter decides nothing unseen.
    assert.equal(await focused(), "Run this command? Run npm test, 1 of 2");
    await host.page.keyboard.press("Enter");

    await dock.getByRole("button", { name: "Deny and Say Why…" }).click();
    await host.page.locator("textarea:focus").waitFor();
    await host.page.keyboard.type("Use node --test");
    await host.page.keyboard.press("Enter");
    assert.deepEqual((await host.request("approve", 2)).params, {
      approvalId: "p1",
      decision: { type: "denied", reason: "Use node --test" },
    });
    host.agent({
      type: "approvalResolved",
      approvalId: "p1",
      allowed: false,
      reason: "Use node --test",
    });
    await host.drawn();
    assert.match(await text("[data-id=c6] .approval-decided"), /Denied: Use node --test/);
    assert.equal(await focused(), "Make this change? Edit a.js");
    host.agent({ type: "approvalResolved", approvalId: "py", allowed: true });
    await host.drawn();
    assert.equal(await focused(), "Message to the Navigator");
    assert.equal(await input.inputValue(), "", "the words have been sent");
  });

  it("loses no words about an approval, whatever becomes of it", async () => {
    for (const event of richConversation) host.event(event);
    await host.drawn();
    await input.fill("and then");
    const why = host.page.getByRole("textbox", { name: "Why you deny, or what to do instead" });
    await dock.getByRole("button", { name: "Deny and Say Why…" }).click();
    await why.fill("Use node --test");
    // They outlive the page, and Escape, which leads back to the button.
    await host.load();
    await dock.waitFor();
    assert.equal(await why.inputValue(), "Use node --test");
    await why.press("Escape");
    await dock.locator(".link-button:focus").getByText("Deny and Say Why…").waitFor();
    assert.equal(await why.count(), 0);
    await dock.getByRole("button", { name: "Allow", exact: true }).click();
    await host.request("approve");
    host.agent({ type: "approvalResolved", approvalId: "p1", allowed: true });
    await host.drawn();
    assert.equal(await input.inputValue(), "Use node --test\nand then");
    assert.equal(await focused(), "Message to the Navigator");
    await host.load();
    assert.equal(await input.inputValue(), "Use node --test\nand then");
  });

  it("decides by the host's word about what it shows, but not when a key is held down", async () => {
    for (const event of richConversation) host.event(event);
    host.agent({ type: "toolStarted", callId: "y", tool: "execute_command", title: "ls" });
    const action = { access: "command", title: "Run ls", path: "", inside: true } as const;
    const preview = { kind: "command", text: "ls" } as const;
    host.agent({
      type: "approvalRequested",
      why: "It is asked about.",
      approvalId: "py",
      callId: "y",
      action: { ...action, command: "ls", preview },
    });
    await host.drawn();
    await input.focus();
    await host.page.keyboard.down("Control");
    await host.page.keyboard.down("Enter");
    await host.post({ type: "decide", decision: "allow" });
    assert.deepEqual((await host.request("approve")).params, {
      approvalId: "p1",
      decision: { type: "allowed", scope: "once" },
    });
    assert.equal(host.requests("send").length, 0);
    host.agent({ type: "approvalResolved", approvalId: "p1", allowed: true });
    await host.drawn();
    await host.page.keyboard.down("Enter");
    await host.post({ type: "decide", decision: "allow" });
    await host.drawn();
    assert.equal(host.requests("approve").length, 1, "the key was still held down");
    await host.page.keyboard.up("Enter");
    await host.page.keyboard.press("Alt+Enter");
    await host.page.keyboard.up("Control");
    await host.post({ type: "decide", decision: "deny" });
    assert.deepEqual((await host.request("approve", 2)).params, {
      approvalId: "py",
      decision: { type: "denied" },
    });
  });

  it("lets what is allowed be chosen, and the command be written anew, by keyboard", async () => {
    for (const event of richConversation) host.event(event);
    await host.drawn();
    const more = dock.getByRole("button", { name: "Always Allow…" });
    assert.equal(await more.getAttribute("aria-expanded"), "false");
    // One step back from the input leads to the decision, and the arrows from button to button.
    await input.focus();
    await host.page.keyboard.press("Shift+Tab");
    assert.equal(
      await host.page.evaluate(() => document.activeElement?.textContent.trim()),
      "Allow",
    );
    await host.page.keyboard.press("ArrowRight");
    await host.page.keyboard.press("Enter");
    await dock.locator("[type=radio]:focus").waitFor();
    assert.equal(await more.getAttribute("aria-expanded"), "true");
    await host.page.keyboard.press("Escape");
    await dock.locator("[aria-expanded=false]:focus").waitFor();
    await host.page.keyboard.press("Enter");
    await dock.locator("[type=radio]:focus").waitFor();
    const exact = dock.getByRole("radio", { name: /^Exactly this command/ });
    assert.equal(await exact.isChecked(), true);
    await host.page.keyboard.press("ArrowDown");
    await host.page.keyboard.press("Tab");
    await host.page.keyboard.press("Tab");
    await host.page.keyboard.press("Enter");
    assert.deepEqual((await host.request("approve")).params, {
      approvalId: "p1",
      decision: { type: "allowed", scope: "session", option: 1 },
    });
  });

  it("gives an edited command to the host, and nothing when the edit is left", async () => {
    for (const event of richConversation) host.event(event);
    await host.drawn();
    const edit = host.page.getByRole("button", { name: "Edit…" });
    await edit.click();
    const field = host.page.getByRole("textbox", { name: "Command to run instead" });
    await host.page.locator(".command-edit:focus").waitFor();
    assert.equal(await field.inputValue(), "npm test -- --test-reporter=spec");
    await host.page.keyboard.press("Escape");
    await dock.locator("button:focus").getByText("Allow").waitFor();
    assert.equal(await field.count(), 0);
    assert.equal(host.requests("approve").length, 0);
    await edit.click();
    await field.fill("npm test");
    await field.press("Enter");
    assert.deepEqual((await host.request("approve")).params, {
      approvalId: "p1",
      decision: { type: "edited", text: "npm test" },
    });
    host.agent({ type: "approvalResolved", approvalId: "p1", allowed: true });
    host.agent({
      type: "callEdited",
      callId: "c6",
      action: {
        access: "command",
        title: "Run npm test",
        command: "npm test",
        path: "",
        inside: true,
        preview: { kind: "command", text: "npm test" },
      },
    });
    await host.drawn();
    assert.match(await text("[data-id=c6]"), /Edited by you:\s*npm test/);
  });

  it("says why a call was asked about or not, and leads to what decided it", async () => {
    for (const event of richConversation) host.event(event);
    host.agent({ type: "toolStarted", callId: "r", tool: "read_file", title: "a.js" });
    host.agent({
      type: "callAllowed",
      callId: "r",
      why: "You allowed this for this session.",
      decidedBy: "grants",
    });
    host.agent({ type: "toolEnded", callId: "r", ok: true, output: "1 | x", durationMs: 3 });
    await host.drawn();
    await host.page.getByRole("button", { name: /^Open Setting: Commands are asked/ }).click();
    assert.deepEqual((await host.request("openDecider")).params, {
      decidedBy: "rooroo.approvals.preset",
    });
    await host.page.locator("[data-id=r] .tool-row").click();
    await host.page.getByRole("button", { name: /^Manage Approvals: You allowed/ }).click();
    assert.deepEqual((await host.request("openDecider", 2)).params, { decidedBy: "grants" });
  });

  it("offers the decision again when the host refuses it", async () => {
    host.refusals = { approve: "This approval has gone." };
    for (const event of richConversation) host.event(event);
    await host.drawn();
    await host.page.getByRole("button", { name: "Allow", exact: true }).click();
    await host.request("approve");
    await host.drawn();
    assert.match(await text("[role=alert].problem"), /This approval has gone\./);
    await host.page.getByRole("button", { name: "Deny", exact: true }).click();
    await host.request("approve", 2);
  });

  it("takes a person's word on a run's proposal by keyboard, and shows what it was", async () => {
    const urgent = host.page.locator("rooroo-announcer [aria-live=assertive]");
    for (const event of richConversation) host.event(event);
    await host.drawn();
    host.event(richProposal);
    await host.drawn();
    assert.match(
      (await urgent.textContent()) ?? "",
      /awaiting your confirmation of its proposal: A report/,
    );
    const card = host.page.getByRole("region", { name: "Proposal: Write a report on the market" });
    assert.deepEqual(await card.getByRole("listitem").allInnerTexts(), [
      "scope Three pages at most\nYou said so.",
      "style Plain words\nReplaces I3.",
      "I3 asks for technical words.",
      "Is it for the board?",
    ]);
    await card.getByRole("button", { name: "Change…" }).focus();
    await host.page.keyboard.press("Enter");
    const field = card.getByRole("textbox", { name: "What should change" });
    await card.locator("textarea:focus").waitFor();
    await host.page.keyboard.type("Two pages");
    await field.press("Escape");
    assert.equal(await field.count(), 0);
    await card.getByRole("button", { name: "Change…" }).click();
    assert.equal(await field.inputValue(), "Two pages");
    await field.press("Enter");
    const { runId, proposalId } = richProposal;
    assert.deepEqual((await host.request("answerWork")).params, {
      ref: { kind: "run", name: runId },
      id: proposalId,
      answer: { type: "MODIFY", words: "Two pages" },
    });
    host.event({ ...richProposal, problem: "p.md:3: two cells too many <b>" });
    await host.drawn();
    assert.match(await card.innerText(), /cannot be confirmed yet: p\.md:3: two cells/);
    const answered = { answer: "changed", words: "Two pages" } as const;
    host.event({ type: "proposalAnswered", at, proposalId, ...answered });
    await host.drawn();
    assert.match(await card.innerText(), /Changes requested: Two pages$/);
    assert.equal(await card.getByRole("button", { name: "Confirm" }).count(), 0);
  });

  it("keeps what is typed in answer to a question and to a proposal over a reload", async () => {
    for (const event of [...richConversation, ...richEnding, richProposal]) host.event(event);
    await host.drawn();
    const question = host.page.getByRole("textbox", { name: "Your answer" });
    await question.fill("The catalo");
    await host.page.getByRole("button", { name: "Change…" }).focus();
    await host.page.keyboard.press("Enter");
    const change = host.page.getByRole("textbox", { name: "What should change" });
    await host.page.locator("textarea[data-focus=change]:focus").waitFor();
    await host.page.keyboard.type("Two pa");
    await host.until(() => host.draft.answers?.at(-1)?.text === "Two pa", "it is kept");
    await host.load();
    await host.drawn();
    assert.equal(await question.inputValue(), "The catalo");
    assert.equal(await change.inputValue(), "Two pa");
    // The page begins where it always does.
    assert.equal(await host.page.locator("rooroo-transcript textarea:focus").count(), 0);
    const { proposalId } = richProposal;
    host.event({ type: "proposalAnswered", at, proposalId, answer: "confirmed", words: "" });
    await host.until(() => host.draft.answers?.length === 1, "one is left");
    await question.fill("");
    await host.until(() => host.draft.answers === undefined, "none is left");
  });

  it("answers a question by one press, or in words, and shows the answer", async () => {
    for (const event of [...richConversation, ...richEnding]) host.event(event);
    await host.drawn();
    await host.page.getByRole("button", { name: "The catalogue's" }).click();
    assert.deepEqual((await host.request("answer")).params, {
      taskId: "ROO#20260105-100312#c3d4",
      text: "The catalogue's",
    });
    host.event({ type: "answered", at, questionId: "q1", text: "The catalogue's" });
    await host.drawn();
    assert.equal(await text("[data-id=q1] .answer-text"), "The catalogue's");

    host.event({
      type: "question",
      at,
      questionId: "q2",
      taskId: null,
      mode: "rooroo-navigator",
      text: "Which cart?",
      suggestions: [],
    });
    await host.drawn();
    const field = host.page.locator("[data-id=q2]").getByRole("textbox");
    await field.fill("The big one");
    await field.press("Enter");
    assert.deepEqual((await host.request("send")).params, { text: "The big one" });
  });
});
