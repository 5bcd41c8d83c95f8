const coupons = new Map([
  ["WELCOME5", 5],
  ["SPRING10", 10],
  ["STAFF25", 25],
]);

/**
 * A percentage of an amount, rounded half up to whole cents.
 *
 * @param {number} cents
 * @param {number} percent
 */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}

/**
 * The discount that a coupon gives; 0 for one that we do not know.
 *
 * @param {string} code
 */
export function couponPercent(code) {
  return coupons.get(code.trim().toUpperCase()) ?? 0;
}
