import { momentNamed } from "../../core/text/momentNamed.js";
import { WrongUse } from "./wrongUse.js";

/** Parses a future time as {@link momentNamed} does. Throws {@link WrongUse} if the text names none. */
export function parseTime(text: string, now: Date): Date {
  const time = momentNamed(text, now);
  if (time !== undefined) return time;
  const message = `A time to come is written like 07:00 or 2026-01-31T07:00, not ${text}.`;
  throw new WrongUse(message);
}
