import assert from "node:assert/strict";
import { wordsIn } from "../../../../src/node/model/readableRefusals.js";

describe("the words of a refusal", () => {
  const said: readonly (readonly [string, unknown, string])[] = [
    ["OpenAI's form", { error: { message: "No.", type: "a", code: "b" } }, "No."],
    [
      "a text as the error, as Ollama's older servers",
      { error: "No such model." },
      "No such model.",
    ],
    ["a list, as Gemini's", [{ error: { code: 400, message: "No." } }], "No."],
    [
      "a message at the top, as vLLM's",
      { object: "error", message: "Too long.", code: 400 },
      "Too long.",
    ],
    ["a detail, as FastAPI's", { detail: "Not authenticated" }, "Not authenticated"],
    [
      "several details, as FastAPI's for a body that does not fit",
      { detail: [{ loc: ["body", 1], msg: "Field required" }, { msg: "Extra inputs" }] },
      "Field required; Extra inputs",
    ],
    [
      "the words of the server behind a gateway, as OpenRouter's",
      {
        error: {
          message: "Provider returned error",
          metadata: { raw: '{"error":{"message":"The region is not served."}}' },
        },
      },
      "Provider returned error: The region is not served.",
    ],
    ["a list of errors, as Cloudflare's", { success: false, errors: [{ message: "No." }] }, "No."],
  ];
  for (const [form, body, words] of said) {
    it(`are found in ${form}`, () => {
      assert.equal(wordsIn(body)?.message, words);
    });
  }

  it("are none in a body that says nothing, or hides it deeper than anybody does", () => {
    let deep: unknown = "deep";
    for (let depth = 0; depth < 100; depth++) deep = { error: deep };
    for (const body of [undefined, null, 4, {}, [], { error: {} }, { error: " " }, deep]) {
      assert.equal(wordsIn(body), undefined);
    }
  });

  it("keep the code and type that stand beside them", () => {
    const body = { error: { message: "No.", code: "insufficient_quota", type: "quota" } };
    assert.deepEqual(wordsIn(body), { message: "No.", code: "insufficient_quota", type: "quota" });
  });
});
