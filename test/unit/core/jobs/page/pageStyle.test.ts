import assert from "node:assert/strict";
import { pageStyle } from "../../../../../src/core/jobs/page/pageStyle.js";
import { inkStyles } from "../../../../../src/core/text/htmlPage.js";

const shades = new Map(
  [...(inkStyles() + pageStyle()).matchAll(/--([\w-]+):light-dark\((#\w{6}),(#\w{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the colors of job pages", () => {
  for (const scheme of ["light", "dark"] as const) {
    const contrast = (one: string, other: string) => {
      const [low = 0, high = 0] = [one, other]
        .map((name) => luminance(shades.get(name)?.[scheme] ?? assert.fail(name)))
        .sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };

    it(`are seen on the page: ${scheme}`, () => {
      for (const look of ["done", "failed", "part", "work", "plan", "none"]) {
        assert.ok(contrast(look, "page") >= 3, `${look} ${contrast(look, "page")}`);
      }
      for (const ink of ["text", "muted"]) assert.ok(contrast(ink, "card") >= 4.5, ink);
    });
  }
});
