import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { calmStatus, PanelHost } from "./panelHost.js";
import { richConversation, richEnding, richPlan, richProposal } from "./richConversation.js";
import { dark, highContrast, highContrastLight, light } from "./themes.js";

const root = join(import.meta.dirname, "..", "..", "..");
/** The pictures that were looked at; `UPDATE_SCREENS=1` takes new ones. */
const kept = join(root, "test", "ui", "screens");
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

/** The panel's screens, each made from the one before. */
const screens: Readonly<Record<string, (host: PanelHost) => Promise<void> | void>> = {
  welcome: () => undefined,
  commands: async ({ page }) => {
    await page.getByRole("textbox", { name: "Message to the Navigator" }).fill("/");
    await page.getByRole("option").first().waitFor();
  },
  approval: async (host) => {
    await host.page.getByRole("textbox", { name: "Message to the Navigator" }).fill("");
    for (const event of richConversation) host.event(event);
    await host.drawn();
    await host.page.getByRole("button", { name: "Always Allow…" }).click();
  },
  "deny-and-say-why": async ({ page }) => {
    await page.getByRole("button", { name: "Deny and Say Why…" }).click();
  },
  plan: (host) => {
    for (const event of [...richEnding.slice(0, -2), ...richPlan]) host.event(event);
  },
  "report-proposal-question": (host) => {
    for (const event of [...richEnding.slice(-2), richProposal]) host.event(event);
    host.feed.setStatus({ ...calmStatus, busy: true, queued: 3, needsYou: 2 });
  },
  "context-window": async ({ page }) => {
    await page.getByRole("button", { name: /^Context and cost/ }).click();
    await page.getByRole("dialog", { name: "Context window" }).waitFor();
  },
};

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
        for (const [name, show] of Object.entries(screens)) {
          await show(host);
          await host.drawn();
          await host.page.setViewportSize({ width: 420, height: 3_000 });
          assert.deepEqual(await violations(host), [], name);
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
 * The arrow keys in the input go through the list of completions and scroll it. To axe that is right only where the
 * input has the role `combobox`, which a textarea may not have.
 */
const scrolledFromInput = "scrollable-region-focusable: #hints ";

/** Returns what axe objects to on the page, each with where it is. */
async function violations(host: PanelHost): Promise<string[]> {
  await host.drawn();
  await host.page.evaluate(axe.source);
  const run = "axe.run().then(({ violations }) => violations)";
  const found = await host.page.evaluate<readonly axe.Result[]>(run);
  return found
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`,
      ),
    )
    .filter((violation) => !violation.startsWith(scrolledFromInput));
}

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
