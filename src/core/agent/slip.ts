/** Why a reply without a call is invalid and is rejected. */
export const slips = ["empty", "noCall", "brokenEnvelope"] as const;
export type Slip = (typeof slips)[number];
