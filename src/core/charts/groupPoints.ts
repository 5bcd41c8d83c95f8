import type { Aggregate } from "./chartRequest.js";

/** The values of a row by channel; `undefined` where a channel has none. */
export type ChartRow = Readonly<Partial<Record<ChannelName, number | string>>>;
export type ChannelName = "x" | "y" | "color";

/**
 * Merges rows that agree in every channel except the measured one, whose values are aggregated. The
 * merged rows are in the order in which they first appear.
 */
export function groupPoints(
  rows: readonly ChartRow[],
  measured: ChannelName,
  aggregate: Aggregate,
): ChartRow[] {
  const groups = new Map<string, { first: ChartRow; values: number[] }>();
  for (const row of rows) {
    const key = keyOf(row, measured);
    const group = groups.get(key) ?? { first: row, values: [] };
    groups.set(key, group);
    const value = row[measured];
    group.values.push(typeof value === "number" ? value : 1);
  }
  return [...groups.values()].map(({ first, values }) => ({
    ...first,
    [measured]: aggregated(values, aggregate),
  }));
}

/**
 * Returns a key of all values of a row except the measured one: rows with the same key lie at the
 * same place.
 */
export function keyOf(row: ChartRow, measured: ChannelName): string {
  const others = (["x", "y", "color"] as const).filter((name) => name !== measured);
  return JSON.stringify(others.map((name) => row[name] ?? null));
}

function aggregated(values: readonly number[], aggregate: Aggregate): number {
  switch (aggregate) {
    case "count":
      return values.length;
    case "sum":
      return sum(values);
    case "mean":
      return sum(values) / values.length;
    case "median": {
      const sorted = [...values].sort((a, b) => a - b);
      const [low = 0, high = low] = [
        sorted[Math.floor((sorted.length - 1) / 2)],
        sorted[Math.ceil((sorted.length - 1) / 2)],
      ];
      return (low + high) / 2;
    }
    case "min":
      return values.reduce((least, value) => Math.min(least, value));
    case "max":
      return values.reduce((most, value) => Math.max(most, value));
  }
}

/** Returns the sum without the last digits that binary fractions leave: 0.1 + 0.2 is 0.3. */
function sum(values: readonly number[]): number {
  const whole = values.reduce((total, value) => total + value, 0);
  return Number(whole.toPrecision(15));
}
