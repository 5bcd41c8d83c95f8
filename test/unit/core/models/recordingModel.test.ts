import assert from "node:assert/strict";
import { ModelError } from "../../../../src/core/errors.js";
import { Recorder, RecordingModel } from "../../../../src/core/models/recordingModel.js";
import type { ModelEvent, ModelRequest } from "../../../../src/core/ports/model.js";
import { CountingIds } from "../../../fakes/countingIds.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { ScriptedModel, type ScriptedResponse } from "../../../fakes/scriptedModel.js";

const request: ModelRequest = {
  messages: [
    { role: "system", content: "Help." },
    { role: "user", content: "My password: hunter22" },
  ],
  tools: [],
};

class RecordedStage {
  readonly files = new MemoryFileSystem();
  readonly problems: unknown[] = [];
  private readonly model: RecordingModel;

  constructor(scripts: readonly ScriptedResponse[], isOn = true) {
    const recorder = new Recorder(this.files, new ManualClock(), new CountingIds(), (error) => {
      this.problems.push(error);
    });
    this.model = new RecordingModel(new ScriptedModel(scripts), () =>
      isOn ? recorder : undefined,
    );
  }

  async ask(): Promise<ModelEvent[]> {
    const events: ModelEvent[] = [];
    for await (const event of this.model.respond(request, new AbortController().signal)) {
      events.push(event);
    }
    return events;
  }

  async recorded(): Promise<unknown[]> {
    const [folder] = await this.files.readDirectory(".rooroo/logs/recordings");
    const path = `.rooroo/logs/recordings/${folder?.name ?? ""}`;
    const names = await this.files.readDirectory(path);
    return names.map(({ name }) => JSON.parse(this.files.text(`${path}/${name}`) ?? "") as unknown);
  }
}

describe("a recording", () => {
  it("holds each exchange in order, without what looks like a secret", async () => {
    const stage = new RecordedStage([
      { text: ["Hel", "lo"] },
      { toolCalls: [{ id: "call-1", name: "read_file", arguments: '{"path":"a"}' }] },
    ]);
    const events = [...(await stage.ask()), ...(await stage.ask())];
    assert.deepEqual(
      events.map(({ type }) => type),
      ["text", "text", "finish", "toolCall", "finish"],
    );
    const [first, second] = await stage.recorded();
    assert.deepEqual(first, {
      fixtures: [
        {
          match: { endpoint: "chat", sequenceIndex: 0 },
          response: { content: "Hello", finishReason: "stop" },
        },
      ],
      request: {
        model: "scripted",
        messages: [request.messages[0], { role: "user", content: "My password: [secret]" }],
        tools: [],
      },
    });
    assert.deepEqual((second as { fixtures: unknown }).fixtures, [
      {
        match: { endpoint: "chat", sequenceIndex: 1 },
        response: {
          toolCalls: [{ id: "call-1", name: "read_file", arguments: '{"path":"a"}' }],
          finishReason: "tool_calls",
        },
      },
    ]);
  });

  it("holds a failure, which is thrown all the same", async () => {
    const error = new ModelError("server", "It failed.", {});
    const stage = new RecordedStage([{ text: "Be", error }]);
    await assert.rejects(stage.ask(), error);
    const [{ fixtures }] = (await stage.recorded()) as [{ fixtures: { response: unknown }[] }];
    assert.deepEqual(fixtures[0]?.response, {
      error: { message: "It failed.", type: "server_error" },
      status: 500,
    });
  });

  it("is not made where nobody asked for it", async () => {
    const stage = new RecordedStage([{ text: "Hello" }], false);
    assert.equal((await stage.ask()).length, 2);
    assert.equal(await stage.files.stat(".rooroo"), undefined);
  });

  it("is missing where the disk is full; the work goes on", async () => {
    const stage = new RecordedStage([{ text: "Hello" }]);
    stage.files.beforeOperation = () => {
      throw new Error("ENOSPC");
    };
    assert.equal((await stage.ask()).length, 2);
    assert.equal(stage.problems.length, 1);
  });
});
