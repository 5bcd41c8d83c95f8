import assert from "node:assert/strict";
import { askModel } from "../../src/core/agent/replies/askModel.js";
import { Transcript } from "../../src/core/agent/transcript.js";
import type { ModelError } from "../../src/core/errors.js";
import { modelApis } from "../../src/core/models/modelApi.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import { HttpModel } from "../fakes/httpModel.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { thinkingServers } from "../fakes/thinkingServers.js";

const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];
const path = ".rooroo/tasks/T/transcript.jsonl";

/** A conversation whose transcript is read anew before each request, as after a restart. */
class Conversation {
  private readonly files = new MemoryFileSystem();

  constructor(readonly server: HttpModel) {}

  async begin(): Promise<void> {
    const transcript = await this.open();
    await transcript.append(
      { type: "start", schema: 1, at: "2026-01-02", system: "You are a test." },
      { type: "user", content: "Go." },
    );
  }

  /** Asks a model, and gives its calls results. */
  async goOn(name = "model-a"): Promise<void> {
    const transcript = await this.open();
    const { url: baseUrl } = this.server;
    const model = new ServerModel(() => Promise.resolve({ baseUrl, name }));
    const reply = await askModel(
      model,
      { messages: transcript.messages, tools },
      "m",
      () => undefined,
      new AbortController().signal,
    );
    await transcript.append({
      type: "assistant",
      content: reply.text,
      toolCalls: [...reply.toolCalls],
      ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    });
    for (const { id } of reply.toolCalls) {
      await transcript.append({ type: "result", callId: id, ok: true, content: "Seen." });
    }
  }

  async say(content: string): Promise<void> {
    await (await this.open()).append({ type: "user", content });
  }

  private open(): Promise<Transcript> {
    return Transcript.open({ files: this.files, signer: new PlainSigner(), taskId: "T", path });
  }
}

describe("servers whose models think", () => {
  let server: HttpModel;
  let conversation: Conversation;

  beforeEach(async () => {
    const call = { name: "look", arguments: {} };
    server = await HttpModel.start((_request, index) => ({
      ...(index % 4 === 3 ? { text: "Seen it." } : { toolCalls: [call, call] }),
    }));
    conversation = new Conversation(server);
    await conversation.begin();
  });
  afterEach(() => server.stop());

  for (const [name, make] of thinkingServers) {
    it(`${name} gets back what it gave with its calls, after a restart and in the next turn, too`, async () => {
      server.thinking = make();
      for (let turn = 0; turn < 2; turn++) {
        for (let request = 0; request < 4; request++) await conversation.goOn();
        await conversation.say("And now?");
      }
      assert.equal(server.requests.length, 8);
    });

    it(`${name} goes on with a conversation whose calls another model has made`, async () => {
      await conversation.goOn("model-b");
      server.thinking = make();
      // LiteLLM has no words for a call that it did not sign, so nothing can be learnt from them.
      if (name === "LiteLLM") {
        await assert.rejects(conversation.goOn(), ({ message }: ModelError) =>
          message.includes("The function call has no signature."),
        );
        return;
      }
      for (let request = 0; request < 3; request++) await conversation.goOn();
      assert.equal(server.requests.length, 4);
    });
  }

  it("no other model is sent what one gave", async () => {
    server.thinking = thinkingServers.get("OpenRouter")!();
    const bodies: string[] = [];
    const { thinking } = server;
    server.thinking = {
      ...thinking,
      refusal: (messages) => {
        bodies.push(JSON.stringify(messages));
        return thinking.refusal(messages);
      },
    };
    await conversation.goOn();
    await conversation.goOn("model-b");
    await conversation.goOn();
    const given = bodies.map((body) => (body.match(/secret\d/g) ?? []).join());
    assert.deepEqual(given, ["", "", "secret1"]);
  });
});

describe("what every server takes", () => {
  it("is sent in all three APIs: no half of a character, and arguments that are an object for every reader", async () => {
    const server = await HttpModel.start(() => ({ text: "Fine." }));
    try {
      for (const api of modelApis) {
        const raw: string[] = [];
        server.onBody = (body) => raw.push(body);
        const options = { baseUrl: server.url, name: "m", api, apiKey: "test-key" };
        const model = new ServerModel(() => Promise.resolve(options));
        const args = ['{"a":"\\ud83d"}', '{"n":1e999}', "", "[1]", '"text"', '{"a":'];
        const toolCalls = args.map((text, index) => ({
          id: `call_${index}00000`,
          name: "look",
          arguments: text,
        }));
        const results = toolCalls.map(({ id }) => ({
          role: "tool" as const,
          callId: id,
          content: "cut \uD83D",
        }));
        const messages = [
          { role: "system" as const, content: "half \uDE00" },
          { role: "user" as const, content: "half \uD83D" },
          { role: "assistant" as const, content: "half \uD83D", toolCalls },
          ...results,
        ];
        const signal = new AbortController().signal;
        await askModel(model, { messages, tools }, "m", () => undefined, signal);
        assert.doesNotMatch(raw[0] ?? "", /\\+ud83d|\\+ude00|1e999/i, api);
        assert.equal(raw[0]?.match(/half \uFFFD/g)?.length, 3, api);
      }
    } finally {
      await server.stop();
    }
  });

  it("is sent in all three APIs: calls by a name as tools have, and no half of a character of reasoning or of another program's tool", async () => {
    const server = await HttpModel.start(() => ({ text: "Fine." }));
    try {
      for (const api of modelApis) {
        const raw: string[] = [];
        server.onBody = (body) => raw.push(body);
        const options = { baseUrl: server.url, name: "m", api, apiKey: "test-key" };
        const model = new ServerModel(() => Promise.resolve(options));
        const names = ["look at/it", "", "x".repeat(300), "look"];
        const toolCalls = names.map((name, index) => ({
          id: `call_${index}00000`,
          name,
          arguments: "{}",
        }));
        const thought = {
          chat: { fields: { reasoning_content: "half \uD83D" }, calls: {} },
          responses: { type: "reasoning", summary: [], encrypted_content: "half \uD83D" },
          messages: { type: "thinking", thinking: "half \uD83D", signature: "s" },
        }[api];
        const messages = [
          { role: "user" as const, content: "Go." },
          {
            role: "assistant" as const,
            content: "",
            toolCalls,
            reasoning: { api, model: "m", items: [thought] },
          },
          ...toolCalls.map(({ id }) => ({ role: "tool" as const, callId: id, content: "Done." })),
        ];
        const odd = {
          name: "odd",
          description: "half \uD83D",
          parameters: { title: "half \uD83D" },
        };
        const signal = new AbortController().signal;
        await askModel(model, { messages, tools: [odd] }, "m", () => undefined, signal);
        const [body = ""] = raw;
        assert.doesNotMatch(body, /\\+ud83d/i, api);
        assert.equal(body.match(/half \uFFFD/g)?.length, 3, api);
        const sent = [...body.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
        assert.deepEqual(
          sent.filter((name) => name !== "odd"),
          ["look_at_it", "none", "x".repeat(64), "look"],
          api,
        );
      }
    } finally {
      await server.stop();
    }
  });
});
