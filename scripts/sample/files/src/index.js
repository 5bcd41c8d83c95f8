export { addLine, createCart, subtotalCents } from "./cart.js";
export { couponPercent, percentOf } from "./discount.js";
export { createInvoice } from "./invoice.js";
export { formatMoney } from "./money.js";
export { slugify } from "./slug.js";
