import { calmStatus } from "../fakes/calmStatus.js";
import type { FedPanel } from "./fedPanel.js";
import { richConversation, richEnding, richPlan, richProposal } from "./richConversation.js";

/** The panel's screens, each made from the one before. */
export const panelScreens: Readonly<Record<string, (panel: FedPanel) => Promise<void> | void>> = {
  welcome: () => undefined,
  commands: async ({ page }) => {
    await page.getByRole("textbox", { name: "Message to the Navigator" }).fill("/");
    await page.getByRole("option").first().waitFor();
  },
  approval: async (panel) => {
    await panel.page.getByRole("textbox", { name: "Message to the Navigator" }).fill("");
    for (const event of richConversation) panel.event(event);
    await panel.drawn();
    await panel.page.getByRole("button", { name: "Always Allow…" }).click();
  },
  "deny-and-say-why": async ({ page }) => {
    await page.getByRole("button", { name: "Deny and Say Why…" }).click();
  },
  plan: (panel) => {
    for (const event of [...richEnding.slice(0, -2), ...richPlan]) panel.event(event);
  },
  "report-proposal-question": (panel) => {
    for (const event of [...richEnding.slice(-2), richProposal]) panel.event(event);
    panel.feed.setStatus({ ...calmStatus, busy: true, queued: 3, needsYou: 2 });
  },
  "context-window": async ({ page }) => {
    await page.getByRole("button", { name: /^Context and cost/ }).click();
    await page.getByRole("dialog", { name: "Context window" }).waitFor();
  },
};
