import assert from "node:assert/strict";
import { test } from "node:test";
import { addLine, createCart } from "../src/cart.js";
import { createInvoice } from "../src/invoice.js";

const cart = addLine(createCart(), { name: "Desk lamp", unitCents: 10000, quantity: 1 });

test("tax is added to the subtotal", () => {
  const invoice = createInvoice(cart, { number: 1, customer: "Ada Crane" });
  assert.equal(invoice.taxCents, 1900);
  assert.equal(invoice.totalCents, 11900);
});

test("tax is charged on what remains after the discount", () => {
  const invoice = createInvoice(cart, { number: 2, customer: "Ada Crane", discountPercent: 10 });
  assert.equal(invoice.discountCents, 1000);
  assert.equal(invoice.taxCents, 1710);
  assert.equal(invoice.totalCents, 10710);
});

test("the file name holds number and customer", () => {
  const invoice = createInvoice(cart, { number: 17, customer: "Zoë & Söhne" });
  assert.equal(invoice.fileName, "0017-zoe-sohne.json");
});

test("an empty cart cannot be invoiced", () => {
  assert.throws(() => createInvoice(createCart(), { number: 3, customer: "Ada" }), RangeError);
});
