import { subtotalCents } from "./cart.js";
import { percentOf } from "./discount.js";
import { slugify } from "./slug.js";

/**
 * @param {import("./cart.js").Cart} cart
 * @param {{ number: number, customer: string, discountPercent?: number, taxPercent?: number }} options
 */
export function createInvoice(cart, { number, customer, discountPercent = 0, taxPercent = 19 }) {
  if (cart.lines.length === 0) throw new RangeError("an invoice needs at least one line");
  const subtotal = subtotalCents(cart);
  const discount = percentOf(subtotal, discountPercent);
  const tax = percentOf(subtotal, taxPercent);
  return {
    number,
    customer,
    lines: cart.lines,
    subtotalCents: subtotal,
    discountCents: discount,
    taxCents: tax,
    totalCents: subtotal - discount + tax,
    fileName: `${String(number).padStart(4, "0")}-${slugify(customer)}.json`,
  };
}
