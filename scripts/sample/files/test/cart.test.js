import assert from "node:assert/strict";
import { test } from "node:test";
import { addLine, createCart, subtotalCents } from "../src/cart.js";

const mug = { name: "Blue mug", unitCents: 1250, quantity: 2 };

test("an empty cart costs nothing", () => {
  assert.equal(subtotalCents(createCart()), 0);
});

test("the subtotal counts quantities", () => {
  const cart = addLine(addLine(createCart(), mug), { name: "Tray", unitCents: 990, quantity: 1 });
  assert.equal(subtotalCents(cart), 3490);
});

test("the same article at the same price becomes one line", () => {
  const cart = addLine(addLine(createCart(), mug), mug);
  assert.deepEqual(cart.lines, [{ ...mug, quantity: 4 }]);
});

test("fractions of a cent are refused", () => {
  assert.throws(() => addLine(createCart(), { ...mug, unitCents: 12.5 }), RangeError);
});
