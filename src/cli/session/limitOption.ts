import type { Limit } from "../../core/spending/use.js";
import { WrongUse } from "../commands/wrongUse.js";

/** Parses a limit, as in `requests=200,tokens=1000000,cost=5` or `none`. Throws {@link WrongUse}. */
export function parseLimit(text: string): Limit {
  if (text.trim() === "none") return {};
  const limit: { requests?: number; tokens?: number; cost?: number } = {};
  for (const part of text.split(",")) {
    const [, kind, amount] = /^\s*(requests|tokens|cost)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    const most = Number(amount);
    if (kind === undefined || most <= 0) {
      throw new WrongUse(
        `A limit is written like requests=200,tokens=1000000,cost=5 (in US dollars), or none, not ${JSON.stringify(text)}.`,
      );
    }
    limit[kind as keyof typeof limit] = most;
  }
  return limit;
}
