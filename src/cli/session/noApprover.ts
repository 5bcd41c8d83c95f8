import type { Approver } from "../../core/approvals/approver.js";

/** The approver for when no user can be asked: whatever needs an approval waits for it. */
export const noApprover: Approver = {
  request: () => Promise.resolve({ type: "unavailable" }),
};
