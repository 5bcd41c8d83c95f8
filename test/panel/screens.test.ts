import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { axeViolations, colorRules } from "./axeViolations.js";
import { panelBrowser } from "./panelBrowser.js";
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

/**
 * Returns the widths at which a screen is held against its picture. Themes differ in colors and frames only: each screen is
 * seen at every width in the dark theme, and at each width in one of the others, in turn.
 */
function widthsIn(theme: string, screen: number): readonly number[] {
  const others = Object.keys(themes).filter((name) => name !== "dark");
  return theme === "dark"
    ? widths
    : widths.filter((_width, index) => others[(screen + index) % others.length] === theme);
}

describe("the panel's screens", () => {
  let host: PanelHost;
  before(async () => {
    host = await PanelHost.open(await panelBrowser(), { height: 3_000, still: true });
    await host.load();
    await host.useOwnFonts();
  });
  after(async () => {
    await host.close();
  });

  it("are as they were, and axe has nothing to object to, in any theme", async () => {
    const violations: string[] = [];
    const differing: string[] = [];
    const compared: string[] = [];
    for (const [index, [name, show]] of Object.entries(panelScreens).entries()) {
      await host.page.setViewportSize({ width: 420, height: 3_000 });
      await show(host);
      for (const [themeName, theme] of Object.entries(themes)) {
        await host.setTheme(theme);
        await host.page.setViewportSize({ width: 420, height: 3_000 });
        await host.drawn();
        // Only colors differ from theme to theme.
        const found = await axeViolations(host.page, theme === dark ? undefined : colorRules);
        violations.push(...found.map((violation) => `${name}, ${themeName}: ${violation}`));
        const pictured = widthsIn(themeName, index);
        // Where a page has been scrolled to depends on the widths that it has had, so that it has all of them.
        for (const width of widths) {
          await host.page.setViewportSize({ width, height });
          await host.drawn();
          if (!pictured.includes(width)) continue;
          const picture = `${name}-${themeName}-${width}`;
          await alignMenus(host);
          compared.push(`${picture}.png`);
          const part = await differingPart(host, picture);
          if (part > tolerance) differing.push(`${picture}: ${(part * 100).toFixed(2)} %`);
        }
      }
    }
    assert.deepEqual(violations, []);
    assert.deepEqual(differing, [], `see ${written}; UPDATE_SCREENS=1 takes the new pictures`);
    assert.deepEqual((await readdir(kept)).sort(), compared.sort(), "the pictures that are kept");
  });
});

/**
 * Gives menus a height of whole pixels, so that they begin on one. A menu lies on a layer of its own, and a layer that
 * begins between two pixels may be drawn on either.
 */
async function alignMenus({ page }: PanelHost): Promise<void> {
  await page.evaluate(() => {
    for (const menu of document.querySelectorAll<HTMLElement>(".menu")) {
      menu.style.height = "";
      menu.style.height = `${Math.ceil(menu.getBoundingClientRect().height)}px`;
    }
  });
}

/**
 * Returns the picture of a page that has come to rest: one that is the known one, or that is like the one before it. A page
 * may still be drawing what it has laid out.
 */
async function restingPicture(host: PanelHost, known: Buffer | undefined): Promise<Buffer> {
  let before: Buffer | undefined;
  for (let count = 0; count < 50; count++) {
    const picture = await takePicture(host);
    if ([known, before].some((one) => one?.equals(picture))) return picture;
    before = picture;
    await host.drawn();
  }
  throw new Error(
    "The page does not come to rest: each of 50 pictures differs from the one before.",
  );
}

async function takePicture({ page }: PanelHost): Promise<Buffer> {
  return page.screenshot({ animations: "disabled", caret: "hide" });
}

/**
 * Takes a picture, and compares it with the kept one.
 *
 * @returns the part of its points that differ, 0 to 1; 1 if there is none, or if it has another size
 */
async function differingPart(host: PanelHost, name: string): Promise<number> {
  const path = join(kept, `${name}.png`);
  const known = existsSync(path) ? await readFile(path) : undefined;
  const bytes = await restingPicture(host, known);
  if (process.env["UPDATE_SCREENS"] === "1") {
    await mkdir(kept, { recursive: true });
    await writeFile(path, bytes);
    return 0;
  }
  await mkdir(written, { recursive: true });
  if (known?.equals(bytes)) return 0;
  const now = PNG.sync.read(bytes);
  const before = known && PNG.sync.read(known);
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
