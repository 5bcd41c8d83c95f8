import type { Approver } from "../core/approvals/approver.js";

/** Nobody is there to be asked: whatever needs a decision waits for one. */
export const noApprover: Approver = {
  request: () => Promise.resolve({ type: "unavailable" }),
};
