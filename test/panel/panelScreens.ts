import type { PanelStatus } from "../../src/protocol/messages.js";
import { calmStatus } from "../fakes/calmStatus.js";
import type { FedPanel } from "./fedPanel.js";
import {
  richAfar,
  richConversation,
  richEnding,
  richPlan,
  richProposal,
  richWork,
  taskId,
} from "./richConversation.js";

/** Returns a button by what its name begins with, whatever its values are. */
const button = ({ page, t }: FedPanel, message: string) => {
  const parts = t(message).split(/\{\d\}/);
  const name = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return page.getByRole("button", {
    name: RegExp(`^${name}${parts.length === 1 ? "(?!\\p{L})" : ""}`, "u"),
  });
};

const input = ({ page, t }: FedPanel) =>
  page.getByRole("textbox", { name: t("Message to the Navigator") });

const changes: PanelStatus["changes"] = {
  id: taskId,
  goal: "The cart's discounts",
  report: `${taskId}!1`,
  files: 2,
  added: 42,
  removed: 1,
};

/** A developer and a job's runner are at work, and the user has written to both. */
const atWork: Partial<PanelStatus> = {
  busy: true,
  queued: 2,
  works: [
    {
      ref: { kind: "job", name: "french" },
      title: "french",
      progress: { total: 10, done: 4, percent: 40 },
      questions: ["Q-1"],
    },
  ],
  atWork: [
    {
      taskId: "ROO#JOB_french_2",
      mode: "rooroo-job-runner",
      goal: "french: Task 2. Install",
      work: { kind: "job", name: "french" },
    },
    { taskId: richWork.taskId, mode: "rooroo-developer", goal: "Write the export" },
  ],
  pending: [
    {
      id: "p1",
      taskId: richWork.taskId,
      mode: "rooroo-developer",
      text: "Quote fields that hold a semicolon, too",
      when: "nextTurn",
    },
    {
      id: "p2",
      taskId: "ROO#JOB_french_1",
      mode: "",
      text: "Say vous to readers",
      work: { kind: "job", name: "french" },
      when: "nextAgent",
    },
  ],
};

/** The panel's screens, each made from the one before. */
export const panelScreens: Readonly<Record<string, (panel: FedPanel) => Promise<void> | void>> = {
  welcome: () => undefined,
  "no-model": (panel) => {
    panel.feed.setStatus({ ...calmStatus, model: { name: "", demo: false, ready: false } });
  },
  untrusted: (panel) => {
    panel.feed.setStatus({ ...calmStatus, workspace: "untrusted" });
  },
  commands: async (panel) => {
    panel.feed.setStatus(calmStatus);
    await input(panel).fill("/");
    await panel.page.getByRole("option").first().waitFor();
  },
  modes: async (panel) => {
    await input(panel).fill("");
    const experts = [
      { slug: "writer", name: "Writer", description: "Writes and edits documentation" },
    ];
    panel.feed.setStatus({ ...calmStatus, experts });
    await panel.drawn();
    await button(panel, "Mode").click();
  },
  "approval-presets": async (panel) => {
    await button(panel, "Approvals").click();
  },
  attachments: async (panel) => {
    await button(panel, "Approvals").click();
    const path = "src/cart.js";
    await panel.post({
      type: "compose",
      text: "Why is this wrong for the second line?",
      attachments: [
        { attachment: { kind: "selection", path, from: 8, to: 14, text: "let sum = 0;" } },
        { attachment: { kind: "problems", path } },
        { attachment: { kind: "gitChanges" } },
        { attachment: { kind: "file", path: ".env" }, problem: "may hold keys or passwords" },
      ],
    });
  },
  approval: async (panel) => {
    for (let left = 4; left > 0; left--) {
      await button(panel, "Remove {0}").first().click();
      await panel.drawn();
    }
    await input(panel).fill("");
    for (const event of richConversation) panel.event(event);
    await panel.drawn();
    await button(panel, "Always Allow…").click();
  },
  "deny-and-say-why": async (panel) => {
    await button(panel, "Deny and Say Why…").click();
  },
  plan: (panel) => {
    for (const event of [...richEnding.slice(0, -2), ...richPlan]) panel.event(event);
  },
  changes: (panel) => {
    panel.feed.setStatus({ ...calmStatus, changes });
  },
  "report-proposal-question": (panel) => {
    for (const event of [...richEnding.slice(-2), richProposal]) panel.event(event);
    panel.feed.setStatus({ ...calmStatus, busy: true, queued: 3, needsYou: 2 });
  },
  "context-window": async (panel) => {
    await button(panel, "Context and cost: {0}").click();
    await panel.page.getByRole("dialog", { name: panel.t("Context window") }).waitFor();
  },
  "at-work": async (panel) => {
    await button(panel, "Context and cost: {0}").click();
    for (const event of richWork.events) panel.event(event);
    panel.feed.setStatus({ ...calmStatus, ...atWork });
  },
  "send-to": async (panel) => {
    await button(panel, "Send to").click();
  },
  "approval-from-afar": async (panel) => {
    await button(panel, "Send to").click();
    for (const event of richAfar) panel.event(event);
    panel.feed.setStatus({ ...calmStatus, needsYou: 1 });
  },
};
