/** @typedef {import("./row.mjs").Row} Row */

/**
 * A measurement's rows for people.
 *
 * @param {string} title
 * @param {readonly Row[]} rows
 */
export function section(title, rows) {
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, value, unit, goal, ok, lacks }) => {
    if (value === null) return `  ${name.padEnd(width)} not measured: ${lacks ?? ""}`;
    const verdict = ok === null ? "" : `${ok ? "ok    " : "MISSED"} (at most ${number(goal)})`;
    const shown = `${number(value).padStart(9)} ${unit.padEnd(6)}`;
    return `  ${name.padEnd(width)} ${shown} ${verdict}`.trimEnd();
  });
  return `${title}\n${lines.join("\n")}\n`;
}

/** @param {number | null} value */
function number(value) {
  return (value ?? 0).toLocaleString("en", { maximumFractionDigits: 3 });
}
