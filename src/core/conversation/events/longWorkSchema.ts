import * as z from "zod";
import { type LongWork, longWorkKinds } from "../../ids.js";

/** Names a piece of long work, in events and in messages of the panel. */
export const longWorkSchema: z.ZodType<LongWork> = z.object({
  kind: z.enum(longWorkKinds),
  name: z.string().max(1_000),
});
