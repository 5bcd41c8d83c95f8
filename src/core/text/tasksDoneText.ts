import type { Translate } from "./translator.js";

/** Says how many tasks are done, as in `2 of 3 tasks done`. */
export function tasksDoneText(done: number, total: number, t: Translate): string {
  return t("{0} of {1, plural, one {# task} other {# tasks}} done", done, total);
}
