import assert from "node:assert/strict";
import { test } from "node:test";
import { couponPercent, percentOf } from "../src/discount.js";

test("percentages are rounded to whole cents", () => {
  assert.equal(percentOf(999, 10), 100);
  assert.equal(percentOf(0, 19), 0);
});

test("coupons are found whatever their case", () => {
  assert.equal(couponPercent(" spring10 "), 10);
  assert.equal(couponPercent("NOPE"), 0);
});
