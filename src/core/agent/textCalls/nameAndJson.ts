import { jsonValueEnd } from "../../documents/jsonValueEnd.js";
import { matchAt, readUnits, type Unit } from "./readUnits.js";
import type { TextStyle } from "./writtenCall.js";

/** `read_file {…}`, `read_file({…})`, and `Action: read_file` with `Action Input: {…}`. */
export const nameAndJson: TextStyle = {
  isMarked: false,
  begin:
    /^([ \t]*)(?:>>>|Action:)?[ \t]*`?[A-Za-z_][\w.-]*`?[ \t]*[:(]?\s*(?:Action Input:\s*)?\{/m,
  read: (text, isTool) => readUnits(text, (at) => called(text, at, isTool)),
};

function* called(text: string, at: number, isTool: (name: string) => boolean): Generator<Unit> {
  const pattern =
    /(?:>>>|Action:)?[ \t]*`?([A-Za-z_][\w.-]*)`?[ \t]*([:(]?)\s*(?:Action Input:\s*)?(?=\{)/;
  const [opening, name = "", mark] = matchAt(pattern, text, at) ?? [];
  if (opening === undefined || !isTool(name)) return;
  const start = at + opening.length;
  const end = jsonValueEnd(text, start);
  if (end === undefined) return;
  const closing = mark === "(" ? matchAt(/\s*\);?/, text, end)?.[0] : "";
  if (closing === undefined) return;
  yield { calls: [{ name, json: text.slice(start, end) }], end: end + closing.length };
}
