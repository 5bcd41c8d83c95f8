import { matchAt, readUnits, type Unit } from "./readUnits.js";
import { enclosed, taggedFields } from "./taggedFields.js";
import type { TextStyle, WrittenCall } from "./writtenCall.js";

const fields = { open: /<([A-Za-z_]\w*)>/, close: (name: string) => `</${name}>` };

/** `<read_file><path>a.ts</path></read_file>`, as Roo Code and Cline have taught models to call. */
export const toolTags: TextStyle = {
  isMarked: false,
  begin: /^([ \t]*)<(?:[A-Za-z_]\w*)[\s>/]/m,
  read: (text, isTool) =>
    readUnits(text, (at) => toolTag(text, at, isTool), /<\/?(?:tool_calls?|tool_use|tools)>/),
};

function* toolTag(text: string, at: number, isTool: (name: string) => boolean): Generator<Unit> {
  const alone = matchAt(/<([A-Za-z_]\w*)((?:\s+\w+="[^"<>]*")+)\s*\/>/, text, at);
  if (alone?.[1] !== undefined && isTool(alone[1])) {
    const pairs = [...(alone[2] ?? "").matchAll(/(\w+)="([^"]*)"/g)];
    const given = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]));
    const call = { name: alone[1], json: JSON.stringify(given) };
    yield { calls: [call], end: at + alone[0].length };
    return;
  }
  const [opening, name] = matchAt(/<([A-Za-z_]\w*)>/, text, at) ?? [];
  if (opening === undefined || name === undefined || !isTool(name)) return;
  yield* enclosed(text, at + opening.length, `</${name}>`, (body) => calls(name, body));
}

function* calls(name: string, body: string): Generator<readonly WrittenCall[]> {
  if (body.trimStart().startsWith("{")) {
    yield [{ name, json: body.trim() }];
    return;
  }
  // A list of one file, as newer versions of Roo Code have it.
  const args = /^\s*<args>\s*(?:<file>([^]*)<\/file>|([^]*))\s*<\/args>\s*$/.exec(body);
  for (const given of taggedFields(args?.[1] ?? args?.[2] ?? body, fields)) {
    yield [{ name, json: JSON.stringify(given) }];
  }
}
