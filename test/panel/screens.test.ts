import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { axeViolations, colorRules } from "./axeViolations.js";
import { PanelHost } from "./panelHost.js";
import { panelScreens } from "./panelScreens.js";
import { dark, highContrast, highContrastLight, light } from "./themes.js";

const root = join(import.meta.dirname, "..", "..", "..");
/** The pictures that were looked at; `UPDATE_SCREENS=1` takes new ones. */
const kept = join(root, "test", "panel", "screens");
/** Where a picture that differs is written, with another one of the places that do. */
const written = join(root, "out", "screenshots");
const widths = [300, 480, 900];
const height = 800;
/**
 * How much of a picture may differ: letters and lines are smoothed a little otherwise by each version of Chromium. A
 * button that is gone or a line that wraps is more.
 */
const tolerance = 0.005;

const themes = { dark, light, highContrast, highContrastLight };

describe("the panel's screens", () => {
  let browser: Browser;
  before(async () => {
    browser = await PanelHost.launchBrowser();
  });
  after(async () => {
    await browser.close();
  });

  for (const [themeName, theme] of Object.entries(themes)) {
    it(`are as they were, and axe has nothing to object to: ${themeName}`, async () => {
      const host = await PanelHost.open(browser, { theme, height: 3_000, still: true });
      try {
        await host.load();
        await host.useOwnFonts();
        const differing: string[] = [];
        for (const [name, show] of Object.entries(panelScreens)) {
          await show(host);
          await host.drawn();
          await host.page.setViewportSize({ width: 420, height: 3_000 });
          await host.drawn();
          // Only colors differ from theme to theme.
          const rules = theme === dark ? undefined : colorRules;
          assert.deepEqual(await axeViolations(host.page, rules), [], name);
          for (const width of widths) {
            await host.page.setViewportSize({ width, height });
            await host.drawn();
            const picture = `${name}-${themeName}-${width}`;
            const part = await differingPart(host, picture);
            if (part > tolerance) differing.push(`${picture}: ${(part * 100).toFixed(2)} %`);
          }
        }
        assert.deepEqual(differing, [], `see ${written}; UPDATE_SCREENS=1 takes the new pictures`);
      } finally {
        await host.close();
      }
    });
  }
});

/**
 * Takes a picture, and compares it with the kept one.
 *
 * @returns the part of its points that differ, 0 to 1; 1 if there is none, or if it has another size
 */
async function differingPart({ page }: PanelHost, name: string): Promise<number> {
  const bytes = await page.screenshot({ animations: "disabled", caret: "hide" });
  const path = join(kept, `${name}.png`);
  if (process.env["UPDATE_SCREENS"] === "1") {
    await mkdir(kept, { recursive: true });
    await writeFile(path, bytes);
    return 0;
  }
  await mkdir(written, { recursive: true });
  const now = PNG.sync.read(bytes);
  const before = existsSync(path) ? PNG.sync.read(await readFile(path)) : undefined;
  if (before?.width !== now.width || before.height !== now.height) {
    await writeFile(join(written, `${name}.png`), bytes);
    return 1;
  }
  const difference = new PNG({ width: now.width, height: now.height });
  const points = pixelmatch(before.data, now.data, difference.data, now.width, now.height);
  const part = points / (now.width * now.height);
  if (part > tolerance) {
    await writeFile(join(written, `${name}.png`), bytes);
    await writeFile(join(written, `${name}.difference.png`), PNG.sync.write(difference));
  }
  return part;
}
