import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";

const window = 32_000;

/**
 * A task of very many turns within a window of 32,000 tokens: what a turn costs, and what is kept in
 * memory, at its beginning and at its end.
 *
 * @param {{ quick: boolean }} options
 */
export async function longTask({ quick }) {
  const [{ ContextRoom }, { Transcript }] = await Promise.all(
    ["core/agent/contextRoom", "core/agent/transcript"].map(compiled),
  );
  const turns = quick ? 500 : 2_000;
  let bytes = 0;
  const files = {
    readFile: () => Promise.resolve(undefined),
    appendLines: (/** @type {string} */ _path, /** @type {string[]} */ lines) => {
      bytes += lines.join("\n").length;
      return Promise.resolve();
    },
  };
  const transcript = await Transcript.open(files, "transcript.jsonl");
  await transcript.append(
    { type: "start", schema: 1, at: "2026-01-01", system: "You are a bench. ".repeat(200) },
    { type: "user", content: "Read it all." },
  );
  const room = new ContextRoom({
    transcript,
    model: { name: "bench", respond: summary },
    limit: window,
    learned: new Map(),
    newMessageId: () => "m",
    onEvent: () => undefined,
  });
  const { signal } = new AbortController();
  const took = [];
  let most = 0;
  for (let turn = 0; turn < turns; turn++) {
    const call = { id: `call_${turn}`, name: "read_file", arguments: '{"path":"src/cart.js"}' };
    const started = performance.now();
    await room.make(signal);
    await transcript.append({ type: "assistant", content: "I look.", toolCalls: [call] });
    const content = `${turn} | a line of the file\n`.repeat(60);
    await transcript.append({ type: "result", callId: call.id, ok: true, content });
    took.push(performance.now() - started);
    most = Math.max(most, JSON.stringify(transcript.messages).length);
  }
  const tenth = Math.floor(turns / 10);
  const [first, last] = [median(took.slice(0, tenth)), median(took.slice(-tenth))];
  return [
    row(
      `turns ${(turns - tenth).toLocaleString("en")}–${turns.toLocaleString("en")}`,
      last,
      "ms",
      1,
    ),
    row("those : the first tenth", last / first, "x", 2),
    row("most that was kept in memory", most / 1024, "kB", (window * 4) / 1024),
    row("written to the transcript", bytes / 1024 ** 2, "MB"),
  ];
}

async function* summary() {
  yield { type: "text", text: "Read so far: nothing of note." };
}
