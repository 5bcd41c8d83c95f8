import assert from "node:assert/strict";
import { randomFrom } from "../../../fakes/randomFrom.js";
import { tries } from "../../../fakes/tries.js";
import { CommandStage } from "./commandStage.js";
import { disguise } from "./disguises.js";

const tried = tries(12_500);

/** Defines a test with dangerous commands in random disguises. */
export function nothingRunsUnasked(seed: number): void {
  it(`is never run unasked under “safe”, in ${tried} disguises from ${seed}`, async () => {
    const stage = new CommandStage();
    const random = randomFrom(seed);
    const allowed = new Set<string>();
    let understood = 0;
    for (let index = 0; index < tried && allowed.size < 20; index++) {
      const line = disguise(random);
      const review = await stage.review(line);
      if (review.facts.commands.length > 0) understood++;
      if (stage.decisionOf(line, review).type === "allow") allowed.add(line);
    }
    assert.deepEqual([...allowed], []);
    // Lines that are no shell at all would prove nothing.
    assert.ok(understood > tried * 0.8, `only ${understood} of ${tried} were understood`);
  });
}
