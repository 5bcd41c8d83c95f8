import { setTimeout as pause } from "node:timers/promises";
import { compiled } from "../harness/compiled.mjs";
import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { startModelServer } from "../model/startModelServer.mjs";

/** The length of a frame, as the editor's host has it. */
const frameMs = 33;

/**
 * Measures the bytes that go to a visible panel, beyond its first snapshot.
 *
 * @param {{ quick: boolean }} options
 */
export async function posted({ quick }) {
  const [chunks, files] = quick ? [100, 10] : [1_000, 100];
  const stream = await during(`/do say ${chunks} chunks`, { betweenChunksMs: 5 });
  const turns = await during(`/do read ${files} files`, { beforeReplyMs: 40 });
  const half = files / 2;
  const first = turns.afterTools[half - 1];
  const second = turns.afterTools[files - 1] - first;
  const goal = (/** @type {number} */ most) => (quick ? null : most);
  const text = `${(chunks * 5) / 1000} kB of text in ${chunks.toLocaleString("en")} chunks over ${chunks / 200} s`;
  return [
    row(text, stream.total / 1000, "kB", goal(40)),
    row(`${files} tool turns`, turns.total / 1000, "kB", goal(500)),
    row(`turns ${half + 1}-${files} : turns 1-${half}`, second / first, "x", goal(1.1)),
  ];
}

/**
 * @param {string} request
 * @param {{ beforeReplyMs?: number, betweenChunksMs?: number }} pace
 */
async function during(request, pace) {
  const [{ newConversation }, { applyEvent }, { PanelFeed }] = await Promise.all(
    [
      "core/conversation/state/conversationState",
      "core/conversation/state/reduce",
      "protocol/panelFeed",
    ].map(compiled),
  );
  const server = await startModelServer(pace);
  try {
    const state = newConversation();
    let total = 0;
    /** Totals when each tool call ended. @type {number[]} */
    const afterTools = [];
    const feed = new PanelFeed({
      conversation: "20260105-100000-abcdef",
      state,
      rest: { exists: () => false, read: async () => {} },
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
    const { status: end } = await navigator.say(request);
    if (end !== "done") throw new Error(`${request}: ${end}`);
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
