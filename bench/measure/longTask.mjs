import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { signerAt } from "../harness/signerAt.mjs";

const window = 32_000;

/**
 * A task of very many turns within a window of 32,000 tokens, in both dialects: what a turn costs, and
 * what is kept in memory, at its beginning and at its end.
 *
 * @param {{ quick: boolean }} options
 */
export async function longTask({ quick }) {
  const turns = quick ? 100 : 2_000;
  const rows = [];
  for (const dialect of ["native", "envelope"]) {
    const { took, most, bytes } = await longConversation(dialect, turns);
    const tenth = Math.floor(turns / 10);
    const [first, last] = [median(took.slice(0, tenth)), median(took.slice(-tenth))];
    const number = (/** @type {number} */ value) => value.toLocaleString("en");
    rows.push(
      row(`${dialect}: turns ${number(turns - tenth)}–${number(turns)}`, last, "ms", 2),
      row("those : the first tenth", last / first, "x", 2),
      row("most that was kept in memory", most / 1024, "kB", (window * 4) / 1024),
      row("written to the transcript", bytes / 1024 ** 2, "MB"),
    );
  }
  return rows;
}

/**
 * @param {string} name
 * @param {number} turns
 */
async function longConversation(name, turns) {
  const [
    { ContextCompaction },
    { Transcript },
    { nativeDialect },
    { envelopeDialect },
    { readFile },
  ] = await Promise.all(
    [
      "core/agent/context/contextCompaction",
      "core/agent/transcript",
      "core/agent/dialects/nativeDialect",
      "core/envelope/envelopeDialect",
      "core/tools/reading/readFile",
    ].map(compiled),
  );
  let bytes = 0;
  const files = {
    readFile: () => Promise.resolve(undefined),
    stat: () => Promise.resolve(undefined),
    locate: (/** @type {string} */ path) => Promise.resolve({ path, inside: true }),
    appendLines: (/** @type {string} */ _path, /** @type {string[]} */ lines) => {
      bytes += lines.join("\n").length;
      return Promise.resolve();
    },
  };
  let calls = 0;
  const args = '{"path":"src/cart.js"}';
  const plan = [{ step: "1", title: "Read it all", status: "running" }];
  const envelope = JSON.stringify({ message: "I look.", plan, command: { read: { path: "src" } } });
  const model = {
    name: "bench",
    async *respond(/** @type {any} */ { messages, tools }) {
      if (messages[0].content.startsWith("You summarise")) {
        yield { type: "text", text: "Read so far: nothing of note." };
        return;
      }
      yield { type: "text", text: tools.length === 0 ? envelope : "I look." };
      if (tools.length === 0) return;
      yield {
        type: "toolCall",
        call: { id: `call_${calls++}`, name: "read_file", arguments: args },
      };
    },
  };
  const tools = new Map([[readFile.name, readFile]]);
  const dialect =
    name === "native"
      ? nativeDialect({ tools, accept: () => Promise.resolve(undefined), onPlainText: "invalid" })
      : envelopeDialect({
          tools,
          protocol: "Envelopes only.",
          talks: false,
          files,
          clock: { now: () => new Date(0) },
          newCallId: () => `call_${calls++}`,
        });
  const transcript = await Transcript.open({
    files,
    signer: await signerAt(await scratch()),
    taskId: "bench",
    path: "transcript.jsonl",
  });
  await transcript.append(
    { type: "start", schema: 1, at: "2026-01-01", system: "You are a bench. ".repeat(200) },
    { type: "user", content: "Read it all." },
  );
  const compaction = new ContextCompaction({
    transcript,
    model,
    limit: window,
    observedWindows: new Map(),
    newMessageId: () => "m",
    onEvent: () => undefined,
  });
  const { signal } = new AbortController();
  const took = [];
  let most = 0;
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    await compaction.compactIfFull(signal);
    await dialect.supply?.(transcript.messages);
    const reply = await dialect.ask(model, transcript.messages, "m", () => undefined, signal);
    const [call] = reply.toolCalls;
    if (call === undefined) throw new Error(`no call in turn ${turn}: ${reply.text}`);
    await transcript.append({ type: "assistant", content: reply.text, toolCalls: [call] });
    const content = `${turn} | a line of the file\n`.repeat(60);
    await transcript.append({ type: "result", callId: call.id, ok: true, content });
    took.push(performance.now() - started);
    most = Math.max(most, JSON.stringify(transcript.messages).length);
  }
  return { took, most, bytes };
}
