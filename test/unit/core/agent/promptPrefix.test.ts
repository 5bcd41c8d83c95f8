import assert from "node:assert/strict";
import type { ModelRequest } from "../../../../src/core/ports/model.js";
import { chatRequest } from "../../../../src/node/model/chatRequest.js";
import { asksInEnvelope, commands, reports } from "../../../fakes/envelopes.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ScriptedResponse } from "../../../fakes/scriptedModel.js";

/** The same moves in both dialects. */
const dialects = {
  native: {
    read: (line: number) =>
      calls("read_file", { path: "src/a.txt", start_line: line, end_line: line + 40 }),
    write: (text: string) => calls("write_to_file", { path: "b.txt", content: text }),
    ask: asks("Which format?", ["CSV", "JSON"]),
    slip: { text: "I go on." },
    end: completes(),
  },
  envelope: {
    read: (line: number) =>
      commands({ read: { path: "src/a.txt", max_lines: 40 + (line % 7), max_bytes: 900 + line } }),
    write: (text: string) =>
      commands({ unescape_string: { path: "b.txt", text: JSON.stringify(text) } }),
    ask: asksInEnvelope("Which format?", ["CSV", "JSON"]),
    slip: { text: "I go on." },
    end: reports({ status: "Done", message: "All good." }),
  },
} as const;

/** Returns what a server's cache goes by: tools, then messages, to the end of the last one's words. */
function prompt(request: ModelRequest): string {
  const { tools, messages } = chatRequest(request, { name: "m" }, new Set());
  return JSON.stringify([tools, messages]).replace(/"\}\]\]$/, "");
}

const isSummary = ({ messages }: ModelRequest): boolean =>
  messages[0]?.content.startsWith("You summarise the work") === true;

/** Checks that each prompt begins with the bytes of the one before; across a summary as far as it is not summarised. */
function assertStable(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1];
    if (before === undefined || isSummary(request)) continue;
    const part = (one: ModelRequest): ModelRequest => {
      return isSummary(before) ? { ...one, messages: one.messages.slice(0, 2) } : one;
    };
    const earlier = isSummary(before) ? requests[0]! : before;
    assert.ok(
      prompt(part(request)).startsWith(prompt(part(earlier))),
      `request ${index} begins otherwise than the one before`,
    );
  }
}

for (const [dialect, moves] of Object.entries(dialects)) {
  describe(`the beginning of a prompt, ${dialect}`, () => {
    const files = (): MemoryFileSystem =>
      new MemoryFileSystem({
        "src/context.md": "What src is for.\n",
        "src/a.txt": "a line of text\n".repeat(400),
      });
    const stage = (
      scripts: readonly ScriptedResponse[] | ((index: number) => ScriptedResponse),
      options: { files: MemoryFileSystem; contextTokens?: number },
    ): NavigatorStage => {
      let index = 0;
      const world: NavigatorStage = new NavigatorStage(
        (request) => {
          if (isSummary(request)) return { text: "Read so far: nothing of note." };
          return typeof scripts === "function" ? scripts(index++) : scripts[index++]!;
        },
        { dialect: dialect as keyof typeof dialects, turns: 100, ...options },
      );
      world.preset = "all";
      return world;
    };

    it("stays the same to the byte over turns, a question, a stop and restarts", async () => {
      const disk = files();
      const first = stage([moves.read(1), moves.write("x"), moves.slip, moves.ask], {
        files: disk,
      });
      assert.equal((await first.navigator.say("/do Export it")).status, "waiting");
      const [question] = first.questions;
      const taskId = question!.taskId!;

      const second: NavigatorStage = stage(
        (index) => {
          if (index === 2) void second.navigator.stop();
          return moves.read(50 + index);
        },
        { files: disk },
      );
      assert.equal((await second.navigator.answer(taskId, "CSV")).status, "failed");

      const third = stage([moves.write("y"), moves.end], { files: disk });
      assert.equal((await third.navigator.resume(taskId)).status, "done");

      const requests = [first, second, third].flatMap(({ model }) => model.requests);
      assert.equal(requests.length, 4 + 3 + 2);
      assertStable(requests);
    });

    it("stays the same up to a summary, and again after it", async () => {
      const world = stage((index) => (index < 60 ? moves.read(index + 1) : moves.end), {
        files: files(),
        contextTokens: 12_000,
      });
      assert.equal((await world.navigator.say("/do Read it all")).status, "done");
      const { requests } = world.model;
      assert.ok(requests.filter(isSummary).length > 1, "it was summarised");
      assertStable(requests);
    });
  });
}
