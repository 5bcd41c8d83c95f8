import assert from "node:assert/strict";
import fc from "fast-check";
import { ActivityLog } from "../../../../src/core/activity/activityLog.js";
import { activityLogPath } from "../../../../src/core/activity/activityLogPath.js";
import { ModelError } from "../../../../src/core/errors.js";
import { RedactedModel } from "../../../../src/core/models/redactedModel.js";
import { redactionMark, Redactor } from "../../../../src/core/text/redactor.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { ScriptedModel } from "../../../fakes/scriptedModel.js";

const key = "sk-live-0123456789";

function knowing(...keys: (string | undefined)[]): Redactor {
  const redactor = new Redactor();
  redactor.learn(...keys);
  return redactor;
}

/** Returns what comes out of a text that comes in these pieces, piece by piece. */
function streamed(redactor: Redactor, pieces: readonly string[]): string[] {
  const stream = redactor.stream();
  return [...pieces.map((piece) => stream.add(piece)), stream.finish()];
}

describe("redaction of the keys in use", () => {
  it("takes each key out, however it is written, and knows replaced ones still", () => {
    const redactor = knowing(key, ' quo"te\\d/key ');
    redactor.learn("another-key-2");
    assert.equal(
      redactor.text(`${key}, ${key}; another-key-2`),
      `${redactionMark}, ${redactionMark}; ${redactionMark}`,
    );
    for (const text of [
      'quo"te\\d/key',
      JSON.stringify('quo"te\\d/key').slice(1, -1),
      "quo%22te%5Cd%2Fkey",
    ]) {
      assert.equal(redactor.text(`a ${text} b`), `a ${redactionMark} b`);
    }
  });

  it("leaves texts alone where what is set is no key", () => {
    const given = ["", undefined, "none", "ollama", "lm-studio", "not-needed", "abc123", "EMPTY"];
    const text = given.join(" ");
    assert.equal(knowing(...given).text(text), text);
    assert.equal(knowing("onlylettersbutverylong").text("onlylettersbutverylong"), redactionMark);
  });

  it("goes through plain data, and changes nothing else", () => {
    const call = (): void => undefined;
    const bytes = new Uint8Array([1]);
    const value = { a: [key, 1, null], b: { c: `x${key}` }, call, bytes };
    const clean = knowing(key).each(value);
    assert.deepEqual(clean.a, [redactionMark, 1, null]);
    assert.deepEqual(clean.b, { c: `x${redactionMark}` });
    assert.equal(clean.call, call);
    assert.equal(clean.bytes, bytes);
    assert.equal(value.a[0], key, "what was given is as it was");
  });

  it("finds a key that is split between pieces, and holds nothing else back", () => {
    const redactor = knowing(key);
    assert.deepEqual(streamed(redactor, ["the key: sk-li", "ve-0123456789\n"]), [
      "the key: ",
      `${redactionMark}\n`,
      "",
    ]);
    assert.deepEqual(streamed(redactor, ["ask", "-me"]), ["a", "sk-me", ""]);
    assert.deepEqual(streamed(redactor, ["ends with sk-live"]), ["ends with ", "sk-live"]);
  });

  it("tells the longer of two keys that begin alike", () => {
    const redactor = knowing(key, `${key}-long`);
    assert.deepEqual(streamed(redactor, [key, "-lo", "ng"]).join(""), redactionMark);
    assert.deepEqual(streamed(redactor, [key, "-la"]).join(""), `${redactionMark}-la`);
  });

  it("gives the same for a text in any pieces as for the whole", () => {
    const some = fc.constantFrom(key, "sk-", "sk-live-", "012345", "x", "aabaabaab", "aab", "\n");
    fc.assert(
      fc.property(fc.array(some), fc.array(fc.nat(12)), (parts, cuts) => {
        const redactor = knowing(key, "aabaabaab1");
        const text = parts.join("");
        const pieces: string[] = [];
        let at = 0;
        for (const length of cuts) {
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        pieces.push(text.slice(at));
        assert.equal(streamed(redactor, pieces).join(""), redactor.text(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("is done to a model's errors and to the activity log", async () => {
    const error = new ModelError("badRequest", "Refused: {reason}", { reason: key });
    const model = new RedactedModel(new ScriptedModel([{ error }]), knowing(key));
    const { signal } = new AbortController();
    const answer = model.respond({ messages: [], tools: [] }, signal);
    await assert.rejects(answer.next(), {
      message: `Refused: ${redactionMark}`,
      params: { reason: redactionMark },
    });
    const files = new MemoryFileSystem();
    const log = new ActivityLog(files, new ManualClock(), assert.ifError, knowing(key));
    await log.record({ type: "SYSTEM_HALT", details: { why: key } });
    const text = files.text(activityLogPath) ?? "";
    assert.ok(text.includes(redactionMark) && !text.includes(key), text);
  });
});
