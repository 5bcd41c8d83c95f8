/**
 * @typedef {object} Row One number.
 * @property {string} name
 * @property {number | null} value None: it was not measured.
 * @property {string} unit
 * @property {number | null} goal The most that it may be; none: it is there to compare with.
 * @property {boolean | null} ok
 * @property {string} [lacks] What is missing here for measuring it.
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

/**
 * The row of something that cannot be measured here.
 *
 * @param {string} name
 * @param {string} lacks What is missing, in a person's words.
 * @returns {Row}
 */
export function notMeasured(name, lacks) {
  return { name, value: null, unit: "", goal: null, ok: null, lacks };
}
