/**
 * @typedef {{ name: string, unitCents: number, quantity: number }} Line
 * @typedef {{ lines: readonly Line[] }} Cart
 */

/** @returns {Cart} */
export function createCart() {
  return { lines: [] };
}

/**
 * A new cart with one more line; a line of the same name and price grows instead.
 *
 * @param {Cart} cart
 * @param {Line} line
 * @returns {Cart}
 */
export function addLine(cart, line) {
  if (!Number.isInteger(line.unitCents)) throw new RangeError("unitCents must be whole cents");
  if (!Number.isInteger(line.quantity) || line.quantity < 1) {
    throw new RangeError("quantity must be a whole number from 1 on");
  }
  const same = (other) => other.name === line.name && other.unitCents === line.unitCents;
  if (!cart.lines.some(same)) return { lines: [...cart.lines, line] };
  const grown = (other) => ({ ...other, quantity: other.quantity + line.quantity });
  return { lines: cart.lines.map((other) => (same(other) ? grown(other) : other)) };
}

/** @param {Cart} cart */
export function subtotalCents(cart) {
  return cart.lines.reduce((sum, line) => sum + line.unitCents * line.quantity, 0);
}
