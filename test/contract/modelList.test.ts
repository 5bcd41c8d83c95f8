import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { factsText } from "../../src/core/models/modelFacts.js";
import { modelList } from "../../src/node/model/modelList.js";
import { ModelWindows } from "../../src/node/model/modelWindows.js";

type Answers = Record<string, unknown>;

const never = () => new AbortController().signal;

/** Returns the answers of Ollama, as its reference shows them. */
const ollama = (names: readonly string[]): Answers => ({
  "/v1/models": { data: names.map((id) => ({ id, object: "model", owned_by: "library" })) },
  "/api/ps": { models: [{ name: "qwen3:8b", context_length: 16_384 }] },
  "/api/show": {
    parameters: 'stop "<|im_end|>"\ntemperature 0.6',
    capabilities: ["completion", "tools", "thinking"],
    model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
  },
});

describe("the models of a server", () => {
  const servers: Server[] = [];
  /** What was asked for, as in `GET /v1/models`. */
  let asked: string[] = [];
  /** Of answers without end. */
  let sentBytes = 0;
  async function serves(answers: Answers): Promise<string> {
    const server = createServer((request, response) => {
      const path = request.url ?? "";
      asked.push(`${request.method ?? ""} ${path} ${request.headers.authorization ?? ""}`.trim());
      const answer = answers[path];
      if (answer === undefined) response.writeHead(404).end("not here");
      else if (answer === "without end") {
        const piece = "x".repeat(65_536);
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          sentBytes += piece.length;
          while (!response.destroyed && response.write(piece)) sentBytes += piece.length;
        };
        response.on("drain", more);
        more();
      } else if (answer !== "hangs") {
        const headers = { "content-type": "application/json" };
        const body = typeof answer === "string" ? answer : JSON.stringify(answer);
        response.writeHead(200, headers).end(body);
      }
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }
  const shown = async (answers: Answers, apiKey?: string): Promise<string[]> => {
    const server = { baseUrl: await serves(answers), ...(apiKey === undefined ? {} : { apiKey }) };
    const models = await modelList(server, never());
    return models.map(({ name, ...facts }) => `${name}: ${factsText(facts)}`);
  };
  beforeEach(() => {
    asked = [];
    sentBytes = 0;
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it("are listed by name, and nothing more is asked of most servers", async () => {
    const data = [
      { id: "b", owned_by: "vllm", max_model_len: 32_768 },
      { id: "a", context_length: 8_192, supported_parameters: ["tools"] },
    ];
    assert.deepEqual(await shown({ "/v1/models": { data } }), [
      "a: 8k tokens · calls tools",
      "b: 32k tokens",
    ]);
    assert.deepEqual(asked, ["GET /v1/models"]);
  });

  it("are told of one by one by Ollama: what is loaded, and what could be", async () => {
    assert.deepEqual(await shown(ollama(["qwen3:8b", "qwen3:4b"]), "secret"), [
      "qwen3:4b: up to 40k tokens · calls tools",
      "qwen3:8b: 16k tokens · calls tools",
    ]);
    assert.deepEqual(asked.sort(), [
      "GET /api/ps Bearer secret",
      "GET /v1/models Bearer secret",
      "POST /api/show Bearer secret",
      "POST /api/show Bearer secret",
    ]);
  });

  it("are told of one by one where the address has a name and a password", async () => {
    const baseUrl = (await serves(ollama(["qwen3:8b"]))).replace("//", "//me:p%40ss@");
    const [model] = await modelList({ baseUrl }, never());
    assert.equal(model?.contextTokens, 16_384);
    const login = Buffer.from("me:p@ss").toString("base64");
    assert.ok(
      asked.every((line) => line.endsWith(` Basic ${login}`)),
      asked.join(),
    );
  });

  it("are not asked about without end", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `m${String(index).padStart(3, "0")}`);
    assert.equal((await shown(ollama(names))).length, 200);
    assert.equal(asked.filter((line) => line.includes("/api/show")).length, 40);
  });

  it("are not listened to without end", async () => {
    await assert.rejects(shown({ "/v1/models": "without end" }), { code: "brokenResponse" });
    assert.ok(sentBytes < 40_000_000, String(sentBytes));
    sentBytes = 0;
    const data = [{ id: "m.gguf", owned_by: "llamacpp" }];
    const listed = await shown({ "/v1/models": { data }, "/props": "without end" });
    assert.equal(listed.length, 1);
    assert.ok(sentBytes < 20_000_000, String(sentBytes));
  });

  it("are told of by LM Studio's own list, without those that make vectors", async () => {
    const model = { type: "llm", state: "not-loaded", max_context_length: 131_072 };
    const answers = {
      "/v1/models": { data: ["q", "v", "e"].map((id) => ({ id, owned_by: "organization_owner" })) },
      "/api/v0/models": {
        data: [
          { id: "q", ...model, capabilities: ["tool_use"] },
          { id: "v", ...model, type: "vlm", state: "loaded", loaded_context_length: 4_096 },
          { id: "e", type: "embeddings", max_context_length: 2_048 },
        ],
      },
    };
    assert.deepEqual(await shown(answers), [
      "q: up to 128k tokens · calls tools",
      "v: 4k tokens · sees images",
    ]);
  });

  it("is one, with llama.cpp, which says how it runs it", async () => {
    const data = [{ id: "m.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }];
    const props = {
      default_generation_settings: { n_ctx: 8_192 },
      chat_template_caps: { supports_tools: true, supports_tool_calls: true },
      modalities: { vision: false, audio: false },
    };
    assert.deepEqual(await shown({ "/v1/models": { data }, "/props": props }), [
      "m.gguf: 8k tokens · calls tools",
    ]);
  });

  it("have the window that Ollama's parameters set, while they are not loaded", async () => {
    const answers = ollama(["qwen3:4b"]);
    const shownModel = { parameters: "num_ctx 8192\ntemperature 0.6" };
    assert.deepEqual(await shown({ ...answers, "/api/show": shownModel }), ["qwen3:4b: 8k tokens"]);
  });

  it("are listed all the same where nothing more can be had", async () => {
    for (const [owner, path] of [
      ["library", "/api/ps"],
      ["organization_owner", "/api/v0/models"],
      ["llamacpp", "/props"],
    ]) {
      const answers = { "/v1/models": { data: [{ id: "m", owned_by: owner }] } };
      assert.deepEqual(await shown(answers), ["m: "]);
      assert.deepEqual(await shown({ ...answers, [path ?? ""]: [1, null, "x"] }), ["m: "]);
    }
  });

  it("are read from an array alone, from entries that are not all models, and from no array", async () => {
    const models = [{ id: "b" }, { id: "a", context_length: 8_192 }];
    assert.deepEqual(await shown({ "/v1/models": models }), ["a: 8k tokens", "b: "]);
    const data = [null, "x", { id: null }, ...models];
    assert.deepEqual(await shown({ "/v1/models": { data } }), ["a: 8k tokens", "b: "]);
    assert.deepEqual(await shown({ "/v1/models": { data: null } }), []);
  });

  for (const body of ["<!doctype html><title>Sign in</title>", "", '{"status":"ok"}', '"ok"']) {
    it(`says that the address sends no list where it sends ${JSON.stringify(body)}`, async () => {
      await assert.rejects(shown({ "/v1/models": body }), {
        code: "brokenResponse",
        message: /sent no list of models\. Check the model's address\.$/,
      });
    });
  }

  it("says so where there is no list", async () => {
    await assert.rejects(shown({}), {
      code: "notFound",
      template:
        "{address} has no list of models (404). Check the model's address, or enter the model's name yourself.",
    });
  });

  it("has a window that counts from when Ollama has loaded it, not what it was trained for", async () => {
    const answers: Answers = ollama(["qwen3:8b"]);
    const baseUrl = await serves(answers);
    answers["/api/ps"] = { models: [] };
    const windows = new ModelWindows();
    const options = { name: "qwen3:8b", baseUrl };
    await windows.read(options, never());
    assert.equal(windows.of(options), undefined);
    Object.assign(answers, ollama(["qwen3:8b"]));
    await windows.read(options, never());
    assert.equal(windows.of(options), 16_384);
    const before = asked.length;
    await windows.read(options, never());
    assert.equal(asked.length, before, "it is not asked again");
  });

  it("have a window that a server is not asked for again, where it lists the model without one", async () => {
    const listed = await serves({ "/v1/models": { data: [{ id: "m", owned_by: "somebody" }] } });
    const windows = new ModelWindows();
    const before = asked.length;
    for (let turn = 0; turn < 3; turn++) {
      await windows.read({ name: "m", baseUrl: listed }, never());
    }
    assert.equal(asked.length, before + 1);
    // What is not listed yet may be listed once it is loaded.
    for (let turn = 0; turn < 3; turn++) {
      await windows.read({ name: "another", baseUrl: listed }, never());
    }
    assert.equal(asked.length, before + 3);
  });

  it("have the windows that each server tells, and not another's of the same name", async () => {
    const windows = new ModelWindows();
    const servers = [8_192, 32_768].map(async (max_model_len) => {
      const data = [{ id: "m", owned_by: "vllm", max_model_len }];
      return { name: "m", baseUrl: await serves({ "/v1/models": { data } }) };
    });
    const [small, large] = await Promise.all(servers);
    assert.ok(small !== undefined && large !== undefined);
    await windows.read(small, never());
    assert.deepEqual([windows.of(small), windows.of(large)], [8_192, undefined]);
    await windows.read(large, never());
    assert.deepEqual([windows.of(small), windows.of(large)], [8_192, 32_768]);
  });
});
