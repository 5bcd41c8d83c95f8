import { digest } from "../text/digest.js";

const accepted = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the id of a tool call as every provider takes it: letters, digits, `_` and `-`, at most 64. Other
 * servers' ids, such as `functions.read_file:0`, are in transcripts that go on with another model. The same id
 * always becomes the same one.
 */
export function wireCallId(id: string): string {
  if (accepted.test(id)) return id;
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40)}_${digest(id)}`;
}
