import { type Shades, shadesStyle } from "../text/htmlPage.js";

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

/** Returns the colors of a palette as CSS variables, which {@link colorStyles} defines. */
export function colorNames(palette: Palette): string[] {
  return palettes[palette].map((_, at) => `var(--${palette}-${at + 1})`);
}

/** Returns the CSS declarations of the palettes' color variables, with their light and dark values. */
export function colorStyles(): string {
  return Object.entries(palettes)
    .flatMap(([name, shades]) => shades.map((one, at) => shadesStyle(`${name}-${at + 1}`, one)))
    .join("");
}
