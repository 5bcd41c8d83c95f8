import assert from "node:assert/strict";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { calmStatus } from "../fakes/calmStatus.js";
import type { PanelHost } from "./panelHost.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";
const taskId = "ROO#TASK_20260105100000_AB12CD";
const mode = "rooroo-developer";

describe("turns in the panel", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
  });

  const started: ConversationEvent = {
    type: "sessionStarted",
    at,
    taskId,
    mode,
    goal: "Fix the sum",
  };
  const ended: ConversationEvent = {
    type: "sessionEnded",
    at: "2026-01-05T10:00:12.000Z",
    taskId,
    mode,
    end: "Done",
    message: "Mended the sum.",
    artifacts: [],
    changedFiles: 2,
  };

  function work(): void {
    host.event({ type: "user", id: "u", at, text: "Fix the sum" });
    host.event(started);
    const agent = (event: Extract<ConversationEvent, { type: "agent" }>["event"], when = at) => {
      host.event({ type: "agent", at: when, taskId, event });
    };
    agent({ type: "reasoningStarted", messageId: "m" });
    agent({ type: "reasoningDelta", messageId: "m", text: "The test **fails**" });
    const thought = { type: "reasoning", messageId: "m", text: "The test **fails**" } as const;
    agent(thought, "2026-01-05T10:00:08.000Z");
    agent({ type: "text", messageId: "m", text: "I look first." });
    for (const [id, tool] of ["read_file", "edit_file", "execute_command"].entries()) {
      agent({ type: "toolStarted", callId: `c${id}`, tool, title: `src/${id}.js` });
      agent({ type: "toolEnded", callId: `c${id}`, ok: id < 2, output: "", durationMs: 1 });
    }
  }

  it("show Thinking… at once, before anything has answered", async () => {
    const input = host.page.getByRole("textbox", { name: /^Message/ });
    await input.fill("Fix the sum");
    const isShownAtOnce = await input.evaluate(async (field) => {
      const options = { key: "Enter", bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent("keydown", options));
      const isShown = () => document.querySelector(".thinking") !== null;
      // In the same task as the key: no timer, frame or message comes between these steps.
      for (let steps = 0; !isShown() && steps < 1_000; steps++) await Promise.resolve();
      return isShown();
    });
    assert.ok(isShownAtOnce);
    host.event({ type: "user", id: "u", at, text: "Fix the sum" });
    host.event({ type: "notice", id: "n", at, level: "info", text: "Hello.", steps: [] });
    await host.drawn();
    assert.equal(await host.page.getByText("Thinking…").count(), 0);
  });

  it("show what a model thinks on a line that opens", async () => {
    work();
    await host.drawn();
    const thought = host.page.getByRole("button", { name: "Thought for 8 s" });
    assert.equal(await thought.getAttribute("aria-expanded"), "false");
    await thought.press("Enter");
    await host.page.locator(".thought strong").getByText("fails").waitFor();
  });

  it("fold when they have ended, and open by keyboard", async () => {
    work();
    await host.drawn();
    assert.equal(await host.page.getByRole("button", { name: /^Worked/ }).count(), 0);
    host.event(ended);
    await host.drawn();
    const line = host.page.getByRole("button", { name: "Worked for 12 s · 3 steps · 1 failed" });
    await line.waitFor();
    assert.equal(
      await host.page.locator("rooroo-transcript").getByText("I look first.").count(),
      0,
    );
    await host.page.locator(".report").getByText("Mended the sum.").waitFor();
    await host.page.screenshot({ path: "out/screenshots/turn-folded.png" });
    await line.press("Enter");
    await host.page.locator("rooroo-transcript").getByText("I look first.").waitFor();
    await host.page.getByText("src/2.js").waitFor();
    await host.page.screenshot({ path: "out/screenshots/turn-open.png" });
    // It stays open, whatever comes.
    host.event({ type: "user", id: "v", at, text: "And now?" });
    await host.drawn();
    await host.page.locator("rooroo-transcript").getByText("I look first.").waitFor();
    await line.press("Enter");
    await host.drawn();
    assert.equal(
      await host.page.locator("rooroo-transcript").getByText("I look first.").count(),
      0,
    );
  });

  it("are unfolded by what leads to one of their steps", async () => {
    work();
    host.event(ended);
    await host.drawn();
    host.feed.reveal("c1");
    await host.page.locator(".item.shown").filter({ hasText: "src/1.js" }).waitFor();
    await host.page.getByText("src/2.js").waitFor();
  });

  it("have their messages and code copied, and code inserted, by mouse and by keyboard", async () => {
    host.event({ type: "user", id: "u", at, text: "Fix the sum" });
    host.event(started);
    host.event({ ...ended, message: "It is:\n\n```js\nsum(1);\n```\n" });
    await host.drawn();
    const said = host.page.locator(".item[data-kind=user]");
    const tools = said.getByRole("group", { name: "Message actions" });
    assert.equal(await tools.evaluate((group) => getComputedStyle(group).opacity), "0");
    await said.hover();
    assert.equal(await tools.evaluate((group) => getComputedStyle(group).opacity), "1");
    await said.getByRole("button", { name: "Copy" }).click();
    assert.deepEqual((await host.request("copy")).params, { text: "Fix the sum" });
    const live = host.page.locator("rooroo-announcer [role=status]");
    await live.getByText("Copied").waitFor();

    const report = host.page.locator(".item[data-kind=report]");
    const copy = report.getByRole("button", { name: "Copy", exact: true });
    await said.getByRole("button", { name: "Copy" }).focus();
    while (!(await copy.evaluate((button) => button === document.activeElement))) {
      await host.page.keyboard.press("Tab");
    }
    await host.page.screenshot({ path: "out/screenshots/message-tools.png" });
    await host.page.keyboard.press("Enter");
    const whole = { text: "It is:\n\n```js\nsum(1);\n```\n" };
    assert.deepEqual((await host.request("copy", 2)).params, whole);

    await report.getByRole("button", { name: "Copy Code" }).click();
    assert.deepEqual((await host.request("copy", 3)).params, { text: "sum(1);\n" });
    host.results.insert = "cart.js";
    await report.getByRole("button", { name: "Insert at Cursor" }).press("Enter");
    assert.deepEqual((await host.request("insert")).params, { text: "sum(1);" });
    await live.getByText("Inserted into cart.js").waitFor();
    host.refusals.insert = "There is no text editor to insert into.";
    await report.getByRole("button", { name: "Insert at Cursor" }).click();
    await host.page.getByRole("alert").getByText("There is no text editor").waitFor();
  });

  it("are asked for once more, with what was attached, when nothing runs", async () => {
    const attachment = { kind: "file", path: "src/sum.js" } as const;
    host.event({ type: "user", id: "t", at, text: "Look at it" });
    host.event({ type: "user", id: "u", at, text: "/do Fix it", attachments: [{ attachment }] });
    host.event(started);
    host.feed.setStatus({ ...calmStatus, busy: true });
    await host.drawn();
    const again = host.page.getByRole("button", { name: "Try Again" });
    assert.equal(await again.count(), 0);
    host.event({ ...ended, end: "Failed", message: "It did not work." });
    host.feed.setStatus(calmStatus);
    await host.drawn();
    // On the message, and where the answer ends.
    assert.equal(await again.count(), 2);
    await host.page.locator(".item[data-kind=report]").hover();
    await host.page.screenshot({ path: "out/screenshots/try-again.png" });
    await again.last().press("Enter");
    const action = {
      action: "doTask",
      expert: "rooroo-developer",
      goal: "Fix it",
      attachments: [attachment],
    };
    assert.deepEqual((await host.request("act")).params, { action });
    // It is sent once, and keeps the focus.
    await host.drawn();
    await again.last().press("Enter");
    await host.drawn();
    assert.equal(host.requests("act").length, 1);
    const focused = await host.page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(focused, "Try Again");
  });

  it("offer to review and to undo what they have changed, until that is dismissed or undone", async () => {
    work();
    host.event(ended);
    const report = `${taskId}!1`;
    const changes = { id: taskId, goal: "Fix the sum", report, files: 2, added: 42, removed: 1 };
    host.feed.setStatus({ ...calmStatus, changes });
    await host.drawn();
    const pill = host.page.getByRole("group", { name: "Changes" });
    assert.match((await pill.innerText()).replaceAll(/\s+/g, " "), /2 files changed \+42 −1/);
    await host.page.screenshot({ path: "out/screenshots/changes-pill.png" });
    await pill.getByRole("button", { name: "Review" }).click();
    assert.deepEqual((await host.request("reviewChanges")).params, { taskId });
    await pill.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual((await host.request("undoChanges")).params, { taskId });
    await pill.getByRole("button", { name: "Dismiss Changes" }).click();
    await pill.waitFor({ state: "detached" });
    host.feed.setStatus({ ...calmStatus, changes: { ...changes, added: 43 } });
    await pill.waitFor();

    host.event({ type: "changesUndone", at, taskId, files: 1, left: ["src/odd.js"] });
    await host.drawn();
    await host.page.getByRole("heading", { name: /Undone/ }).waitFor();
    await host.page.getByText("1 file left as it is:").waitFor();
    await host.page.screenshot({ path: "out/screenshots/undone.png" });
  });

  it("do not offer the changes of a task before, from the moment at which there are others", async () => {
    const pill = host.page.getByRole("group", { name: "Changes" });
    const changes = { id: taskId, goal: "Fix the sum", files: 2, added: 42, removed: 1 };
    const first = { ...changes, report: `${taskId}!1` };
    work();
    host.event(ended);
    host.feed.setStatus({ ...calmStatus, changes: first });
    await pill.waitFor();
    const other = `${taskId}0`;
    host.event({ ...started, taskId: other });
    await host.drawn();
    assert.equal(await pill.count(), 1);
    host.event({ ...ended, taskId: other, changedFiles: 1 });
    await host.drawn();
    assert.equal(await pill.count(), 0);
    host.feed.setStatus({
      ...calmStatus,
      changes: { ...changes, id: other, report: `${other}!1` },
    });
    await pill.waitFor();
    host.event({ type: "changesUndone", at, taskId: other, files: 1, left: [] });
    await host.drawn();
    assert.equal(await pill.count(), 0);
  });

  it("close a brainstorm's question, which can be answered after all", async () => {
    host.event(started);
    const question = { questionId: "q", taskId, mode: "rooroo-idea-sparker", text: "Which one?" };
    host.event({ type: "question", at, suggestions: ["This"], ...question });
    host.event({ type: "questionClosed", at, questionId: "q" });
    await host.drawn();
    await host.page.getByText("Closed", { exact: true }).waitFor();
    assert.equal(await host.page.getByRole("button", { name: "This" }).count(), 0);
    await host.page.getByRole("button", { name: "Answer After All" }).click();
    const field = host.page.getByRole("textbox", { name: "Your answer" });
    await field.fill("That");
    await field.press("Enter");
    assert.deepEqual((await host.request("answer")).params, { taskId, text: "That" });
  });
});
