import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/core/agent/events.js";
import type { ToldAction } from "../../src/core/agent/tool.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import type { PanelStatus } from "../../src/protocol/messages.js";
import { calmStatus } from "../fakes/calmStatus.js";
import { leak, markupPayloads } from "./markupPayloads.js";
import { panelBrowser } from "./panelBrowser.js";
import { PanelHost } from "./panelHost.js";

const at = "2026-01-05T10:00:00.000Z";
const everything = "rooroo-panel, rooroo-panel *";
/** The elements that a status can change: the items of the conversation have been looked at before. */
const besideItems = "rooroo-panel, rooroo-panel *:not(.items *)";
/** The number of payloads that one page shows together. */
const together = 66;
/** Of how many payloads one is tried in each way that draws no Markdown; others are tried in other ones. */
const triedInOthers = process.env["ROOROO_TEST_EVERY_OPERATION"] === "1" ? 1 : 8;

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
/** The events that bring a text into the panel. */
type Way = readonly WithoutTime<ConversationEvent>[];

/** Returns whether a payload is tried in a way. Every payload is tried in some of eight ways, and every way with some of eight. */
function isTried(payload: number, way: number): boolean {
  return (payload + way) % triedInOthers === 0;
}

/** Returns how a conversation brings a text into the panel that the panel draws as Markdown. */
function markdownWaysIn(text: string, index: number): Way {
  const { taskId, mode, agent } = expertWith(text, index);
  return [
    {
      type: "notice",
      id: `n${index}`,
      level: "warning",
      text,
      steps: [{ type: "action", label: text, action: { action: "request", text } }],
    },
    { type: "sessionStarted", taskId, mode, goal: text },
    agent({ type: "text", messageId: `${index} whole`, text }),
    agent({ type: "textDelta", messageId: `${index} grows`, text }),
    {
      type: "question",
      questionId: `q${index}`,
      taskId,
      mode,
      text,
      suggestions: [text, `${text} `],
    },
    {
      type: "proposal",
      proposalId: `p${index}`,
      runId: text,
      path: text,
      request: text,
      intro: text,
      summary: text,
      instructions: [{ type: text, content: text, supersedes: [text], justification: text }],
      conflicts: [text],
      questions: [text],
      problem: text,
    },
    {
      type: "sessionEnded",
      taskId,
      mode,
      end: "Failed",
      message: text,
      artifacts: [text],
      changedFiles: 2,
    },
  ];
}

/** Returns all other ways in which a conversation brings a text into the panel. */
function otherWaysIn(text: string, index: number): readonly Way[] {
  const { taskId, mode, agent } = expertWith(text, index);
  const approvals = actionsOf(text).map((action, kind): Way => {
    const callId = `${taskId} asks ${kind}`;
    const approvalId = `${callId}?`;
    const decided = {
      type: "approvalResolved" as const,
      approvalId,
      allowed: kind % 2 === 0,
      reason: text,
      granted: text,
    };
    return [
      agent({ type: "toolStarted", callId, tool: text, title: text }),
      agent({
        type: "approvalRequested",
        approvalId,
        callId,
        why: text,
        decidedBy: "grants",
        action,
        options: [text, text],
        editable: action.access === "write" ? "file" : "command",
      }),
      // Approvals of the last kind stay open, so that the panel still asks.
      ...(kind < 3 ? [agent(decided), agent({ type: "callEdited", callId, action })] : []),
    ];
  });
  return [
    [{ type: "user", id: `u${index}`, text }],
    [agent({ type: "checklist", steps: [{ text, state: "doing", depth: 1 }] })],
    [
      agent({ type: "toolStarted", callId: `${index} runs`, tool: "execute_command", title: text }),
      agent({ type: "toolOutput", callId: `${index} runs`, text }),
    ],
    [
      agent({ type: "toolStarted", callId: `${index} ended`, tool: text, title: text }),
      agent({ type: "callAllowed", callId: `${index} ended`, why: text, sandboxed: true }),
      agent({
        type: "toolEnded",
        callId: `${index} ended`,
        ok: false,
        output: text,
        diff: text,
        notes: [text],
        durationMs: 900,
      }),
    ],
    ...approvals,
    [
      { type: "question", questionId: `a${index}`, taskId, mode, text, suggestions: [] },
      { type: "answered", questionId: `a${index}`, text },
    ],
  ];
}

/** Returns an expert whose names are the text, and what makes events of its work. */
function expertWith(text: string, index: number) {
  const taskId = `ROO#${index}${text}`;
  const agent = (event: AgentEvent) => ({ type: "agent" as const, taskId, event });
  return { taskId, mode: text, agent };
}

/** Returns an action of each kind that can ask for an approval, with the text in each of its fields. */
function actionsOf(text: string): readonly ToldAction[] {
  const place = { path: text, inside: false };
  return [
    { access: "write", title: text, ...place, preview: { kind: "diff", text } },
    { access: "web", title: text, preview: { kind: "address", text }, address: text },
    {
      access: "tool",
      title: text,
      preview: { kind: "text", text },
      tool: text,
      bound: "1",
      reaches: text,
    },
    {
      access: "command",
      title: text,
      ...place,
      command: text,
      facts: {
        commands: [{ words: [text, text], verdict: "asks", why: text }],
        writes: [text],
        unclear: text,
      },
      preview: { kind: "command", text },
    },
  ];
}

/** Returns a status with the text in each of its fields. */
function statusWith(text: string): PanelStatus {
  return {
    ...calmStatus,
    busy: true,
    queued: 2,
    needsYou: 1,
    model: { name: text, demo: true, ready: false },
    works: [
      {
        ref: { kind: "job", name: text },
        title: text,
        progress: { total: 20, done: 1, percent: 5 },
        questions: [],
      },
      {
        ref: { kind: "run", name: text },
        title: text,
        progress: { total: 2, done: 1, percent: null },
        questions: [],
      },
    ],
    heldBy: text,
    talkingTo: text,
  };
}

/**
 * Runs in the page: opens what is folded and moves over all that is there, then says what was made of it.
 *
 * @param where The elements to look at.
 */
function lookAround(where: string): readonly string[] {
  const all = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(where)];
  for (const one of all()) if (one.getAttribute("aria-expanded") === "false") one.click();
  const forbidden =
    "script, style, link, meta, base, iframe, frame, object, embed, svg, math, form[action], form[id], video, " +
    "audio, source, track, template, noscript, portal, dialog, marquee, xss, slot";
  return all().flatMap((element) => {
    for (const name of ["mouseover", "mouseenter", "pointerover", "focusin"]) {
      element.dispatchEvent(new Event(name, { bubbles: true }));
    }
    const found: string[] = [];
    // The icons and frames of VS Code's own elements lie in shadow trees.
    if (element.matches(forbidden)) found.push(`<${element.localName}>`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || name === "formaction") {
        found.push(`${element.localName} ${name}`);
      }
      const isAddress = name === "href" || name === "src" || name === "xlink:href";
      if (
        isAddress &&
        !/^(https?:\/\/|mailto:|data:image\/(png|jpeg|gif|webp);base64,)/.test(value)
      ) {
        found.push(`${element.localName} ${name}=${value}`);
      }
    }
    return found;
  });
}

describe("texts that look like markup, by every way into the panel", () => {
  it("are 300 or more, each another one", () => {
    assert.ok(markupPayloads.length >= 300, String(markupPayloads.length));
    assert.equal(new Set(markupPayloads).size, markupPayloads.length);
  });

  for (let first = 0; first < markupPayloads.length; first += together) {
    const payloads = markupPayloads.slice(first, first + together);
    it(`run no script, load nothing and stay texts (from ${first})`, async () => {
      const host = await PanelHost.open(await panelBrowser(), { width: 700, height: 8_000 });
      const ran: unknown[] = [];
      const asked: string[] = [];
      await host.page.exposeFunction("pwned", (what: unknown) => ran.push(what));
      await host.load();
      const own = new URL(host.page.url()).origin;
      host.page.on("request", (request) => {
        if (!request.url().startsWith(own)) asked.push(request.url());
      });
      for (const [index, text] of payloads.entries()) {
        const others = otherWaysIn(text, index).filter((_way, way) => isTried(first + index, way));
        const ways = [markdownWaysIn(text, index), ...others];
        for (const event of ways.flat()) host.event({ at, ...event });
      }
      await host.drawn();

      const found: string[] = [];
      for (let atTop = false; !atTop;) {
        found.push(...(await host.page.evaluate(lookAround, everything)));
        atTop = await host.page.evaluate(() => {
          const scroller = document.querySelector(".scroller");
          const before = scroller?.scrollTop ?? 0;
          scroller?.scrollBy({ top: -7_500, behavior: "instant" });
          return (scroller?.scrollTop ?? 0) === before;
        });
        await host.drawn();
      }
      for (const text of payloads.filter((_text, index) => isTried(first + index, 0))) {
        host.feed.setStatus(statusWith(text));
        await host.drawn();
        found.push(...(await host.page.evaluate(lookAround, besideItems)));
      }
      const violations = await host.page.evaluate(
        () => (globalThis as unknown as { violations: string[] }).violations,
      );
      const shown = await host.page.locator("rooroo-panel").innerText();
      await host.close();
      assert.deepEqual(ran, [], "scripts of payloads that ran");
      assert.deepEqual(asked, [], `what the page asked for elsewhere, such as ${leak}`);
      assert.deepEqual(violations, [], "what the page's policy had to forbid");
      assert.deepEqual([...new Set(found)], [], "elements and attributes made of texts");
      assert.deepEqual(host.complaints, [], "errors in the page");
      assert.ok(shown.length > 500, "the page shows the texts");
    });
  }
});
