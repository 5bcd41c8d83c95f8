import { join } from "node:path";
import { writeAnimation } from "./animation.mjs";

/** @typedef {import("./studio.mjs").Studio} Studio */
/** @typedef {import("playwright-core").Frame} Frame */

/**
 * @typedef {object} Scene Acts something out and takes its pictures.
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, string>} [files] Files that the project has besides the sample's own.
 * @property {(studio: Studio, folder: string) => Promise<void>} play Writes the pictures into the folder.
 */

/** @type {Record<string, Scene>} */
export const scenes = {
  "main-job": { play: mainJob },
  plan: {
    settings: { "rooroo.approvals.preset": "all", "rooroo.plans.start": "wait" },
    play: planAndKill,
  },
  job: {
    settings: { "rooroo.approvals.preset": "all", "rooroo.jobs.runners": 3 },
    files: { ".jixo/modules.job.md": "---\nname: modules\n---\n\nWrite a page for each module.\n" },
    play: job,
  },
};

/**
 * `main-job.gif`, at the head of the README: a failing test is fixed, with approvals, and what changed is reviewed.
 * Also `approval.png`, `review.png`, and `models.png`.
 *
 * @type {Scene["play"]}
 */
async function mainJob(studio, folder) {
  const panel = await opened(studio);
  await studio.openFile("invoice.js");
  await studio.panel();
  await studio.frame(1200);
  const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
  for (const text of ["Fix the", "Fix the failing test"]) {
    await input.fill(text);
    await studio.frame(500);
  }
  await input.press("Enter");
  for (const [title, ms] of /** @type {const} */ ([
    ["Run this command?", 2600],
    ["Make this change?", 3500],
    ["Run this command?", 2000],
  ])) {
    await panel.getByText(title).waitFor();
    await studio.frame(ms);
    if (title === "Make this change?") {
      await panel.getByRole("button", { name: "Always Allow…" }).click();
      await studio.picture(join(folder, "approval.png"));
      await studio.page.keyboard.press("Escape");
    }
    await panel.getByRole("button", { name: "Allow", exact: true }).click();
    await panel.getByText(title).waitFor({ state: "detached" });
  }
  await panel.getByText("1 file changed").waitFor();
  await studio.frame(3000);
  await panel.getByRole("button", { name: "Review", exact: true }).click();
  await studio.page.locator(".multiDiffEntry").first().waitFor();
  await studio.frame(3500);
  await studio.picture(join(folder, "review.png"));
  await writeAnimation(join(folder, "main-job.gif"), studio.frames);
}

/**
 * `plan.png`: a plan that waits for Start. `resumed.png`: the same plan, done, although the editor was killed while its
 * second task ran.
 *
 * @type {Scene["play"]}
 */
async function planAndKill(studio, folder) {
  const panel = await opened(studio);
  await studio.raiseTasks(230);
  await say(panel, "Plan a CSV export of the invoices");
  const start = panel.getByRole("button", { name: "Start", exact: true });
  await start.first().waitFor();
  await panel.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  await studio.picture(join(folder, "plan.png"));
  await start.first().click();
  await panel
    .getByText(/1 of 3 done/)
    .first()
    .waitFor();
  await studio.killAndReopen();
  const again = await studio.panel();
  await again.getByText("has a section on CSV").first().waitFor();
  await again.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  await studio.page.getByRole("treeitem", { name: /^Done/ }).locator(".monaco-tl-twistie").click();
  await studio.page
    .getByRole("treeitem", { name: /Plan a CSV export/ })
    .first()
    .waitFor();
  await studio.picture(join(folder, "resumed.png"));
}

/**
 * `job.png`: a job that is done, with its tasks in the list and its page in the editor.
 *
 * @type {Scene["play"]}
 */
async function job(studio, folder) {
  await opened(studio);
  await studio.raiseTasks(420);
  await studio.editor.runCommand("Rooroo: Run Job");
  await studio.page.getByRole("option", { name: "Run Until Done" }).waitFor();
  await studio.page.keyboard.press("Enter");
  await studio.page.getByRole("treeitem", { name: /^Job modules, .*100/ }).waitFor();
  await studio.editor.runCommand("Rooroo: Show Job Report");
  await studio.shows("The job is done");
  await studio.picture(join(folder, "job.png"));
}

/** @param {Studio} studio */
async function opened(studio) {
  const panel = await studio.panel();
  await studio.widenSideBar(480);
  return panel;
}

/** @param {Frame} panel @param {string} text */
async function say(panel, text) {
  const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
  await input.fill(text);
  await input.press("Enter");
}
