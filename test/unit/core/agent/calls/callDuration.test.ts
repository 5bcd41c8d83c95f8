import assert from "node:assert/strict";
import { z } from "zod";
import { settleCalls } from "../../../../../src/core/agent/calls/settleCalls.js";
import type { AgentEvent } from "../../../../../src/core/agent/events.js";
import type { ProposedAction, Tool, ToolContext } from "../../../../../src/core/agent/tool.js";
import { Transcript } from "../../../../../src/core/agent/transcript.js";
import { allSpoken } from "../../../../../src/core/text/allSpoken.js";
import type { Drafted } from "../../../../../src/core/text/words.js";
import { ManualClock } from "../../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { PlainSigner } from "../../../../fakes/plainSigner.js";

describe("a call's duration", () => {
  it("is the call's own: the time of a person who is asked does not count", async () => {
    const clock = new ManualClock();
    const events: AgentEvent[] = [];
    const transcript = await Transcript.open({
      files: new MemoryFileSystem(),
      signer: new PlainSigner(),
      taskId: "T",
      path: "transcript.jsonl",
    });
    const call = { id: "call_1", name: "change", arguments: "{}" };
    await transcript.append({ type: "assistant", content: "", toolCalls: [call] });
    const preview = { kind: "diff", text: "" } as const;
    const action: ProposedAction = {
      access: "write",
      title: "Change",
      path: "a",
      inside: true,
      preview,
    };
    const change: Tool<never> = {
      kind: "action",
      name: "change",
      description: "",
      access: "write",
      parameters: z.object({}) as unknown as z.ZodType<never>,
      title: () => "",
      prepare: () => {
        clock.advance(20);
        const run = () => {
          clock.advance(300);
          return Promise.resolve({ ok: true, content: "" });
        };
        return Promise.resolve({ action, run });
      },
    };
    const calls = {
      tools: new Map([["change", change]]),
      clock,
      onEvent: (event: Drafted<AgentEvent>) => events.push(allSpoken(event)),
      context: () => ({}) as ToolContext,
      authorise: () => {
        clock.advance(60_000);
        return Promise.resolve({ type: "granted" } as const);
      },
      accept: () => Promise.resolve(undefined),
    };
    await settleCalls(transcript, calls, new AbortController().signal);
    const ended = events.find((event) => event.type === "toolEnded");
    assert.equal(ended?.durationMs, 320);
  });
});
