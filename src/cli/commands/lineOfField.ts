const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Returns the 1-based line of a field in JSON text; for a missing field, the line of the deepest of its
 * parents that is there.
 */
export function lineOfField(json: string, path: readonly PropertyKey[]): number {
  const open: { isObject: boolean; key: string | number }[] = [];
  const best = { depth: 0, offset: json.search(/\S/) };
  let expectsKey = false;
  const note = (offset: number) => {
    const isOnPath = open.every(({ key }, depth) => String(key) === String(path[depth]));
    if (isOnPath && open.length > best.depth) Object.assign(best, { depth: open.length, offset });
  };
  for (const { 0: text, index } of json.matchAll(token)) {
    const inside = open.at(-1);
    if (text === "}" || text === "]") open.pop();
    else if (text === ":") expectsKey = false;
    else if (text === ",") {
      if (typeof inside?.key === "number") inside.key++;
      expectsKey = inside?.isObject === true;
    } else if (inside?.isObject === true && expectsKey) {
      inside.key = JSON.parse(text) as string;
      note(index);
    } else {
      if (inside?.isObject === false) note(index);
      if (text === "{" || text === "[") {
        open.push({ isObject: text === "{", key: text === "{" ? "" : 0 });
        expectsKey = text === "{";
      }
    }
  }
  return lineAt(json, best.offset);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}
