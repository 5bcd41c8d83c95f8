/** Returns a round bin width that makes about ten to twenty bins; 1 if the values do not differ. */
export function binStep(values: readonly number[]): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const range = most - least;
  if (!(range > 0)) return 1;
  const exact = range / 15;
  const power = 10 ** Math.floor(Math.log10(exact));
  const step = [1, 2, 5, 10].find((one) => one * power >= exact * 0.75) ?? 10;
  return round(step * power);
}

/** Returns the lower bound of the bin that contains a value. */
export function binOf(value: number, step: number): number {
  return round(Math.floor(round(value / step)) * step);
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
