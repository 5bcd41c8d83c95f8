import assert from "node:assert/strict";
import fc from "fast-check";
import { parseLooseJson } from "../../../../src/core/documents/looseJson.js";
import { tries } from "../../../fakes/tries.js";

const value = { status: "Done", paths: ["a.md"] };
const json = JSON.stringify(value);

describe("loose JSON", () => {
  it("[R-ROO-32] recovers what weak models write, where the meaning is certain", () => {
    const texts = [
      json,
      `\`\`\`json\n${json}\n\`\`\``,
      `Here is my report:\n\n${json}\n\nThank you!`,
      `<think>Should I say {"status": "Failed"}?</think>\n${json}`,
      `{"status": "Done", "paths": ["a.md",],}`,
      `{'status': 'Done', 'paths': ['a.md']}`,
      `{status: "Done", /* all of it */ paths: ["a.md"]}`,
      `First draft:\n\`\`\`json\n{"status": "Failed"}\n\`\`\`\nFinal:\n\`\`\`json\n${json}\n\`\`\``,
    ];
    for (const text of texts) {
      assert.deepEqual(parseLooseJson(text), { ok: true, value }, text);
    }
  });

  it("makes nothing up: a missing end, two objects, an object inside a broken one", () => {
    const texts = [
      json.slice(0, -1),
      json.slice(0, -5),
      `${json} ${json}`,
      `{"content": "broken\n\`\`\`json\n{"status": "Done"}\n\`\`\`\n"}`,
      "Done!",
      "",
    ];
    for (const text of texts) assert.equal(parseLooseJson(text).ok, false, text);
  });

  it("never recovers something else from JSON that was cut", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
        const text = JSON.stringify(object);
        const kept = text.slice(0, cut % text.length);
        assert.equal(parseLooseJson(kept).ok, false, kept);
      }),
      { numRuns: tries(2000) },
    );
  });
});
