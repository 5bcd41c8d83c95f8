import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startDemoModel } from "../demo/startDemoModel.mjs";
import { launchEditor } from "../host/launchEditor.mjs";
import { root } from "../root.mjs";
import { createSampleProject } from "../sample/createSampleProject.mjs";

const viewport = { width: 1280, height: 800 };

/** Fast enough that nobody waits, slow enough to see words come. */
const tokensPerSecond = 400;

/**
 * Opens the sample project with the demo model in a real VS Code, hands both to `work`, and ends them.
 *
 * @param {{ settings?: Record<string, unknown>, files?: Record<string, string> }} options
 *   `files`: what the project has besides the sample's own files
 * @param {(studio: Studio) => Promise<void>} work
 */
export async function inStudio({ settings = {}, files = {} }, work) {
  const scratch = await mkdtemp(join(tmpdir(), "rooroo-pictures-"));
  const model = await startDemoModel({ tokensPerSecond });
  const workspace = join(scratch, "tally");
  const profileDir = join(scratch, "profile");
  const launch = () =>
    launchEditor({
      workspace,
      profileDir,
      extensionPath: root,
      viewport,
      env: { ...model.env, ROOROO_HOME: join(scratch, "home") },
      settings: { ...lookOf, ...settings },
    });
  try {
    await createSampleProject(workspace);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
    const studio = new Studio(await launch(), launch, workspace);
    try {
      await work(studio);
    } finally {
      await studio.editor.stop();
    }
  } finally {
    await model.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As a window looks in which nothing draws the eye away from the panel. */
const lookOf = {
  "workbench.colorTheme": "Dark 2026",
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "breadcrumbs.enabled": false,
  "window.commandCenter": false,
  "workbench.layoutControl.enabled": false,
};

/** A VS Code on the sample project, and what a person does in it. */
export class Studio {
  /** @type {{ png: Buffer, ms: number }[]} */
  frames = [];

  /**
   * @param {import("../host/launchEditor.d.mts").Editor} editor
   * @param {() => Promise<import("../host/launchEditor.d.mts").Editor>} launch
   * @param {string} workspace
   */
  constructor(editor, launch, workspace) {
    this.editor = editor;
    this.launch = launch;
    this.workspace = workspace;
  }

  get page() {
    return this.editor.page;
  }

  /** Kills the editor, as a power cut would, and opens it again. */
  async killAndReopen() {
    await this.editor.crash();
    this.editor = await this.launch();
  }

  /** The panel's page, shown and ready. */
  async panel() {
    await this.editor.runCommand("rooroo.focusChat");
    const panel = await this.editor.panelFrame();
    await panel.waitForFunction(() => document.body.dataset["keys"] === "on");
    return panel;
  }

  /** Opens a file in the editor area, by its name. @param {string} name */
  async openFile(name) {
    await this.page.keyboard.press("Control+p");
    await this.page.locator(".quick-input-widget:visible input.input").fill(name);
    await this.page
      .locator(".quick-input-list .monaco-list-row")
      .first()
      .getByText(name)
      .first()
      .waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".editor-instance .view-line").first().waitFor();
  }

  /** Makes the side bar as wide as a person who works with the panel has it. @param {number} width */
  async widenSideBar(width) {
    const bar = await boxOf(this.page.locator(".part.sidebar"));
    const edge = bar.x + bar.width;
    await this.#drag({ x: edge, y: 300 }, { x: bar.x + width, y: 300 });
  }

  /** Gives the view "Tasks" this height. @param {number} height */
  async raiseTasks(height) {
    const pane = await boxOf(this.page.locator(".part.sidebar .pane").last());
    const bottom = pane.y + pane.height;
    await this.#drag({ x: pane.x + 200, y: pane.y }, { x: pane.x + 200, y: bottom - height });
  }

  /** @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
  async #drag(from, to) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 8 });
    await mouse.up();
    // Nothing is hovered in a picture.
    await mouse.move(1000, 780);
  }

  /** Waits until one of the window's pages shows a text. @param {string} text */
  async shows(text) {
    for (let tries = 0; tries < 300; tries++) {
      const shown = this.page.frames().map((frame) => frame.getByText(text).first().isVisible());
      if ((await Promise.allSettled(shown)).some((one) => one.status === "fulfilled" && one.value))
        return;
      await this.page.waitForTimeout(100);
    }
    throw new Error(`Nothing shows "${text}".`);
  }

  /** Takes a picture for the animation, seen for `ms` milliseconds. @param {number} ms */
  async frame(ms) {
    // Also as files, to be looked at one by one.
    const path = join(root, "out", "screenshots", `frame-${this.frames.length}.png`);
    this.frames.push({ png: await this.picture(path), ms });
  }

  /** @param {string} [path] */
  async picture(path) {
    // Nothing blinks or moves in a picture.
    await this.page.evaluate(() => document.fonts.ready);
    return this.page.screenshot({ animations: "disabled", caret: "hide", ...(path && { path }) });
  }
}

/** @param {import("playwright-core").Locator} locator */
async function boxOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}
