import { setTimeout as pause } from "node:timers/promises";
import { compiled } from "../harness/compiled.mjs";
import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { startModelServer } from "../model/startModelServer.mjs";

/** The length of a frame, as the editor's host has it. */
const frameMs = 33;

/** Bytes that go to a visible panel, beyond its first snapshot. */
export async function posted() {
  const stream = await during("/do say 1000 chunks", { betweenChunksMs: 5 });
  const turns = await during("/do read 100 files", { beforeReplyMs: 40 });
  const first = turns.afterTools[49];
  const second = turns.afterTools[99] - first;
  return [
    row("5 kB of text in 1,000 chunks over 5 s", stream.total / 1000, "kB", 40),
    row("100 tool turns", turns.total / 1000, "kB", 500),
    row("turns 51-100 : turns 1-50", second / first, "x", 1.1),
  ];
}

/**
 * @param {string} request
 * @param {{ beforeReplyMs?: number, betweenChunksMs?: number }} pace
 */
async function during(request, pace) {
  const [{ newConversation }, { applyEvent }, { PanelFeed }] = await Promise.all(
    ["core/conversation/conversationState", "core/conversation/reduce", "protocol/panelFeed"].map(
      compiled,
    ),
  );
  const server = await startModelServer(pace);
  try {
    const state = newConversation();
    let total = 0;
    /** Totals when each tool call ended. @type {number[]} */
    const afterTools = [];
    const feed = new PanelFeed({
      state,
      status,
      draft: () => ({ text: "", attachments: [] }),
      post: (/** @type {object} */ message) =>
        (total += Buffer.byteLength(JSON.stringify(message))),
      schedule: (/** @type {() => void} */ callback) => setTimeout(callback, frameMs),
    });
    feed.snapshot();
    total = 0;
    const emit = (/** @type {any} */ event) => {
      feed.changed(applyEvent(state, event));
      if (event.type === "agent" && event.event.type === "toolEnded") afterTools.push(total);
    };
    const navigator = await navigatorAt(server.url, { files: 100, fileBytes: 6000, emit });
    await navigator.say(request);
    await pause(10 * frameMs);
    feed.dispose();
    return { total, afterTools };
  } finally {
    await server.stop();
  }
}

const status = {
  workspace: "open",
  busy: true,
  queued: 0,
  needsYou: 0,
  heldBy: null,
  talkingTo: null,
  changes: null,
  model: { name: "bench", demo: false, ready: true },
};
