import assert from "node:assert/strict";
import type { ToolDefinition } from "../../src/core/ports/messages.js";
import type { ModelEvent, ModelRequest } from "../../src/core/ports/model.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import { type Answer, delta, refuse, sse } from "./chatAnswers.js";
import { eventsOf, ScriptedServer } from "./scriptedServer.js";

const tool = (name: string, properties: object): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties },
});
const plain = ["read", "write", "list"].map((name) => tool(name, { path: { type: "string" } }));

/** What servers say, and of which schema. */
const refusals: readonly (readonly [string, RegExp, number, string])[] = [
  [
    "llama.cpp, of a pattern",
    /"pattern":"a\|b"/,
    400,
    "Pattern must start with '^' and end with '$'",
  ],
  [
    "llama.cpp, of a boolean schema",
    /"any":true/,
    500,
    "JSON schema conversion failed: Unrecognized schema: true",
  ],
  ["llama.cpp, of a long text", /"maxLength":9000/, 400, "failed to parse grammar"],
  [
    "Gemini",
    /propertyNames|exclusiveMinimum/,
    400,
    "Invalid JSON payload received. Unknown name \"propertyNames\" at 'tools[0].function_declarations[3].parameters': Cannot find field.",
  ],
  [
    "Vertex, of what stands beside a choice",
    /"anyOf":[^\]]*\],"|"type":\[/,
    400,
    "When using any_of, it must be the only field set.",
  ],
  ["vLLM, of several types", /"type":\[/, 400, "Value error, unsupported type: ['string', 'null']"],
  ["a proxy, of a reference", /\$ref/, 422, "tools.3.function.parameters: $ref is not supported"],
];
const odd = tool("odd", {
  text: { type: "string", pattern: "a|b", maxLength: 9_000 },
  any: true,
  self: { $ref: "#/properties/text" },
  map: { type: "object", propertyNames: { type: "string" } },
  count: { type: "integer", exclusiveMinimum: 0 },
  either: { anyOf: [{ type: "string" }, { type: "number" }], description: "One or the other." },
  maybe: { type: ["string", "null"] },
});

describe("A server that refuses schemas of tools", () => {
  let server: ScriptedServer;
  let model: ServerModel;

  beforeEach(async () => {
    server = await ScriptedServer.start();
    const { address: baseUrl } = server;
    model = new ServerModel(() => Promise.resolve({ baseUrl, apiKey: "k", name: "m" }));
  });
  afterEach(() => server.stop());

  /** Refuses requests whose tools look so, and answers all others. */
  const refusing = (
    wrong: (tools: string, body: object) => boolean,
    status: number,
    words: string,
  ) => {
    const answer: Answer = (response, body) => {
      const isWrong = wrong(JSON.stringify(body["tools"] ?? []), body);
      (isWrong ? refuse(status, words) : sse(delta({ content: "Yes." }, "stop")))(response, body);
    };
    server.answers = Array.from({ length: 100 }, () => answer);
  };
  const ask = (
    tools: readonly ToolDefinition[],
    more: Partial<ModelRequest> = {},
  ): Promise<ModelEvent[]> =>
    eventsOf(model, { messages: [{ role: "user", content: "Hello" }], tools, ...more });
  const offered = () => {
    const tools = (server.requests.at(-1)?.body["tools"] ?? []) as { function: { name: string } }[];
    return tools.map((one) => one.function.name);
  };
  const refused = (events: readonly ModelEvent[]) =>
    events.flatMap((one) => (one.type === "partsRefused" ? [one.leftOut] : []));

  for (const [who, wrong, status, words] of refusals) {
    it(`is sent simpler ones, in the words of ${who}`, async () => {
      refusing((tools) => wrong.test(tools), status, words);
      const events = await ask([...plain, odd]);
      assert.ok(events.some((one) => one.type === "text" && one.text === "Yes."));
      assert.deepEqual(refused(events), [[]]);
      assert.equal(server.requests.length, 2);
      assert.deepEqual(offered(), ["read", "write", "list", "odd"]);
      assert.deepEqual(refused(await ask([...plain, odd])), [], "it is known from then on");
      assert.equal(server.requests.length, 3);
    });
  }

  it("is not offered the tools that it takes in no form, which are named", async () => {
    refusing((tools) => /worst|odd/.test(tools), 400, "failed to parse grammar");
    const worst = tool("worst\u{202E}", { path: { type: "string" } });
    const events = await ask([worst, ...plain, odd]);
    assert.deepEqual(refused(events), [[], ["worst⟨U+202E⟩", "odd"]]);
    assert.deepEqual(offered(), ["read", "write", "list"]);
    const before = server.requests.length;
    assert.deepEqual(refused(await ask([worst, ...plain, odd])), []);
    assert.equal(server.requests.length, before + 1, "it is known from then on");
    refusing(() => false, 400, "");
    await ask([tool("worst", { other: { type: "string" } }), odd]);
    assert.deepEqual(offered(), ["worst"], "one that has another schema is another one");
  });

  it("is taken for one that has no tool calling, after five requests, if it takes no tool at all", async () => {
    const many = Array.from({ length: 30 }, (_, index) => tool(`t${index}`, {}));
    refusing((tools) => tools !== "[]", 400, "tools.0.function: unexpected schema");
    await assert.rejects(ask(many), { code: "toolsUnsupported" });
    assert.equal(server.requests.length, 5);
  });

  it("is taken for one that has no tool calling if it takes none of a request's, or not the one to call", async () => {
    refusing((tools) => tools.includes("path"), 400, "failed to parse grammar");
    const taken = tool("taken", {});
    for (let time = 0; time < 2; time++) {
      await assert.rejects(ask(plain), { code: "toolsUnsupported" });
      await assert.rejects(ask([...plain, taken], { forcedTool: "read" }), {
        code: "toolsUnsupported",
      });
    }
    const events = await ask([...plain, taken]);
    assert.deepEqual(refused(events), [["read", "write", "list"]]);
    assert.deepEqual(offered(), ["taken"]);
    await assert.rejects(ask(plain, { forcedTool: "read" }), { code: "toolsUnsupported" });
  });

  it("keeps its own words where the tools are not at fault", async () => {
    const words = "Tool call id must match the pattern ^[a-z]{9}$";
    refusing((_tools, body) => JSON.stringify(body).includes("Hello"), 400, words);
    await assert.rejects(ask(plain), { code: "badRequest" });
    refusing(() => true, 400, words);
    await assert.rejects(ask(plain), { code: "badRequest" });
    refusing(() => false, 400, words);
    await ask([odd]);
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /exclusiveMinimum/);
  });
});
