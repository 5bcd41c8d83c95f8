import assert from "node:assert/strict";
import { attackerLines } from "./attackerLines.js";
import { CommandStage } from "./commandStage.js";
import { randomLines } from "./randomLines.js";

const seeds = [31, 32, 33, 34];
const perSeed = 1_250;

describe("what an attacker writes", () => {
  for (const preset of ["safe", "all"] as const) {
    it(`is never run unasked under “${preset}”`, async () => {
      const stage = new CommandStage();
      stage.preset = preset;
      const lines = attackerLines.filter((line) => line[preset] === "asks");
      const allowed: string[] = [];
      for (const { line, class: what } of lines) {
        if ((await stage.decide(line)).type === "allow") allowed.push(`${what}: ${line}`);
      }
      assert.ok(lines.length >= 300, String(lines.length));
      assert.deepEqual(allowed, []);
    });
  }

  it("cannot get past what a person denies", async () => {
    const stage = new CommandStage();
    stage.preset = "all";
    stage.rules = { allow: [], deny: ["rm"] };
    const lines = attackerLines.filter(({ class: what }) => what === "how the shell reads it");
    const allowed: string[] = [];
    for (const { line } of lines) {
      if (/\brm\b/.test(line) && (await stage.decide(line)).type === "allow") allowed.push(line);
    }
    assert.deepEqual(allowed, []);
  });

  for (const seed of seeds) {
    it(`is never run unasked in ${perSeed} other forms, from ${seed}`, async () => {
      const stage = new CommandStage();
      const corpus = attackerLines.map(({ line }) => line);
      const allowed: string[] = [];
      for (const { line, holdsWhole } of randomLines(seed, corpus, perSeed)) {
        const { type } = await stage.decide(line);
        if (holdsWhole && type === "allow") allowed.push(line);
      }
      assert.deepEqual(allowed, []);
    });
  }
});
