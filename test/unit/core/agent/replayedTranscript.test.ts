import assert from "node:assert/strict";
import { Transcript, type TranscriptLine } from "../../../../src/core/agent/transcript.js";
import { ForeignFilesError } from "../../../../src/core/provenance/foreignFiles.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const path = "transcript.jsonl";
const signer = new PlainSigner();

const command = (id: string): TranscriptLine => ({
  type: "assistant",
  content: `Let me run ${id}.`,
  toolCalls: [{ id, name: "execute_command", arguments: '{"command":"rm -r build"}' }],
});
const ran = (callId: string): TranscriptLine[] => [
  { type: "callStarted", callId },
  { type: "result", callId, ok: true, content: "Exit code 0" },
];

/** A task of this installation's, whose calls have all been carried out or refused. */
const history: readonly TranscriptLine[] = [
  { type: "start", schema: 1, at: "2026-01-02", system: "System" },
  { type: "user", content: "Go." },
  command("1"),
  ...ran("1"),
  command("2"),
  { type: "result", callId: "2", ok: false, content: "The user did not allow this." },
  { type: "user", content: "Go on.", person: true },
  command("3"),
  ...ran("3"),
  { type: "worked", ms: 10 },
];

async function opened(lines: readonly string[]): Promise<Transcript | undefined> {
  const files = new MemoryFileSystem({ [path]: lines.map((line) => `${line}\n`).join("") });
  return Transcript.open({ files, signer, taskId: "T", path }).catch((error: unknown) => {
    if (error instanceof ForeignFilesError) return undefined;
    throw error;
  });
}

describe("a transcript whose own lines were put together anew", () => {
  const lines = signer.chain(path, history).trimEnd().split("\n");

  it("has nothing waiting when it is whole", async () => {
    const whole = await opened(lines);
    assert.deepEqual(whole?.pendingCalls, []);
  });

  it("says what it said before when lines stand in it twice, wherever they stand", async () => {
    const whole = await opened(lines);
    let tried = 0;
    for (let from = 0; from < lines.length; from++) {
      for (let count = 1; from + count <= lines.length; count++) {
        for (let to = 0; to <= lines.length; to++) {
          tried++;
          const copied = await opened(lines.toSpliced(to, 0, ...lines.slice(from, from + count)));
          if (copied === undefined) continue;
          const where = `${count} lines from ${from} again at ${to}`;
          assert.deepEqual(copied.pendingCalls, [], where);
          assert.deepEqual(copied.messages, whole?.messages, where);
          assert.deepEqual(copied.usage, whole?.usage, where);
        }
      }
    }
    assert.ok(tried > 900, String(tried));
  });

  it("is refused when lines were moved, or taken out of its middle", async () => {
    for (let from = 0; from < lines.length - 1; from++) {
      assert.equal(await opened(lines.toSpliced(from, 1)), undefined, `without line ${from}`);
      for (let to = 0; to < lines.length; to++) {
        if (to === from) continue;
        const [line = ""] = lines.slice(from, from + 1);
        const moved = lines.toSpliced(from, 1).toSpliced(to, 0, line);
        assert.equal(await opened(moved), undefined, `line ${from} at ${to}`);
      }
    }
  });

  it("is its own beginning when its end was cut off", async () => {
    const whole = await opened(lines);
    for (let length = 0; length <= lines.length; length++) {
      const cut = await opened(lines.slice(0, length));
      assert.ok(cut, `the first ${length} lines`);
      assert.deepEqual(cut.messages, whole?.messages.slice(0, cut.messages.length));
    }
  });
});
