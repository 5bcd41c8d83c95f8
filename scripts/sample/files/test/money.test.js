import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMoney } from "../src/money.js";
import { slugify } from "../src/slug.js";

test("amounts have two decimals and grouped thousands", () => {
  assert.equal(formatMoney(123456789), "€1,234,567.89");
  assert.equal(formatMoney(-5, "USD"), "-$0.05");
});

test("slugs keep letters without their accents", () => {
  assert.equal(slugify("  Crème Brûlée, 2 pots! "), "creme-brulee-2-pots");
});
