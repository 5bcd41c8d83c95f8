import type { Chart } from "../../core/charts/chart.js";

/**
 * Returns where each area begins and ends at each place; the first of the legend lies at the bottom. An
 * area without a value at a place has no height there.
 */
export function stackAreas({ points, color, stack }: Chart) {
  if (color?.kind !== "category")
    return points.map((point) => ({ ...point, from: 0, to: point.y }));
  const sizes = new Map<number | string, Map<string, number>>();
  for (const { x, y, color: name } of points) {
    const there = sizes.get(x) ?? new Map<string, number>();
    sizes.set(x, there.set(String(name), Number(y)));
  }
  return [...sizes].flatMap(([x, there]) => {
    const total = [...there.values()].reduce((sum, size) => sum + size, 0);
    const whole = stack === "share" ? total || 1 : 1;
    let to = 0;
    return color.values.map((name) => {
      const from = to;
      to += (there.get(name) ?? 0) / whole;
      return { x, color: name, from, to };
    });
  });
}
