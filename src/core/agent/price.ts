import * as z from "zod/mini";

/** US dollars per million tokens. */
export const price = z.object({
  input: z.number().check(z.nonnegative()),
  /** Price of input from the server's cache. Absent: the price of other input. */
  cachedInput: z.optional(z.number().check(z.nonnegative())),
  output: z.number().check(z.nonnegative()),
});
export type Price = z.infer<typeof price>;

/** Prices by a model's name, or by a prefix of several models' names. */
export type Prices = Readonly<Record<string, Price>>;
