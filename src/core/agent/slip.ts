/** Why a reply without a call is of no use, and goes back to the model. */
export const slips = ["empty", "noCall", "brokenEnvelope"] as const;
export type Slip = (typeof slips)[number];
