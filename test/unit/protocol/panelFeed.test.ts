import assert from "node:assert/strict";
import fc from "fast-check";
import type { AgentEvent } from "../../../src/core/agent/events.js";
import type { ConversationEvent } from "../../../src/core/conversation/events/events.js";
import { newConversation } from "../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../src/core/conversation/state/reduce.js";
import { settle } from "../../../src/core/conversation/state/settle.js";
import type { ToPanel } from "../../../src/protocol/messages.js";
import { PanelFeed } from "../../../src/protocol/panelFeed.js";
import { PanelState } from "../../../src/protocol/panelState.js";
import { calmStatus } from "../../fakes/calmStatus.js";
import { conversationEvents } from "../core/conversation/conversationEvents.js";

const at = "2026-01-01T00:00:00.000Z";
const status = { ...calmStatus, model: { ...calmStatus.model, name: "m" } };

/** A feed, a page at its other end, and frames that pass when the test says so. */
class Wire {
  readonly state = newConversation();
  /** Releases texts that others would keep. */
  readonly page = new PanelState({ kept: 20, arriving: 5 });
  readonly posted: ToPanel[] = [];
  bytes = 0;
  gaps = 0;
  private frames: (() => void)[] = [];
  /** Reads the rest of the conversation's file into the state; there is none if it is `undefined`. */
  readRest: (() => void) | undefined;
  readonly feed = new PanelFeed({
    conversation: "20260102-030405-ab12cd",
    state: this.state,
    status,
    draft: () => ({ text: "", attachments: [] }),
    rest: {
      exists: () => this.readRest !== undefined,
      read: async () => {
        await Promise.resolve();
        this.readRest?.();
        this.readRest = undefined;
        this.feed.snapshot();
      },
    },
    post: (message) => {
      this.post(message);
    },
    schedule: (callback) => this.frames.push(callback),
  });

  event(event: ConversationEvent): void {
    this.feed.changed(applyEvent(this.state, event));
  }

  agent(event: AgentEvent): void {
    this.event({ type: "agent", at, taskId: "t", event });
  }

  /** Has the page get the texts back that it has released. */
  restore(): void {
    const ids = [...this.page.released];
    this.page.restore(ids, this.feed.texts(ids));
  }

  frame(): void {
    const frames = this.frames;
    this.frames = [];
    for (const callback of frames) callback();
  }

  /** Lets time pass until nothing is left to be posted. */
  quiet(): void {
    while (this.frames.length > 0) this.frame();
  }

  private post(message: ToPanel): void {
    const json = JSON.stringify(message);
    this.bytes += json.length;
    const arrived = JSON.parse(json) as ToPanel;
    this.posted.push(arrived);
    if (arrived.type === "snapshot") this.page.show(arrived.snapshot);
    if (arrived.type === "increment" && !this.page.apply(arrived.increment)) this.gaps++;
  }
}

function readyWire(): Wire {
  const wire = new Wire();
  wire.feed.snapshot();
  wire.bytes = 0;
  wire.posted.length = 0;
  return wire;
}

describe("PanelFeed", () => {
  it("has the rest of a file read when the page wants more, and keeps what the page shows", async () => {
    const wire = new Wire();
    const add = (from: number, to: number) => {
      for (let n = from; n < to; n++) wire.event({ type: "user", at, id: `u${n}`, text: `${n}` });
    };
    add(1_000, 1_300);
    wire.readRest = () => {
      wire.state.items.length = 0;
      wire.state.positions.clear();
      add(0, 1_301);
    };
    wire.feed.snapshot();
    assert.equal(wire.page.hasMore, true);
    const last = wire.page.items.at(-1);
    const ids = () => wire.page.items.map(({ id }) => id);
    while (ids()[0] !== "u0") {
      const before = ids()[0] ?? "";
      await wire.feed.readBefore(before);
      wire.page.prepend(before, wire.feed.earlier(before));
      assert.notEqual(ids()[0], before);
      // What was there stays there.
      assert.ok(ids().includes(before));
    }
    assert.equal(wire.page.hasMore, false);
    // Nothing was added at the end, except what was.
    assert.equal(wire.page.items.at(-2), last);
    assert.deepEqual(
      ids(),
      Array.from({ length: 1_301 }, (_, n) => `u${n}`),
    );
    wire.feed.snapshot();
    assert.equal(wire.page.items.length, 100);
  });

  it("posts nothing to a page that has not asked for its snapshot", () => {
    const wire = new Wire();
    wire.event({ type: "user", at, id: "u", text: "hello" });
    wire.feed.setStatus({ ...status, busy: true });
    wire.quiet();
    assert.deepEqual(wire.posted, []);
    wire.feed.snapshot();
    assert.equal(wire.page.items.length, 1);
    wire.quiet();
    assert.equal(wire.posted.length, 1);
  });

  it("posts one increment a frame, and a text that has crossed does not cross again", () => {
    const wire = readyWire();
    wire.agent({ type: "textDelta", messageId: "m", text: "Hello " });
    wire.agent({ type: "textDelta", messageId: "m", text: "there" });
    wire.frame();
    wire.agent({ type: "textDelta", messageId: "m", text: ", you" });
    wire.frame();
    wire.agent({ type: "text", messageId: "m", text: "Hello there, you" });
    wire.quiet();
    assert.equal(wire.posted.length, 3);
    assert.deepEqual(wire.posted.slice(1), [
      {
        type: "increment",
        increment: { seq: 2, changes: [{ type: "patch", id: "m", text: ", you" }] },
      },
      {
        type: "increment",
        increment: { seq: 3, changes: [{ type: "patch", id: "m", set: { streaming: false } }] },
      },
    ]);
    assert.deepEqual(wire.page.items, wire.state.items);
  });

  it("posts a status when it is another, once a frame", () => {
    const wire = readyWire();
    wire.feed.setStatus({ ...status });
    wire.quiet();
    wire.feed.setStatus({ ...status, busy: true });
    wire.feed.setStatus({ ...status, queued: 2 });
    wire.quiet();
    assert.deepEqual(wire.posted, [{ type: "status", status: { ...status, queued: 2 } }]);
  });

  it("is silent while nobody sees the page, then makes up for it", () => {
    const wire = readyWire();
    wire.event({ type: "user", at, id: "u1", text: "a" });
    wire.feed.setVisible(false);
    wire.event({ type: "user", at, id: "u2", text: "b" });
    wire.quiet();
    assert.deepEqual(wire.posted, []);
    wire.feed.setVisible(true);
    wire.quiet();
    assert.equal(wire.posted.length, 1);
    assert.deepEqual(wire.page.items, wire.state.items);
  });

  it("gives the newest items first and the earlier ones when asked, up to date", () => {
    const wire = new Wire();
    wire.agent({ type: "textDelta", messageId: "m", text: "a" });
    for (let n = 0; n < 350; n++) wire.event({ type: "user", at, id: `u${n}`, text: "x" });
    wire.feed.snapshot();
    assert.equal(wire.page.items.length, 100);
    assert.equal(wire.page.earlier, 251);
    wire.agent({ type: "textDelta", messageId: "m", text: "b" });
    for (const remaining of [51, 0]) {
      const before = wire.page.items[0]!.id;
      wire.page.prepend(before, wire.feed.earlier(before));
      assert.equal(wire.page.earlier, remaining);
    }
    wire.quiet();
    assert.deepEqual(wire.page.items, wire.state.items);
    assert.deepEqual(wire.feed.earlier("unknown"), {
      items: [],
      earlier: 0,
      hasMore: false,
    });
  });

  it("keeps words for the input until the page has loaded", () => {
    const wire = new Wire();
    wire.feed.compose("/plan ");
    assert.equal(wire.posted.length, 0);
    wire.feed.snapshot();
    wire.feed.snapshot();
    assert.deepEqual(
      wire.posted.map((message) => message.type),
      ["snapshot", "compose", "snapshot"],
    );
  });

  it("lets the page see a gap and recover from it", () => {
    const wire = readyWire();
    wire.event({ type: "user", at, id: "u1", text: "a" });
    wire.quiet();
    assert.equal(wire.page.apply({ seq: 3, changes: [] }), false);
    wire.feed.snapshot();
    assert.equal(wire.page.apply({ seq: 1, changes: [] }), true);
    wire.event({ type: "user", at, id: "u2", text: "b" });
    wire.quiet();
    assert.equal(wire.gaps, 0);
    assert.deepEqual(wire.page.items, wire.state.items);
  });

  it("posts 5 kB of text in 1,000 chunks over 5 s within 40 kB", () => {
    const wire = readyWire();
    const text = "12345".repeat(1_000);
    for (let n = 0; n < 1_000; n++) {
      const delta = text.slice(n * 5, n * 5 + 5);
      wire.agent({ type: "textDelta", messageId: "01J9ZC3T2Q-message-0001", text: delta });
      // A chunk each 5 ms, a frame each 33.
      if (Math.floor(((n + 1) * 5) / 33) > Math.floor((n * 5) / 33)) wire.frame();
    }
    wire.agent({ type: "text", messageId: "01J9ZC3T2Q-message-0001", text });
    wire.quiet();
    assert.deepEqual(wire.page.items, wire.state.items);
    assert.ok(wire.bytes <= 40_000, `${wire.bytes}`);
  });

  it("posts 100 tool turns of 20 kB within 0.5 MB, each turn alike", () => {
    const wire = readyWire();
    const perTurn: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const begun = wire.bytes;
      const callId = `call-${String(turn).padStart(8, "0")}`;
      wire.agent({ type: "toolStarted", callId, tool: "execute_command", title: "npm test" });
      wire.frame();
      const output = `${"x".repeat(99)}\n`.repeat(200);
      for (let n = 0; n < 20; n++) {
        wire.agent({ type: "toolOutput", callId, text: output.slice(n * 1_000, (n + 1) * 1_000) });
        wire.frame();
      }
      wire.agent({ type: "toolEnded", callId, ok: true, output, durationMs: 700 });
      wire.quiet();
      perTurn.push(wire.bytes - begun);
    }
    assert.deepEqual(wire.page.items, wire.state.items);
    assert.ok(wire.bytes <= 500_000, `${wire.bytes}`);
    assert.ok(Math.max(...perTurn) - Math.min(...perTurn) < 50, perTurn.join(" "));
  });

  it("leaves the page with exactly the host's items, whatever happens", () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: conversationEvents.map((events) => ({ do: "events", events }) as const),
      },
      { weight: 4, arbitrary: fc.constant({ do: "frame" } as const) },
      fc.constant({ do: "snapshot" } as const),
      fc.constant({ do: "hide" } as const),
      fc.constant({ do: "show" } as const),
      fc.constant({ do: "settle" } as const),
      fc.constant({ do: "earlier" } as const),
      fc.constant({ do: "release" } as const),
      fc.constant({ do: "restore" } as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const wire = new Wire();
        for (const step of steps) {
          if (step.do === "events") for (const event of step.events) wire.event(event);
          if (step.do === "frame") wire.frame();
          if (step.do === "snapshot") wire.feed.snapshot();
          if (step.do === "hide" || step.do === "show") wire.feed.setVisible(step.do === "show");
          if (step.do === "settle") wire.feed.changed(settle(wire.state));
          if (step.do === "release") wire.page.release(new Set());
          if (step.do === "restore") wire.restore();
          const oldest = wire.page.items[0]?.id;
          if (step.do === "earlier" && oldest !== undefined) {
            wire.page.prepend(oldest, wire.feed.earlier(oldest));
          }
        }
        const asked = wire.posted.some(({ type }) => type === "snapshot");
        if (!asked) wire.feed.snapshot();
        wire.feed.setVisible(true);
        wire.quiet();
        wire.restore();
        assert.equal(wire.gaps, 0);
        assert.deepEqual(wire.page.items, wire.state.items.slice(wire.page.earlier));
        assert.deepEqual(wire.page.usage, wire.state.usage);
      }),
    );
  });

  it("lets the page release texts far above the end, and gives them back when asked", () => {
    const wire = new Wire();
    wire.feed.snapshot();
    for (const id of ["m1", "m2", "m3"]) {
      wire.agent({ type: "textDelta", messageId: id, text: `${id} has words ` });
      wire.agent({ type: "text", messageId: id, text: `${id} has words` });
    }
    wire.agent({ type: "textDelta", messageId: "m4", text: "and more" });
    wire.quiet();
    const texts = () => wire.page.items.map((item) => ("text" in item ? item.text : ""));
    wire.page.release(new Set(["m2"]));
    assert.deepEqual(texts(), ["", "m2 has words", "m3 has words", "and more"]);
    assert.deepEqual([...wire.page.released], ["m1"]);
    wire.page.release(new Set());
    assert.deepEqual([...wire.page.released], ["m1"], "nothing has arrived since");
    wire.page.restore(["m1", "gone"], wire.feed.texts(["m1", "gone"]));
    assert.deepEqual(texts()[0], "m1 has words");
    assert.equal(wire.page.released.size, 0);
  });

  it("leads to an item once the page has it, also when the page comes later", () => {
    const wire = new Wire();
    wire.event({ type: "user", at, id: "u-1", text: "hello" });
    wire.feed.reveal("u-1");
    assert.equal(wire.posted.length, 0);
    wire.feed.snapshot();
    wire.event({ type: "user", at, id: "u-2", text: "there" });
    wire.feed.reveal("u-2");
    assert.deepEqual(
      wire.posted.map((message) => ("itemId" in message ? message.itemId : message.type)),
      ["snapshot", "u-1", "increment", "u-2"],
    );
    wire.feed.pageGone();
    wire.feed.snapshot();
    assert.equal(wire.posted.at(-1)?.type, "snapshot");
  });
});
