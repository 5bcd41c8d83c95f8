import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { signerAt } from "../harness/signerAt.mjs";
import { timed } from "../harness/timed.mjs";

/**
 * Writing one more message, signed, behind so many others. All lengths take turns, so that their ratio holds
 * however busy the machine is.
 *
 * @param {{ quick: boolean }} options
 */
export async function transcript({ quick }) {
  const lengths = quick ? [10, 1_000] : [10, 1_000, 5_000, 10_000];
  const [{ DiskFileSystem }, { Transcript }] = await Promise.all(
    ["node/files/diskFileSystem", "core/agent/transcript"].map(compiled),
  );
  /** @type {Map<number, number[]>} */
  const took = new Map(lengths.map((length) => [length, []]));
  for (let run = 0; run < (quick ? 1 : 10); run++) {
    const root = await scratch();
    const files = new DiskFileSystem(root);
    const signer = await signerAt(root);
    const transcripts = new Map();
    for (const length of lengths) {
      const path = `${length}.jsonl`;
      const one = await Transcript.open({ files, signer, taskId: "bench", path });
      await one.append(...Array.from({ length }, (_, n) => line(n)));
      transcripts.set(length, one);
    }
    for (let n = 0; n < 20; n++) {
      for (const [length, one] of transcripts) {
        took.get(length)?.push(await timed(() => one.append(line(length + n))));
      }
    }
  }
  const medians = lengths.map((length) => median(took.get(length) ?? []));
  return [
    ...lengths.map((length, i) =>
      row(`message ${length.toLocaleString("en")}`, medians[i], "ms", 0.3),
    ),
    row(
      `message ${(lengths.at(-1) ?? 0).toLocaleString("en")} : message 10`,
      (medians.at(-1) ?? NaN) / medians[0],
      "x",
      quick ? null : 1.5,
    ),
  ];
}

/** Every other one calls a tool, whose result is the next. @param {number} n */
function line(n) {
  const callId = `call_bench_${n >> 1}`;
  if (n % 2 === 1)
    return { type: "result", callId, ok: true, content: "12 | a line\n".repeat(100) };
  const call = { id: callId, name: "read_file", arguments: '{"path":"src/cart.js"}' };
  return { type: "assistant", content: "I look at the cart.", toolCalls: [call] };
}
