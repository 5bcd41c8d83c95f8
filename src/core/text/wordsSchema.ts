import * as z from "zod";
import type { Words } from "./words.js";

/** @param depth how many words may stand in one another */
const wordsOf = (depth: number): z.ZodType<Words> => {
  const plain = [z.string(), z.number()] as const;
  const value = depth === 0 ? z.union(plain) : z.union([...plain, wordsOf(depth - 1)]);
  return z.object({ template: z.string(), params: z.record(z.string(), value) });
};

/** What a text in a file was made of. */
export const wordsSchema = wordsOf(8);
