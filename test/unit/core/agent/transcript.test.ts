import assert from "node:assert/strict";
import fc from "fast-check";
import { Transcript } from "../../../../src/core/agent/transcript.js";
import { ForeignFilesError } from "../../../../src/core/provenance/foreignFiles.js";
import { withoutSignature } from "../../../../src/core/provenance/signedJson.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const path = "transcript.jsonl";
const signer = new PlainSigner();

async function written(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  const transcript = await Transcript.open({ files, signer, taskId: "T", path });
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
    const transcript = await Transcript.open({
      files: await written(),
      signer,
      taskId: "T",
      path,
    });
    assert.deepEqual(
      transcript.messages.map(({ role }) => role),
      ["system", "user", "assistant", "tool"],
    );
    assert.deepEqual(
      transcript.pendingCalls.map(({ call, interrupted }) => [call.id, interrupted]),
      [["2", false]],
    );
  });

  it("knows what was seen of files after a kill, a summary and a shortening", async () => {
    const files = await written();
    const first = await Transcript.open({ files, signer, taskId: "T", path });
    const seen = [{ path: "a", digest: await first.seen.digest(new Uint8Array([1])) }];
    const part = [{ path: "b", digest: "d", part: { from: 2, to: 3, of: 9 } }];
    await first.append(
      { type: "result", callId: "2", ok: true, content: "a", seen: [...seen, ...part] },
      { type: "shortened", callIds: ["2"] },
      { type: "summary", messages: 3, content: "It read a." },
    );
    const again = await Transcript.open({ files, signer, taskId: "T", path });
    for (const { seen: known } of [first, again]) {
      assert.deepEqual(known.of("a"), { digest: seen[0]!.digest, isWhole: true });
      assert.deepEqual(known.of("b"), { digest: "d", isWhole: false });
      assert.equal(known.of("c"), undefined);
    }
  });

  it("knows a call that had begun when the process ended", async () => {
    const files = await written();
    await (
      await Transcript.open({ files, signer, taskId: "T", path })
    ).append({ type: "callStarted", callId: "2" });
    const again = await Transcript.open({ files, signer, taskId: "T", path });
    assert.equal(again.pendingCalls[0]!.interrupted, true);
  });

  it("puts a beginning that was torn, and written again, where it belongs", async () => {
    for (const lost of [0, 1]) {
      const files = await written();
      const lines = (files.text(path) ?? "").trimEnd().split("\n");
      const read = lines.map((line) => JSON.parse(withoutSignature(line)) as object);
      const signed = signer.chain(path, read.toSpliced(lost, 1)).split("\n");
      files.put(path, signed.toSpliced(lost, 0, "{torn").join("\n"));
      const transcript = await Transcript.open({ files, signer, taskId: "T", path });
      assert.deepEqual(
        [transcript.has("system"), transcript.has("user")],
        [lost !== 0, lost !== 1],
      );
      await transcript.append(
        { type: "start", schema: 1, at: "2025-01-02", system: "System" },
        ...(lost === 1 ? [{ type: "user", content: "Go." } as const] : []),
      );
      for (const one of [transcript, await Transcript.open({ files, signer, taskId: "T", path })]) {
        assert.deepEqual(
          one.messages.map(({ role }) => role),
          ["system", "user", "assistant", "tool"],
        );
      }
    }
  });

  it("refuses a file with a line that was added, changed, moved or taken out by somebody else", async () => {
    const lines = ((await written()).text(path) ?? "").trimEnd().split("\n");
    const call = { id: "9", name: "execute_command", arguments: "{}" };
    const forged = { type: "assistant", content: "", toolCalls: [call] };
    const elsewhere = new PlainSigner("another installation");
    const cases: Record<string, string[]> = {
      "an unsigned line": [...lines, JSON.stringify(forged)],
      "another installation's line": [...lines, elsewhere.lines(path, [forged]).trimEnd()],
      "a line signed without its place": [...lines, signer.lines(path, [forged]).trimEnd()],
      "a line of another file": [...lines, signer.chain("other.jsonl", [forged]).trimEnd()],
      "a changed line": lines.map((line) => line.replace("Now.", "Later.")),
      "a line taken out": lines.toSpliced(2, 1),
      "two lines that changed places": [lines[0]!, lines[1]!, lines[3]!, lines[2]!],
    };
    for (const [what, damaged] of Object.entries(cases)) {
      const files = new MemoryFileSystem({ [path]: `${damaged.join("\n")}\n` });
      const opening = Transcript.open({ files, signer, taskId: "T", path });
      await assert.rejects(opening, ForeignFilesError, what);
    }
  });

  it("goes on after a write that failed and reached the disk all the same", async () => {
    const files = await written();
    const transcript = await Transcript.open({ files, signer, taskId: "T", path });
    const append = files.appendLines.bind(files);
    files.appendLines = async (...args) => {
      await append(...args);
      throw new Error("lost answer");
    };
    await assert.rejects(transcript.append({ type: "user", content: "first" }));
    files.appendLines = append;
    await transcript.append({ type: "user", content: "second" });
    const { messages } = await Transcript.open({ files, signer, taskId: "T", path });
    assert.deepEqual(
      messages.slice(-2).map((message) => message.content),
      ["first", "second"],
    );
  });

  it("takes the first of two results for one call", async () => {
    const files = await written();
    const transcript = await Transcript.open({
      files,
      signer,
      taskId: "T",
      path,
    });
    await transcript.append({ type: "result", callId: "1", ok: true, content: "again" });
    assert.equal(transcript.messages.length, 4);
  });

  it("refuses a newer schema and says what to do", async () => {
    const files = new MemoryFileSystem({
      [path]: '{"type":"start","schema":2,"at":"","system":""}\n',
    });
    await assert.rejects(Transcript.open({ files, signer, taskId: "T", path }), {
      code: "newerVersion",
      params: { path },
    });
  });

  it("cut at any byte, it reads as a prefix and can be appended to without losing a line", async () => {
    const bytes = new TextEncoder().encode((await written()).text(path));
    for (let length = 0; length <= bytes.length; length++) {
      const files = new MemoryFileSystem({ [path]: bytes.slice(0, length) });
      const transcript = await Transcript.open({ files, signer, taskId: "T", path });
      const before = transcript.messages.length;
      await transcript.append({ type: "user", content: "more" });
      const again = await Transcript.open({ files, signer, taskId: "T", path });
      assert.equal(again.messages.length, before + 1, `cut at ${length}`);
      assert.deepEqual((await files.readFile(path))!.slice(0, length), bytes.slice(0, length));
    }
  });

  it("reads any bytes without failing, and keeps them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const files = new MemoryFileSystem({ [path]: bytes });
        const transcript = await Transcript.open({
          files,
          signer,
          taskId: "T",
          path,
        });
        await transcript.append({ type: "user", content: "more" });
        assert.deepEqual((await files.readFile(path))!.slice(0, bytes.length), bytes);
      }),
    );
  });
});
