import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spoken } from "../../../../src/core/text/words.js";
import { CommandStage } from "./commandStage.js";

interface Case {
  /** `disguised` commands are dangerous ones that look like others. */
  readonly kind: "harmless" | "dangerous" | "disguised";
  readonly expect: "runs" | "asks";
  readonly line: string;
}

const path = join(import.meta.dirname, "../../../../../test/unit/core/commands/cases.jsonl");
const cases = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

describe("commands under the preset “safe”", () => {
  it("never run unasked when they are dangerous", async () => {
    const bad = cases.filter(({ kind }) => kind !== "harmless");
    assert.ok(bad.length > 400);
    const stage = new CommandStage();
    const allowed: string[] = [];
    for (const { line } of bad) {
      if ((await stage.decide(line)).type === "allow") allowed.push(line);
    }
    assert.deepEqual(allowed, []);
  });

  it("run unasked when they are harmless, but for those that nobody can be sure of", async () => {
    const harmless = cases.filter(({ kind }) => kind === "harmless");
    const stage = new CommandStage(false);
    const otherwise: string[] = [];
    for (const { line, expect } of harmless) {
      const { type, why } = await stage.decide(line);
      if (type !== (expect === "runs" ? "allow" : "ask"))
        otherwise.push(`${line}: ${type}, ${spoken(why)}`);
    }
    assert.deepEqual(otherwise, []);
    const asked = harmless.filter(({ expect }) => expect === "asks").length;
    const share = asked / harmless.length;
    const percent = (share * 100).toFixed(1);
    process.stdout.write(
      `  ${cases.length} commands; of ${harmless.length} harmless ones ${percent} % are asked about\n`,
    );
    assert.ok(share < 0.2, `${asked} of ${harmless.length} harmless commands are asked about`);
  });
});
