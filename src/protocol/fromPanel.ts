import * as z from "zod/mini";

/** A message of the page, as `FromPanel` describes it; method and parameters of a request are still unchecked. */
export const fromPanel = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("request"),
    id: z.int(),
    method: z.string().check(z.maxLength(100)),
    params: z.unknown(),
  }),
]);
