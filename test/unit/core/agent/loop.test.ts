import assert from "node:assert/strict";
import { z } from "zod";
import type { Calls } from "../../../../src/core/agent/calls/settleCalls.js";
import { nativeDialect } from "../../../../src/core/agent/dialects/nativeDialect.js";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import { type Agent, type AgentEnd, runAgent } from "../../../../src/core/agent/loop.js";
import type { AnyTool, Tool, ToolContext, ToolResult } from "../../../../src/core/agent/tool.js";
import { Transcript } from "../../../../src/core/agent/transcript.js";
import { ModelError, UserError } from "../../../../src/core/errors.js";
import { allSpoken } from "../../../../src/core/text/allSpoken.js";
import { type Said, spoken, words } from "../../../../src/core/text/words.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { type ModelScript, neverAnswers, ScriptedModel } from "../../../fakes/scriptedModel.js";

const path = ".rooroo/tasks/ROO#TASK_1/transcript.jsonl";

/** An agent with one reading, one writing and one ending tool, and what it did. */
class AgentStage {
  readonly events: AgentEvent[] = [];
  readonly ran: string[] = [];
  readonly model: ScriptedModel;
  permission: Awaited<ReturnType<Calls["authorise"]>> = { type: "granted" };
  /** Called in each tool's run. */
  during: (name: string) => Promise<ToolResult> | ToolResult = (name) => ({
    ok: true,
    content: `did ${name}`,
  });

  constructor(
    scripts: readonly ModelScript[] | ModelScript,
    readonly files = new MemoryFileSystem(),
    private readonly more: {
      plainText?: "question" | "invalid";
      limits?: Agent["limits"];
      context?: Agent["context"];
      withoutTools?: Agent["withoutTools"];
    } = {},
  ) {
    this.model = new ScriptedModel(scripts);
  }

  async run(signal = new AbortController().signal): Promise<AgentEnd> {
    const transcript = await Transcript.open({
      files: this.files,
      signer: new PlainSigner(),
      taskId: "T",
      path,
    });
    if (transcript.isEmpty) {
      await transcript.append(
        { type: "start", schema: 1, at: "2025-01-02", system: "You are a test." },
        { type: "user", content: "Go." },
      );
    }
    const tools = new Map(
      [
        this.action("look", "read"),
        this.action("change", "write"),
        {
          kind: "completion",
          name: "finish",
          description: "End.",
          parameters: z.object({ message: z.string() }),
        } satisfies AnyTool,
      ].map((tool) => [tool.name, tool]),
    );
    const clock = new ManualClock();
    const accept = (args: unknown) =>
      Promise.resolve(
        (args as { message: string }).message === "bad" ? "Not like this." : undefined,
      );
    return runAgent(
      {
        transcript,
        model: this.model,
        dialect: nativeDialect({ tools, accept, onPlainText: this.more.plainText ?? "invalid" }),
        calls: {
          clock,
          onEvent: (event) => this.events.push(allSpoken(event)),
          context: (callId, callSignal) =>
            ({ callId, signal: callSignal }) as unknown as ToolContext,
          authorise: () => Promise.resolve(this.permission),
          accept,
        },
        limits: { turns: 10 },
        context: { limit: undefined, observedWindows: new Map() },
        newMessageId: () => "m-1",
        onEvent: (event) => this.events.push(allSpoken(event)),
        ...this.more,
      },
      signal,
    );
  }

  /** Returns the results that the model saw, in order. */
  results(): string[] {
    const messages = this.model.requests.at(-1)?.messages ?? [];
    return messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  }

  private action(name: string, access: "read" | "write"): AnyTool {
    const tool: Tool<{ what: string }> = {
      kind: "action",
      name,
      description: name,
      parameters: z.object({ what: z.string() }),
      access,
      title: ({ what }) => what,
      prepare: ({ what }) =>
        Promise.resolve({
          action:
            access === "write"
              ? {
                  access,
                  title: `Change ${what}`,
                  path: what,
                  inside: true,
                  preview: { kind: "diff" as const, text: what },
                }
              : undefined,
          run: async () => {
            this.ran.push(what);
            return this.during(what);
          },
        }),
    };
    return tool as unknown as AnyTool;
  }
}

const finish = calls("finish", { message: "done" });

describe("agent loop", () => {
  it("runs calls, hands their results back, and ends at an accepted completion", async () => {
    const stage = new AgentStage([calls("look", { what: "a" }), finish]);
    const end = await stage.run();
    assert.deepEqual(end, { type: "completed", callId: "call_2", args: { message: "done" } });
    assert.deepEqual(stage.results(), ["did a"]);
  });

  it("runs neighbouring reads side by side, and writes alone and in order", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const call = (name: string, what: string) => ({ name, arguments: { what } });
    const stage = new AgentStage([
      {
        toolCalls: [
          call("look", "a"),
          call("look", "b"),
          call("change", "c"),
          call("change", "d"),
          call("look", "e"),
        ],
      },
      finish,
    ]);
    stage.during = async (name) => {
      running++;
      most = Math.max(most, running);
      order.push(`+${name}`);
      for (let tick = 0; tick < 5; tick++) await Promise.resolve();
      order.push(`-${name}`);
      running--;
      return { ok: true, content: name };
    };
    await stage.run();
    assert.equal(most, 2);
    assert.equal(order.join(" "), "+a +b -a -b +c -c +d -d +e -e");
    assert.deepEqual(stage.results(), ["a", "b", "c", "d", "e"]);
  });

  it("takes the completion of a turn last, whatever its place", async () => {
    const stage = new AgentStage([
      {
        toolCalls: [
          { name: "finish", arguments: { message: "done" } },
          { name: "change", arguments: { what: "a" } },
        ],
      },
    ]);
    assert.equal((await stage.run()).type, "completed");
    assert.deepEqual(stage.ran, ["a"]);
  });

  it("takes no completion with a write of the same turn that failed", async () => {
    const both = (what: string) => ({
      toolCalls: [
        { name: "change", arguments: { what } },
        { name: "finish", arguments: { message: "done" } },
      ],
    });
    const stage = new AgentStage([both("a"), both("b")]);
    stage.during = () =>
      stage.ran.length === 1
        ? { ok: false, content: "It has changed since." }
        : { ok: true, content: "Done." };
    assert.equal((await stage.run()).type, "completed");
    assert.deepEqual(stage.results(), [
      "It has changed since.",
      "change failed in the same reply. See to that first, then submit.",
    ]);
  });

  it("returns unknown tools, wrong arguments, refusals and adapter failures as results", async () => {
    const stage = new AgentStage([
      calls("fly", {}),
      calls("look", { where: 1 }),
      { toolCalls: [{ name: "look", arguments: "{not json" }] },
      calls("look", { what: "full" }),
      calls("look", { what: "ok" }),
      calls("change", { what: "denied" }),
      calls("finish", { message: "bad" }),
      finish,
    ]);
    stage.permission = { type: "refused", reason: "The user said no." };
    stage.during = (what) => {
      if (what === "ok") return { ok: true, content: "ok" };
      throw new UserError("diskFull", "The disk is full.");
    };
    assert.equal((await stage.run()).type, "completed");
    const [unknown, fields, json, disk, , refused, rejected] = stage.results();
    assert.match(unknown!, /no tool "fly"\. Use one of: look, change, finish/);
    assert.match(fields!, /what: .*\{what: string\}/);
    assert.match(json!, /not JSON/);
    assert.equal(disk, "The disk is full.");
    assert.equal(refused, "The user said no.");
    assert.equal(rejected, "Not like this.");
    assert.deepEqual(stage.ran, ["full", "ok"], "what was refused did not run");
    const shown = stage.events.find((event) => event.type === "toolEnded");
    assert.match(shown?.output ?? "", /no tool "fly"/, "it is seen that it was tried");
  });

  it("gives up after failures in a row, and says which was the last", async () => {
    let turn = 0;
    const stage = new AgentStage(() => calls("fly", { turn: turn++ }));
    const end = await stage.run();
    assert.equal(end.type, "exhausted");
    assert.match(spoken((end as { message: Said }).message), /6 tool calls in a row failed.*fly/);
    assert.equal(stage.model.requests.length, 6);
  });

  it("counts failures from the last call that succeeded", async () => {
    const fiveFail = Array.from({ length: 5 }, (_, turn) => calls("fly", { turn }));
    const works = calls("change", { what: "tests" });
    const replies = [...fiveFail, works, ...fiveFail, works, finish];
    const stage = new AgentStage(replies, new MemoryFileSystem(), { limits: { turns: 20 } });
    assert.equal((await stage.run()).type, "completed");
  });

  it("does not count a command that ran and found something wrong as the agent's failure", async () => {
    const looks = Array.from({ length: 7 }, (_, turn) => calls("look", { what: `test ${turn}` }));
    const stage = new AgentStage([...looks, finish]);
    stage.during = () => ({ ok: false, worked: true, content: "1 test fails" });
    assert.equal((await stage.run()).type, "completed");
  });

  it("ends at the limit of turns and can go on from there", async () => {
    let turn = 0;
    const stage = new AgentStage(() => calls("look", { what: `part ${turn++}` }));
    const end = await stage.run();
    assert.equal(end.type, "exhausted");
    assert.equal(stage.model.requests.length, 10);
    const later = new AgentStage([finish], stage.files);
    assert.equal((await later.run()).type, "completed");
  });

  it("points out a reply without a tool call, then gives up with the model's name", async () => {
    const silent = new AgentStage(() => ({}));
    const end = await silent.run();
    assert.match(
      spoken((end as { message: Said }).message),
      /scripted answered with nothing, 3 times/,
    );
    assert.equal(silent.model.requests.length, 3);

    const stage = new AgentStage([{ text: "I think I am done." }, finish]);
    assert.equal((await stage.run()).type, "completed");
    assert.match(stage.model.requests[1]!.messages.at(-1)!.content, /called no tool/);
    const [said, back] = stage.events.filter(
      ({ type }) => type === "text" || type === "replyRejected",
    );
    assert.ok(said?.type === "text" && back?.type === "replyRejected");
    assert.deepEqual([back.messageId, back.why], [said.messageId, "noCall"]);
  });

  it("takes a completion that came as text, if it is one beyond doubt", async () => {
    const stage = new AgentStage([{ text: 'My report:\n```json\n{"message": "done"}\n```' }]);
    const end = await stage.run();
    assert.deepEqual(end, { type: "completed", callId: null, args: { message: "done" } });
    for (const text of ['{"message": 1}', '{"message": "bad"}', '{"message": "don']) {
      const doubtful = new AgentStage([{ text }, finish]);
      assert.equal(((await doubtful.run()) as { callId: unknown }).callId, "call_1", text);
    }
  });

  it("takes plain text as a question where the mode talks, also when it is opened again", async () => {
    const stage = new AgentStage([{ text: "How bold?" }], undefined, { plainText: "question" });
    assert.deepEqual(await stage.run(), { type: "speaks", text: "How bold?" });
    const again = new AgentStage([], stage.files, { plainText: "question" });
    assert.deepEqual(await again.run(), { type: "speaks", text: "How bold?" });
  });

  it("waits, unrun, for an approval that nobody can give, and asks again later", async () => {
    const stage = new AgentStage([calls("change", { what: "a" })]);
    stage.permission = { type: "unavailable" };
    assert.equal((await stage.run()).type, "waitsForApproval");
    const later = new AgentStage([finish], stage.files);
    assert.equal((await later.run()).type, "completed");
    assert.deepEqual(later.ran, ["a"]);
  });

  it("does not repeat a change that was interrupted, and says so", async () => {
    const stage = new AgentStage([calls("change", { what: "a" })]);
    stage.during = () => {
      throw new Error("killed");
    };
    await assert.rejects(stage.run(), /killed/);
    const later = new AgentStage([finish], stage.files);
    assert.equal((await later.run()).type, "completed");
    assert.deepEqual(later.ran, []);
    assert.match(later.results()[0]!, /was not repeated/);
  });

  it("stops during a model call and during a tool", async () => {
    const stop = new AbortController();
    const stage = new AgentStage([
      neverAnswers(() => {
        stop.abort(new UserError("stopped", "Stopped."));
      }),
    ]);
    assert.deepEqual(await stage.run(stop.signal), { type: "stopped" });

    const stopTool = new AbortController();
    const inTool = new AgentStage([calls("look", { what: "a" }), finish]);
    inTool.during = () => {
      stopTool.abort(new UserError("stopped", "Stopped."));
      return { ok: false, content: "Stopped by the user." };
    };
    assert.deepEqual(await inTool.run(stopTool.signal), { type: "stopped" });
    assert.equal(inTool.model.requests.length, 1);
  });

  it("keeps everything when the model fails, with the failure's kind", async () => {
    const stage = new AgentStage([
      calls("look", { what: "a" }),
      { text: "half a", error: new ModelError("brokenResponse", "The stream broke off.", {}) },
    ]);
    assert.deepEqual(await stage.run(), {
      type: "modelFailed",
      code: "brokenResponse",
      message: words("The stream broke off."),
    });
    const later = new AgentStage([finish], stage.files);
    await later.run();
    assert.deepEqual(later.results(), ["did a"]);
    assert.ok(!JSON.stringify(later.model.requests).includes("half a"));
  });

  it("sends a beginning that stays the same, byte for byte, over the turns", async () => {
    const stage = new AgentStage([
      calls("look", { what: "a" }),
      calls("change", { what: "b" }),
      finish,
    ]);
    await stage.run();
    const requests = stage.model.requests.map(({ messages, tools }) =>
      JSON.stringify({ tools, messages }).slice(0, -2),
    );
    assert.ok(requests[1]!.startsWith(requests[0]!));
    assert.ok(requests[2]!.startsWith(requests[1]!));
  });

  it("runs a call that was written as text, and keeps what was understood", async () => {
    const files = new MemoryFileSystem();
    const stage = new AgentStage(
      [{ text: "I'll look first.\n<look>\n<what>a</what>\n</look>" }, finish],
      files,
    );
    assert.equal((await stage.run()).type, "completed");
    assert.deepEqual(stage.ran, ["a"]);
    const [, , said, result] = stage.model.requests[1]!.messages;
    const call = { id: "call_m-1_1", name: "look", arguments: '{"what":"a"}' };
    assert.deepEqual(said, {
      role: "assistant",
      content: "I'll look first.",
      toolCalls: [call],
    });
    assert.deepEqual(result, { role: "tool", callId: call.id, content: "did a" });
    // Whoever goes on from the file has the same.
    assert.deepEqual(
      (await Transcript.open({ files, signer: new PlainSigner(), taskId: "T", path })).messages[2],
      said,
    );
    assert.deepEqual(stage.events.map(({ type }) => type).slice(0, 6), [
      "textDelta",
      "text",
      "repaired",
      "usage",
      "toolStarted",
      "toolEnded",
    ]);
  });

  it("tells what happens in order: text, tool, result", async () => {
    const stage = new AgentStage([
      { text: ["I ", "look."], ...calls("look", { what: "a" }) },
      finish,
    ]);
    await stage.run();
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ["textDelta", "textDelta", "text", "usage", "toolStarted", "toolEnded", "usage"],
    );
  });

  describe("a reply that was cut", () => {
    const told = (stage: AgentStage) => stage.model.requests.at(-1)?.messages.at(-1)?.content ?? "";

    it("has its complete calls run, and the model is told which", async () => {
      const stage = new AgentStage([
        { ...calls("look", { what: "a" }), finish: "length" },
        { ...calls("look", { what: "b" }), finish: "filtered" },
        finish,
      ]);
      assert.equal((await stage.run()).type, "completed");
      assert.deepEqual(stage.ran, ["a", "b"]);
      const [, first, second] = stage.model.requests.map(({ messages }) => messages.at(-1));
      assert.equal(first?.role, "user");
      assert.match(first.content, /output limit[^]*first call was complete and carried out/);
      assert.match(second?.content ?? "", /content filter[^]*first call was complete/);
    });

    it("is no reply in plain text: the model is told to write less at once", async () => {
      const stage = new AgentStage([{ text: "And so", finish: "length" }, finish], undefined, {
        plainText: "question",
      });
      assert.equal((await stage.run()).type, "completed");
      assert.match(told(stage), /output limit[^]*Nothing of it was carried out or delivered/);
      assert.deepEqual(
        stage.events.flatMap((event) => (event.type === "replyRejected" ? [event.why] : [])),
        ["length"],
      );
    });

    for (const [cut, words] of [
      ["length", /cut at the output limit, 3 times; the last had 4096 tokens[^]*maxOutputTokens/],
      ["filtered", /content filter of the model's server ended the replies of scripted, 3 times/],
      ["overflowed", /filled its context window, 3 times/],
    ] as const) {
      it(`ends the agent after three in a row, with the cause (${cut}), in the same dialect`, async () => {
        const usage = { inputTokens: 100, outputTokens: 4096, cachedTokens: 0 };
        const stage = new AgentStage(() => ({ text: "And so", finish: cut, usage }), undefined, {
          withoutTools: () => assert.fail("the model can call tools"),
        });
        const end = await stage.run();
        assert.ok(end.type === "exhausted" && end.limit === "noProgress");
        assert.match(spoken(end.message), words);
        assert.equal(stage.model.requests.length, 3);
      });
    }

    it("is told once, also after a restart between its result and the next request", async () => {
      const files = new MemoryFileSystem();
      const cut = { ...calls("look", { what: "a" }), finish: "length" as const };
      const stopped = new AgentStage(
        [cut, { error: new ModelError("server", "{address} failed.", { address: "x" }) }],
        files,
      );
      assert.equal((await stopped.run()).type, "modelFailed");
      const stage = new AgentStage([finish], files);
      assert.equal((await stage.run()).type, "completed");
      const users = stage.model.requests[0]!.messages.filter(({ role }) => role === "user");
      assert.equal(users.length, 2);
    });
  });
});

describe("a refusal whose words nobody knows", () => {
  const refuse = { error: new ModelError("badRequest", "Request rejected.", {}) };
  /** Ten turns of results, of which a window of so many tokens has room for about two thirds. */
  const stageOf = (limit: number, scripts: readonly ModelScript[]) => {
    const looks = Array.from({ length: 8 }, (_, index) => calls("look", { what: `${index}` }));
    const observedWindows = new Map<string, number>();
    const stage = new AgentStage([...looks, ...scripts], new MemoryFileSystem(), {
      context: { limit, observedWindows },
    });
    stage.during = (what) => ({ ok: true, content: `${what}:`.padEnd(2_000, "x") });
    return { stage, observedWindows };
  };

  it("near the window's end is answered with a compacted request, once", async () => {
    const { stage, observedWindows } = stageOf(8_800, [refuse, { text: "Short." }, finish]);
    assert.equal((await stage.run()).type, "completed");
    const sizes = stage.model.requests.map(({ messages }) => JSON.stringify(messages).length);
    assert.ok(sizes[10]! < sizes[8]! * 0.7, String(sizes));
    assert.ok(observedWindows.size > 0, "what has been learned is kept");
  });

  it("is told as it came when the compacted request is refused, too", async () => {
    const { stage, observedWindows } = stageOf(8_800, [refuse, { text: "Short." }, refuse]);
    const end = await stage.run();
    assert.ok(end.type === "modelFailed" && end.code === "badRequest", JSON.stringify(end));
    assert.equal(stage.model.requests.length, 11);
    assert.equal(observedWindows.size, 0, "the window is not believed to be smaller");
  });

  it("is told at once where the window is far from full", async () => {
    const { stage } = stageOf(100_000, [refuse]);
    assert.equal((await stage.run()).type, "modelFailed");
    assert.equal(stage.model.requests.length, 9);
  });
});
