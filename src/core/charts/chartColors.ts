/** A color for a light background, and its counterpart for a dark one. */
type Shades = readonly [light: string, dark: string];

/**
 * The colors of series. Each has a contrast of 3 with the page, and they can be told apart by
 * people who do not see red, green or blue as others do.
 */
const series: readonly Shades[] = [
  ["#1f6fb4", "#5db4f0"],
  ["#eb617a", "#f39f9a"],
  ["#2c5e16", "#7eb520"],
  ["#937b2c", "#a95b18"],
  ["#9678fb", "#5c6aed"],
  ["#a13977", "#cb46a9"],
  ["#4e149a", "#e3e50a"],
  ["#532c43", "#73f7d7"],
];

/** Sequential colors, from low to high values. */
const ramp: readonly Shades[] = [
  ["#dfebf7", "#1d3550"],
  ["#bdd7ee", "#23507c"],
  ["#92bfe3", "#2f6ca6"],
  ["#62a3d4", "#4389c6"],
  ["#3a84c0", "#68a8de"],
  ["#1c64a5", "#97c7ee"],
  ["#0a437c", "#cfe6fa"],
];

/** Diverging colors, from far below zero to far above it. */
const balance: readonly Shades[] = [
  ["#a84a00", "#ffb672"],
  ["#dc8637", "#cf8135"],
  ["#f8cd9c", "#7d4b1b"],
  ["#efefef", "#3b3b3b"],
  ["#b5d3ec", "#28527c"],
  ["#5b9bd3", "#4389c6"],
  ["#1c5f9f", "#9dccf2"],
];

const palettes = { series, ramp, balance };
type Palette = keyof typeof palettes;

/** The page's other colors as CSS variables, by what is drawn with them. */
export const inks = {
  text: "var(--text)",
  muted: "var(--muted)",
  grid: "var(--grid)",
  page: "var(--page)",
};
const inkShades: Record<keyof typeof inks, Shades> = {
  text: ["#1f1f1f", "#e8e8e8"],
  muted: ["#5c5c5c", "#a8a8a8"],
  grid: ["#e3e3e3", "#3a3a3a"],
  page: ["#ffffff", "#1b1b1b"],
};

/** Returns the colors of a palette as CSS variables, which {@link colorStyles} defines. */
export function colorNames(palette: Palette): string[] {
  return palettes[palette].map((_, at) => `var(--${palette}-${at + 1})`);
}

/** Returns the CSS declarations of all color variables, with their light and dark values. */
export function colorStyles(): string {
  const declared = (name: string, [light, dark]: Shades) =>
    `--${name}:light-dark(${light},${dark});`;
  return [
    ...Object.entries(inkShades).map(([name, shades]) => declared(name, shades)),
    ...Object.entries(palettes).flatMap(([name, shades]) =>
      shades.map((one, at) => declared(`${name}-${at + 1}`, one)),
    ),
  ].join("");
}
