/** @typedef {import("./readResult.mjs").Kills} Kills */

/**
 * Returns a line for each kind of what was killed, and one for all of them.
 *
 * @param {readonly Kills[]} all
 */
export function killTable(all) {
  /** @type {Map<string, Kills>} */
  const sums = new Map();
  for (const one of all) {
    for (const of of [one.of, "all"]) {
      const sum = sums.get(of) ?? { of, kills: 0, lost: 0, twice: 0, locked: 0 };
      sum.kills += one.kills;
      sum.lost += one.lost;
      sum.twice += one.twice;
      sum.locked += one.locked;
      sums.set(of, sum);
    }
  }
  const kinds = [...sums.values()].sort((a, b) => Number(a.of === "all") - Number(b.of === "all"));
  const rows = [
    ["killed", "times", "lost", "twice", "left locked"],
    ...kinds.map(({ of, kills, lost, twice, locked }) => [of, kills, lost, twice, locked]),
  ];
  return rows
    .map((row) =>
      row
        .map((cell) => String(cell).padEnd(12))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}
