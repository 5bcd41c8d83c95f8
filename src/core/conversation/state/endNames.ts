import { translatable } from "../../text/translator.js";
import type { TaskEnd } from "../events/events.js";

/** The ends of tasks, as messages. */
export const endNames: Readonly<Record<TaskEnd, string>> = {
  Done: translatable("Done"),
  Failed: translatable("Failed"),
  NeedsClarification: translatable("Needs clarification"),
  Advice: translatable("Advice"),
  Stopped: translatable("Stopped"),
  Waiting: translatable("Needs you"),
};
