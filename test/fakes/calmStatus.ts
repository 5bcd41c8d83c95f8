import type { PanelStatus } from "../../src/protocol/messages.js";

/** The status of a panel in a trusted folder, with a model that is ready, in which nothing is going on. */
export const calmStatus: PanelStatus = {
  workspace: "open",
  model: { name: "gpt-5", demo: false, ready: true },
  busy: false,
  queued: 0,
  needsYou: 0,
  approvals: 0,
  works: [],
  heldBy: null,
  talkingTo: null,
  changes: null,
  elsewhere: null,
  preset: "safe",
  isolated: false,
  places: 0,
  experts: [],
  atWork: [],
  pending: [],
};
