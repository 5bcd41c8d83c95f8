import assert from "node:assert/strict";
import { InputHistory, withInput } from "../../../src/webview/composer/inputHistory.js";

describe("the history of inputs", () => {
  it("keeps each text once, the newest last, and not without end", () => {
    assert.deepEqual(withInput(["a", "b"], " a "), ["b", "a"]);
    assert.deepEqual(withInput(["a"], " "), ["a"]);
    assert.deepEqual(withInput(["a"], "x".repeat(10_001)), ["a"]);
    const many = Array.from({ length: 150 }, (_, index) => String(index)).reduce<readonly string[]>(
      withInput,
      [],
    );
    assert.deepEqual([many.length, many[0], many.at(-1)], [100, "50", "149"]);
  });

  it("goes back and forth, and comes back to what was typed before", () => {
    const history = new InputHistory(() => ["first", "second"]);
    assert.equal(history.move(-1, "draft"), undefined);
    assert.equal(history.move(1, "draft"), "second");
    assert.equal(history.move(1, "second"), "first");
    assert.equal(history.move(1, "first"), undefined);
    assert.equal(history.move(-1, "first"), "second");
    assert.equal(history.move(-1, "second"), "draft");
    history.move(1, "draft");
    history.reset();
    assert.equal(history.move(1, "other"), "second");
    assert.equal(history.move(-1, "second"), "other");
  });
});
