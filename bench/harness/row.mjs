/**
 * @typedef {object} Row One number.
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number | null} goal The most that it may be; none: it is there to compare with.
 * @property {boolean | null} ok
 */

/**
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 * @param {number | null} [goal]
 * @returns {Row}
 */
export function row(name, value, unit, goal = null) {
  // Four digits are more than any of these measurements is worth, and keep the file readable.
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(4));
  return { name, value: shown, unit, goal, ok: goal === null ? null : value <= goal };
}
