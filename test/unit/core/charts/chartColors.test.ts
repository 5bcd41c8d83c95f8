import assert from "node:assert/strict";
import { colorNames, colorStyles } from "../../../../src/core/charts/chartColors.js";
import { inkStyles } from "../../../../src/core/text/htmlPage.js";

type Color = readonly [red: number, green: number, blue: number];

const styles = new Map(
  [...(colorStyles() + inkStyles()).matchAll(/--([\w-]+):light-dark\((#\w{6}),(#\w{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);
const shade = (name: string, scheme: "light" | "dark"): Color => {
  const hex = styles.get(name.replace(/^var\(--|\)$/g, ""))?.[scheme] ?? assert.fail(name);
  const part = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: Color, other: Color): number {
  const [low = 0, high = 0] = [one, other]
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** How people see who lack a kind of cone: Machado, Oliveira & Fernandes (2009), at full severity. */
const sight = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052],
  deuteranopia: [0.367, 0.861, -0.228, 0.28, 0.673, 0.047, -0.012, 0.043, 0.969],
  tritanopia: [1.256, -0.077, -0.179, -0.078, 0.931, 0.148, 0.005, 0.691, 0.304],
};

function seen(color: Color, matrix: readonly number[]): number[] {
  const [red = 0, green = 0, blue = 0] = [0, 3, 6].map((row) => {
    const value = color.reduce((sum, part, at) => sum + part * (matrix[row + at] ?? 0), 0);
    return Math.min(1, Math.max(0, value));
  });
  // https://bottosson.github.io/posts/oklab/
  const [l, m, s] = [
    Math.cbrt(0.4122 * red + 0.5363 * green + 0.0514 * blue),
    Math.cbrt(0.2119 * red + 0.6807 * green + 0.1074 * blue),
    Math.cbrt(0.0883 * red + 0.2817 * green + 0.63 * blue),
  ];
  return [
    0.2105 * l + 0.7936 * m - 0.0041 * s,
    1.978 * l - 2.4286 * m + 0.4506 * s,
    0.0259 * l + 0.7828 * m - 0.8087 * s,
  ];
}

describe("the colors of charts", () => {
  for (const scheme of ["light", "dark"] as const) {
    it(`are seen on the page: ${scheme}`, () => {
      const page = shade("page", scheme);
      for (const name of colorNames("series")) {
        assert.ok(contrast(shade(name, scheme), page) >= 3, name);
      }
      for (const ink of ["text", "muted"])
        assert.ok(contrast(shade(ink, scheme), page) >= 4.5, ink);
    });

    it(`are told apart by people who see colors otherwise: ${scheme}`, () => {
      const colors = colorNames("series").map((name) => shade(name, scheme));
      for (const [kind, matrix] of Object.entries(sight)) {
        const all = colors.map((color) => seen(color, matrix));
        for (const [at, one] of all.entries()) {
          for (const other of all.slice(0, at)) {
            const distance = Math.hypot(...one.map((value, part) => value - (other[part] ?? 0)));
            assert.ok(distance > 0.07, `${kind}: ${at + 1}, ${all.indexOf(other) + 1} ${distance}`);
          }
        }
      }
    });
  }
});
