import { jsonValueEnd } from "../../documents/jsonValueEnd.js";
import { callsInJson } from "./callsInJson.js";
import { readUnits } from "./readUnits.js";
import type { TextStyle } from "./writtenCall.js";

/** `{"name": "read_file", "arguments": {…}}`, or a list of such, with nothing around it. */
export const jsonObject: TextStyle = {
  isMarked: false,
  begin: /^([ \t]*)[[{]/m,
  read: (text) =>
    readUnits(
      text,
      function* (at) {
        const end = jsonValueEnd(text, at);
        const calls = end === undefined ? undefined : callsInJson(text.slice(at, end));
        if (end !== undefined && calls !== undefined) yield { calls, end };
      },
      /,/,
    ),
};
