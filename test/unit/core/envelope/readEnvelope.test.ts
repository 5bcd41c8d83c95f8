import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kindsOf, type PlanStep } from "../../../../src/core/envelope/envelope.js";
import { readEnvelope } from "../../../../src/core/envelope/readEnvelope.js";
import { rules } from "../../../../src/core/envelope/rules.js";
import { spoken } from "../../../../src/core/text/words.js";

/** One line of the file: what a model might send, and the rules that it breaks. */
interface Case {
  readonly about: string;
  /** The plan that is kept. */
  readonly previous?: readonly PlanStep[];
  /** The text itself, or what its JSON says. */
  readonly reply: unknown;
  readonly rules: readonly string[];
}

const path = join(import.meta.dirname, "../../../../../test/fixtures/envelopes.jsonl");
const cases = readFileSync(path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

const readCase = ({ reply, previous }: Case) =>
  readEnvelope(typeof reply === "string" ? reply : JSON.stringify(reply), previous);
const problemsOf = (one: Case) => {
  const read = readCase(one);
  return read.ok ? [] : read.problems;
};

describe("envelopes", () => {
  it("break the rules that they break, and no other", () => {
    for (const one of cases) {
      const broken = problemsOf(one).map(({ rule }) => rule);
      assert.deepEqual(broken.sort(), one.rules, one.about);
    }
  });

  it("are enough: every rule is broken, and many envelopes are sound", () => {
    assert.ok(cases.length >= 120, String(cases.length));
    assert.ok(cases.filter((one) => one.rules.length === 0).length >= 40);
    const broken = new Set(cases.flatMap((one) => one.rules));
    assert.deepEqual(
      rules.filter((rule) => !broken.has(rule)),
      [],
    );
  });

  /** Holds the file's cases of one requirement against what is told of them. */
  function told(requirement: string): void {
    const broken = cases.filter((one) => one.rules.some((rule) => rule.startsWith(requirement)));
    assert.ok(broken.length > 0);
    for (const one of broken) {
      const problems = problemsOf(one);
      assert.deepEqual(problems.map(({ rule }) => rule).sort(), one.rules, one.about);
      for (const { message } of problems) assert.match(spoken(message), /^\S.{8,}[^.\s]$/s);
    }
  }

  /** Returns the sound envelope that the file has about something. */
  function sound(about: string) {
    const found = cases.find((one) => one.about === about);
    const read = found === undefined ? undefined : readCase(found);
    assert.ok(read?.ok, about);
    return read;
  }

  it("[R-ENV-1] are one object with a message, and nothing that the protocol does not know", () => {
    told("R-ENV-1/");
  });
  it("[R-ENV-2] plan one to three steps, each with a number, a title and a status", () => {
    told("R-ENV-2/");
    const step = (status: string) => ({ step: "1", title: "Look", status });
    const command = { read: { path: "a" } };
    const reply = { message: "m", plan: [step("running"), step("running")], command };
    const problems = problemsOf({ about: "", reply, rules: [] });
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ["R-ENV-5/two-running"],
    );
  });
  it("[R-ENV-3] name one tool in a command", () => {
    told("R-ENV-3/");
    const { command } = sound("browse with a shell").envelope;
    assert.deepEqual(command && kindsOf(command), ["browse"], "one tool, though it has a shell");
  });
  it("[R-ENV-4] bring plan and command together only where they belong together", () => {
    told("R-ENV-4/");
  });
  it("[R-ENV-5] are in no state that there is none", () => {
    told("R-ENV-5/");
  });
  it("[R-ENV-6] have payloads of their tool's form, counts from 1 and offsets from 0", () => {
    told("R-ENV-6/");
  });
  it("[R-ENV-10] browse web addresses, one at a time", () => {
    told("R-ENV-10/");
    for (const about of ["without a shell", "with a shell", "without a folder"]) {
      const { command } = sound(`browse ${about}`).envelope;
      assert.deepEqual(command && kindsOf(command), ["browse"], about);
    }
  });
  it("[R-ENV-12] edit pieces that do not overlap", () => {
    told("R-ENV-12/");
  });
  it("[R-ENV-13] replace a text or an expression", () => {
    told("R-ENV-13/");
  });
  it("[R-ENV-17] are named where they are broken, also in a fence: no part is taken for the whole", () => {
    const plan = '"plan": [{"step": "1", "title": "Look", "status": "running"}]';
    const problems = (reply: string) => {
      const read = readEnvelope(reply);
      return read.ok ? [] : read.problems.map(({ rule, message }) => `${rule} ${spoken(message)}`);
    };
    assert.deepEqual(problems(`Sure {a}:\n\`\`\`json\n{"message": "a", ${plan},}\n\`\`\`\nDone.`), [
      "R-ENV-17/not-json is not JSON (line 3, column 80); send one JSON object and nothing else",
    ]);
    assert.deepEqual(problems(`Sure: {"message": "a "b"", ${plan}}`), [
      "R-ENV-17/not-json is not JSON (column 23); send one JSON object and nothing else",
    ]);
    assert.deepEqual(problems(`No: {"message": a}\nYes: {"message": "a"}`), []);
  });

  it("[R-ENV-17] are found in fences and prose, and not made up of what is broken", () => {
    told("R-ENV-17/");
    for (const about of [
      "in a fence",
      "in a fence without a language",
      "in a fence, in prose",
      "in prose",
      "before prose",
      "behind braces that are no JSON",
      "beside another object that is none",
    ]) {
      assert.equal(sound(about).recovered, true, about);
    }
    for (const about of ["behind thoughts", "with a fence within its message"]) {
      assert.equal(sound(about).recovered, false, about);
    }
  });
});
