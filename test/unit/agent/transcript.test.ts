import assert from "node:assert/strict";
import fc from "fast-check";
import { Transcript } from "../../../src/core/agent/transcript.js";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";

const path = "transcript.jsonl";

async function written(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  const transcript = await Transcript.open(files, path);
  await transcript.append(
    { type: "start", schema: 1, at: "2025-01-02", system: "System ü" },
    { type: "user", content: "Go.\nNow." },
    {
      type: "assistant",
      content: "Looking.",
      toolCalls: [
        { id: "1", name: "look", arguments: "{}" },
        { id: "2", name: "look", arguments: "{}" },
      ],
    },
    { type: "result", callId: "1", ok: true, content: "seen" },
  );
  return files;
}

describe("transcript", () => {
  it("reads back what was appended, with the calls that are still open", async () => {
    const transcript = await Transcript.open(await written(), path);
    assert.deepEqual(
      transcript.messages.map(({ role }) => role),
      ["system", "user", "assistant", "tool"],
    );
    assert.deepEqual(
      transcript.pendingCalls.map(({ call, interrupted }) => [call.id, interrupted]),
      [["2", false]],
    );
  });

  it("knows a call that had begun when the process ended", async () => {
    const files = await written();
    await (await Transcript.open(files, path)).append({ type: "callStarted", callId: "2" });
    const again = await Transcript.open(files, path);
    assert.equal(again.pendingCalls[0]!.interrupted, true);
  });

  it("puts a beginning that was torn, and written again, where it belongs", async () => {
    for (const lost of [0, 1]) {
      const files = await written();
      const lines = (files.text(path) ?? "").split("\n");
      files.put(path, lines.with(lost, "{torn").join("\n"));
      const transcript = await Transcript.open(files, path);
      assert.deepEqual(
        [transcript.has("system"), transcript.has("user")],
        [lost !== 0, lost !== 1],
      );
      await transcript.append(
        { type: "start", schema: 1, at: "2025-01-02", system: "System" },
        ...(lost === 1 ? [{ type: "user", content: "Go." } as const] : []),
      );
      for (const one of [transcript, await Transcript.open(files, path)]) {
        assert.deepEqual(
          one.messages.map(({ role }) => role),
          ["system", "user", "assistant", "tool"],
        );
      }
    }
  });

  it("takes the first of two results for one call", async () => {
    const files = await written();
    const transcript = await Transcript.open(files, path);
    await transcript.append({ type: "result", callId: "1", ok: true, content: "again" });
    assert.equal(transcript.messages.length, 4);
  });

  it("refuses a newer schema and says what to do", async () => {
    const files = new MemoryFileSystem({
      [path]: '{"type":"start","schema":2,"at":"","system":""}\n',
    });
    await assert.rejects(Transcript.open(files, path), /newer version.*Update/);
  });

  it("cut at any byte, it reads as a prefix and can be appended to without losing a line", async () => {
    const bytes = new TextEncoder().encode((await written()).text(path));
    for (let length = 0; length <= bytes.length; length++) {
      const files = new MemoryFileSystem({ [path]: bytes.slice(0, length) });
      const transcript = await Transcript.open(files, path);
      const before = transcript.messages.length;
      await transcript.append({ type: "user", content: "more" });
      const again = await Transcript.open(files, path);
      assert.equal(again.messages.length, before + 1, `cut at ${length}`);
      assert.deepEqual((await files.readFile(path))!.slice(0, length), bytes.slice(0, length));
    }
  });

  it("reads any bytes without failing, and keeps them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const files = new MemoryFileSystem({ [path]: bytes });
        const transcript = await Transcript.open(files, path);
        await transcript.append({ type: "user", content: "more" });
        assert.deepEqual((await files.readFile(path))!.slice(0, bytes.length), bytes);
      }),
    );
  });
});
